/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_queue.h"

static int by_symbol(mqd_t queue, const struct timespec *deadline)
{
    return mq_timedsend(queue, "x", 1, 3, deadline);
}

static int by_number(mqd_t queue, const struct timespec *deadline)
{
    return (int)syscall(SYS_mq_timedsend, queue, "x", 1, 3, deadline);
}

static void check(queue_wait *wait)
{
    struct timespec past = {0};
    char text[8];
    unsigned priority = 0;
    mqd_t queue = small_queue(0);
    mqd_t at_once = small_queue(O_NONBLOCK);
    CHECK(wait(queue, &past) == 0 && mq_receive(queue, text, sizeof(text), &priority) == 1);
    CHECK(priority == 3 && wait(queue, NULL) == 0 && wait(at_once, &past) == 0);
    check_deadlines(wait, queue);
    check_refused(wait, queue, at_once);
    CHECK(mq_close(queue) == 0 && mq_close(at_once) == 0);
}

int main(void)
{
    check(by_symbol);
    check(by_number);
    return guest_end();
}
