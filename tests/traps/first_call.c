/* SPDX-License-Identifier: MIT */
/* The first call that is answered is interrupted, by a handler that asks as well and by one that
 * jumps out of it: it and all later ones are of one world. */
#include <setjmp.h>
#include <sys/time.h>

#include "trap.h"

#define CHILDREN 60

static sigjmp_buf back;
static volatile sig_atomic_t jumps, seen;
static volatile time_t seen_at;

static void on_alarm(int number)
{
    (void)number;
    seen++;
    seen_at = time(NULL);
    if (jumps)
        siglongjmp(back, 1);
}

/* argv: name, the parent's wall clock, jumps, microseconds. A new image: nothing was asked before.
 */
static int as_image(char **argv)
{
    struct itimerval once = {{0, 0}, {0, atol(argv[3])}};
    struct timespec ts;
    static long long before;
    jumps = atoi(argv[2]);
    /* The kernel itself ends a trapped call of a static program, docs/limits.md. */
    handle(SIGALRM, on_alarm, getenv("GUEST_STATIC") ? SA_RESTART : 0);
    if (sigsetjmp(back, 1) == 0 && setitimer(ITIMER_REAL, &once, NULL) == 0)
        while (!seen) {
            CHECK(clock_gettime(CLOCK_MONOTONIC, &ts) == 0);
            CHECK(ts.tv_sec * SECOND + ts.tv_nsec >= before);
            before = ts.tv_sec * SECOND + ts.tv_nsec;
        }
    CHECK(same_day(seen_at, atoll(argv[1])) && same_day(time(NULL), atoll(argv[1])));
    ts = (struct timespec){0, 2000000};
    before = clock_ns(CLOCK_MONOTONIC);
    CHECK(nanosleep(&ts, NULL) == 0 && clock_ns(CLOCK_MONOTONIC) - before >= 2 * MILLISECOND);
    CHECK(clock_ns(CLOCK_MONOTONIC) - before < 100 * SECOND);
    return 0;
}

int main(int argc, char **argv)
{
    char now[32], us[16];
    if (argc == 4)
        return as_image(argv);
    for (int i = 0; i < CHILDREN; i++) {
        snprintf(now, sizeof(now), "%lld", (long long)time(NULL));
        snprintf(us, sizeof(us), "%d", 1 + i / 2 * 3);
        pid_t pid = fork();
        if (pid == 0) {
            execl(argv[0], argv[0], now, i % 2 ? "1" : "0", us, (char *)NULL);
            _exit(99);
        }
        child_exits(pid, 0);
    }
    return guest_end();
}
