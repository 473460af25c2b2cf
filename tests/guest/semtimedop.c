/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/sem.h>

#include "guest_wait.h"

static int set;
static struct sembuf take = {.sem_op = -1};

static int wait_by(bool symbol, struct sembuf *operation, const struct timespec *timeout)
{
    return symbol ? semtimedop(set, operation, 1, timeout)
                  : (int)syscall(SYS_semtimedop, set, operation, 1, timeout);
}

static int wait_ms(int ms)
{
    struct timespec timeout = timespec_ns(ms * 1000000LL);
    return semtimedop(set, &take, 1, &timeout);
}

static void check_errors(bool symbol)
{
    struct timespec ten = timespec_ns(10000000000);
    struct timespec bad = {.tv_nsec = 1000000000};
    struct sembuf at_once = {.sem_op = -1, .sem_flg = IPC_NOWAIT};
    struct sembuf beyond = {.sem_num = 9, .sem_op = -1};
    long long before = clock_ns(CLOCK_MONOTONIC);
    FAILS(EINVAL, wait_by(symbol, &take, &bad));
    FAILS(EFAULT, wait_by(symbol, &take, bad_pointer()));
    FAILS(EFAULT, wait_by(symbol, bad_pointer(), &ten));
    FAILS(EFBIG, wait_by(symbol, &beyond, &ten));
    FAILS(EAGAIN, wait_by(symbol, &at_once, &ten));
    CHECK(!under_detrun() || clock_ns(CLOCK_MONOTONIC) == before);
}

static void check(bool symbol)
{
    static const int waits_ms[] = {0, 1, 20};
    struct sembuf put = {.sem_op = 2};
    struct timespec ten = timespec_ns(10000000000);
    for (int i = 0; i < 3; i++) {
        struct timespec timeout = timespec_ns(waits_ms[i] * 1000000LL);
        long long before = clock_ns(CLOCK_MONOTONIC);
        FAILS(EAGAIN, wait_by(symbol, &take, &timeout));
        check_moved(before, waits_ms[i] * 1000000LL);
    }
    CHECK(semop(set, &put, 1) == 0);
    CHECK(wait_by(symbol, &take, &ten) == 0 && wait_by(symbol, &take, NULL) == 0);
    check_errors(symbol);
}

int main(void)
{
    struct timespec one = timespec_ns(1000000);
    set = semget(IPC_PRIVATE, 1, 0600);
    CHECK(set >= 0);
    check(true);
    check(false);
    CHECK(by(BY_INSTRUCTION, SYS_semtimedop, set, (long)&take, 1, (long)&one) == -EAGAIN);
    check_interrupted(wait_ms);
    CHECK(semctl(set, 0, IPC_RMID) == 0);
    return guest_end();
}
