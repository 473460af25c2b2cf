/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_lock.h"

static sem_t sem;

static int wait_until(clockid_t id, const struct timespec *deadline)
{
    (void)id;
    return sem_timedwait(&sem, deadline) == 0 ? 0 : errno;
}

int main(void)
{
    struct timespec past = {0};
    CHECK(sem_init(&sem, 0, 1) == 0);
    CHECK(sem_timedwait(&sem, &past) == 0);
    check_deadlines(wait_until, CLOCK_REALTIME);
    return guest_end();
}
