/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_lock.h"

static sem_t sem;

static int wait_until(clockid_t id, const struct timespec *deadline)
{
    return sem_clockwait(&sem, id, deadline) == 0 ? 0 : errno;
}

int main(void)
{
    struct timespec past = {0};
    CHECK(sem_init(&sem, 0, 1) == 0);
    CHECK(sem_clockwait(&sem, CLOCK_MONOTONIC, &past) == 0);
    check_deadlines(wait_until, CLOCK_REALTIME);
    check_deadlines(wait_until, CLOCK_MONOTONIC);
    CHECK(wait_until(CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
    return guest_end();
}
