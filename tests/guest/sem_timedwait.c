/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_lock.h"
#include "guest_wait.h"

static sem_t sem;

static int wait_until(clockid_t id, const struct timespec *deadline)
{
    (void)id;
    return sem_timedwait(&sem, deadline) == 0 ? 0 : errno;
}

/* A deadline comes, however often signals end the wait for it. */
static void check_alarms(void)
{
    struct timespec deadline = timespec_ns(clock_ns(CLOCK_REALTIME) + 100000000);
    int error = EINTR;
    alarm_in_ms(3);
    while (error == EINTR)
        error = wait_until(CLOCK_REALTIME, &deadline);
    alarm_off();
    CHECK(error == ETIMEDOUT);
}

int main(void)
{
    struct timespec past = {0};
    CHECK(sem_init(&sem, 0, 1) == 0);
    CHECK(sem_timedwait(&sem, &past) == 0);
    check_deadlines(wait_until, CLOCK_REALTIME);
    check_alarms();
    return guest_end();
}
