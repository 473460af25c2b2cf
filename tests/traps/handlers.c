/* SPDX-License-Identifier: MIT */
/* The program's own handlers of SIGSEGV, SIGSYS, SIGALRM, SIGUSR1 and every other: installed,
 * called with the right address, given back as they were, and none is taken from the start. */
#include <setjmp.h>

#include "trap.h"

static sigjmp_buf back;
static volatile sig_atomic_t number_seen;
static void *volatile address_seen;

static void jump_back(int number, siginfo_t *info, void *context)
{
    CHECK(context != NULL && info->si_signo == number);
    number_seen = number;
    address_seen = info->si_addr;
    siglongjmp(back, 1);
}

static void count(int number)
{
    number_seen = number;
}

static void untouched_at_start(void)
{
    struct sigaction now;
    for (int i = 1; i < 65; i++) {
        if (i == 32 || i == 33)
            continue;
        CHECK(sigaction(i, NULL, &now) == 0);
        CHECK(now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN);
    }
}

static void faults(void)
{
    struct sigaction action = {.sa_sigaction = jump_back, .sa_flags = SA_SIGINFO};
    struct sigaction old;
    char *bad = bad_pointer();
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0 && sigaction(SIGSYS, &action, NULL) == 0);
    for (int i = 0; i < 3; i++) {
        if (sigsetjmp(back, 1) == 0)
            *(volatile char *)bad = 1;
        CHECK(number_seen == SIGSEGV && address_seen == bad);
        number_seen = 0;
    }
    if (sigsetjmp(back, 1) == 0)
        raise(SIGSYS);
    CHECK(number_seen == SIGSYS);
    CHECK(sigaction(SIGSYS, NULL, &old) == 0 && old.sa_sigaction == jump_back);
    CHECK((old.sa_flags & SA_SIGINFO) != 0);
}

/* A bad pointer is EFAULT, and no handler of the program's hears of it. */
static void no_fault_of_ours(void)
{
    number_seen = 0;
    CHECK(syscall(SYS_getrandom, bad_pointer(), 16, 0) == -1 && errno == EFAULT);
    CHECK(syscall(SYS_clock_gettime, CLOCK_REALTIME, bad_pointer()) == -1 && errno == EFAULT);
    CHECK(syscall(SYS_nanosleep, bad_pointer(), NULL) == -1 && errno == EFAULT);
    CHECK(number_seen == 0);
}

static void every_number(void)
{
    for (int i = 1; i < 65; i++) {
        if (i == SIGKILL || i == SIGSTOP || i == 32 || i == 33)
            continue;
        handle(i, count, 0);
        number_seen = 0;
        CHECK(raise(i) == 0 && number_seen == i);
        CHECK(signal(i, SIG_DFL) == count);
    }
}

int main(void)
{
    untouched_at_start();
    faults();
    no_fault_of_ours();
    every_number();
    return guest_end();
}
