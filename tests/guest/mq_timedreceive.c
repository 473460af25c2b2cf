/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_queue.h"

static char text[8];

static int by_symbol(mqd_t queue, const struct timespec *deadline)
{
    return (int)mq_timedreceive(queue, text, sizeof(text), NULL, deadline);
}

static int by_number(mqd_t queue, const struct timespec *deadline)
{
    return (int)syscall(SYS_mq_timedreceive, queue, text, sizeof(text), NULL, deadline);
}

static void check(queue_wait *wait)
{
    struct timespec past = {0};
    mqd_t queue = small_queue(0);
    mqd_t at_once = small_queue(O_NONBLOCK);
    check_deadlines(wait, queue);
    CHECK(mq_send(queue, "x", 1, 0) == 0 && wait(queue, &past) == 1 && text[0] == 'x');
    CHECK(mq_send(queue, "y", 1, 0) == 0 && wait(queue, NULL) == 1 && text[0] == 'y');
    check_refused(wait, queue, at_once);
    CHECK(mq_close(queue) == 0 && mq_close(at_once) == 0);
}

int main(void)
{
    check(by_symbol);
    check(by_number);
    return guest_end();
}
