/* SPDX-License-Identifier: MIT */
/*
 * waits_table native|exact [large] [silent]: every way to wait for a time, with each kind of time;
 * silent: but for those that programs without the shim cannot tell of. Each ends as the kernel ends
 * it. Natively the clock is not before the deadline then; exact: it stands at the deadline and the
 * reads made since, and a deadline that had passed moves it by 1 ns.
 *
 * Prints a line for each check that fails, and how many there were.
 */
#include "waits_ways.h"

static int checks, failures;

enum kind { RELATIVE, ABSOLUTE };
#define NO_ZERO 1 /* zero is for ever, or no time-out at all */
#define SOCKET  2 /* a limit of the socket's, or of a call that may not be trapped */

struct row {
    const char *name;
    int (*wait)(clockid_t, struct timespec *);
    enum kind kind;
    clockid_t clock;
    int64_t unit; /* the smallest time it can be asked for, in ns */
    int ends;     /* what a time-out returns */
    int bad;      /* what 10^9 nanoseconds return, if they can be asked for */
    int flags;
};

#define REAL CLOCK_REALTIME
#define MONO CLOCK_MONOTONIC
#define OUT  ETIMEDOUT

static const struct row rows[] = {
    {"nanosleep", by_nanosleep, RELATIVE, MONO, 1, 0, EINVAL, 0},
    {"nanosleep by number", by_nanosleep_number, RELATIVE, MONO, 1, 0, EINVAL, 0},
    {"clock_nanosleep real", by_relative_sleep, RELATIVE, REAL, 1, 0, EINVAL, 0},
    {"clock_nanosleep monotonic", by_relative_sleep, RELATIVE, MONO, 1, 0, EINVAL, 0},
    {"clock_nanosleep boot", by_relative_sleep, RELATIVE, CLOCK_BOOTTIME, 1, 0, EINVAL, 0},
    {"clock_nanosleep tai", by_relative_sleep, RELATIVE, CLOCK_TAI, 1, 0, EINVAL, 0},
    {"clock_nanosleep to real", by_absolute_sleep, ABSOLUTE, REAL, 1, 0, EINVAL, 0},
    {"clock_nanosleep to monotonic", by_absolute_sleep, ABSOLUTE, MONO, 1, 0, EINVAL, 0},
    {"clock_nanosleep to boot", by_absolute_sleep, ABSOLUTE, CLOCK_BOOTTIME, 1, 0, EINVAL, 0},
    {"clock_nanosleep to tai", by_absolute_sleep, ABSOLUTE, CLOCK_TAI, 1, 0, EINVAL, 0},
    {"clock_nanosleep by number", by_relative_number, RELATIVE, MONO, 1, 0, EINVAL, 0},
    {"clock_nanosleep to real by number", by_absolute_number, ABSOLUTE, REAL, 1, 0, EINVAL, 0},
    {"clock_nanosleep to mono by number", by_absolute_number, ABSOLUTE, MONO, 1, 0, EINVAL, 0},
    {"usleep", by_usleep, RELATIVE, MONO, MICROSECOND, 0, 0, 0},
    {"sleep", by_sleep, RELATIVE, MONO, SECOND, 0, 0, 0},
    {"thrd_sleep", by_thrd_sleep, RELATIVE, REAL, 1, 0, EINVAL, 0},
    {"FUTEX_WAIT", by_futex, RELATIVE, MONO, 1, OUT, EINVAL, 0},
    {"FUTEX_WAIT_BITSET", by_bitset, ABSOLUTE, MONO, 1, OUT, EINVAL, 0},
    {"FUTEX_WAIT_BITSET one bit", by_bit, ABSOLUTE, MONO, 1, OUT, EINVAL, 0},
    {"FUTEX_WAIT_BITSET real", by_bitset_real, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"FUTEX_LOCK_PI", by_lock_pi, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"FUTEX_LOCK_PI2", by_lock_pi2, ABSOLUTE, MONO, 1, OUT, EINVAL, 0},
    {"FUTEX_LOCK_PI2 real", by_lock_pi2_real, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"futex_wait", by_futex2, ABSOLUTE, MONO, 1, OUT, EINVAL, 0},
    {"futex_wait real", by_futex2, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"futex_waitv", by_waitv, ABSOLUTE, MONO, 1, OUT, EINVAL, 0},
    {"futex_waitv real", by_waitv, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"poll", by_poll, RELATIVE, MONO, MILLISECOND, 0, 0, 0},
    {"poll of nothing", by_empty_poll, RELATIVE, MONO, MILLISECOND, 0, 0, 0},
    {"ppoll", by_ppoll, RELATIVE, MONO, 1, 0, EINVAL, 0},
    {"ppoll by number", by_ppoll_number, RELATIVE, MONO, 1, 0, EINVAL, 0},
    {"select", by_select, RELATIVE, MONO, MICROSECOND, 0, 0, 0},
    {"pselect", by_pselect, RELATIVE, MONO, 1, 0, EINVAL, 0},
    {"pselect6 by number", by_pselect_number, RELATIVE, MONO, 1, 0, EINVAL, 0},
    {"epoll_wait", by_epoll_wait, RELATIVE, MONO, MILLISECOND, 0, 0, 0},
    {"epoll_pwait", by_epoll_pwait, RELATIVE, MONO, MILLISECOND, 0, 0, 0},
    {"epoll_pwait2 by number", by_epoll_number, RELATIVE, MONO, 1, 0, EINVAL, 0},
    {"sigtimedwait", by_sigtimedwait, RELATIVE, MONO, 1, EAGAIN, EINVAL, 0},
    {"rt_sigtimedwait by number", by_sigtimedwait_number, RELATIVE, MONO, 1, EAGAIN, EINVAL, 0},
    {"semtimedop", by_semtimedop, RELATIVE, MONO, 1, EAGAIN, EINVAL, 0},
    {"mq_timedreceive", by_mq_timedreceive, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"mq_timedsend", by_mq_timedsend, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"io_getevents", by_io_getevents, RELATIVE, MONO, 1, 0, 0, 0},
    {"SO_RCVTIMEO recv", by_rcvtimeo, RELATIVE, MONO, MICROSECOND, EAGAIN, EDOM, NO_ZERO | SOCKET},
    {"SO_RCVTIMEO read", by_rcvtimeo_read, RELATIVE, MONO, MICROSECOND, EAGAIN, EDOM,
     NO_ZERO | SOCKET},
    {"SO_RCVTIMEO recvfrom", by_rcvtimeo_from, RELATIVE, MONO, MICROSECOND, EAGAIN, EDOM,
     NO_ZERO | SOCKET},
    {"SO_RCVTIMEO readv", by_rcvtimeo_parts, RELATIVE, MONO, MICROSECOND, EAGAIN, EDOM,
     NO_ZERO | SOCKET},
    {"SO_RCVTIMEO recvmsg", by_rcvtimeo_msg, RELATIVE, MONO, MICROSECOND, EAGAIN, EDOM,
     NO_ZERO | SOCKET},
    {"SO_RCVTIMEO recvmmsg", by_rcvtimeo_mmsg, RELATIVE, MONO, MICROSECOND, EAGAIN, EDOM,
     NO_ZERO | SOCKET},
    {"SO_SNDTIMEO send", by_sndtimeo, RELATIVE, MONO, MICROSECOND, EAGAIN, EDOM, NO_ZERO | SOCKET},
    {"SO_SNDTIMEO write", by_sndtimeo_write, RELATIVE, MONO, MICROSECOND, EAGAIN, EDOM,
     NO_ZERO | SOCKET},
    {"SO_SNDTIMEO sendto", by_sndtimeo_to, RELATIVE, MONO, MICROSECOND, EAGAIN, EDOM,
     NO_ZERO | SOCKET},
    {"SO_SNDTIMEO writev", by_sndtimeo_parts, RELATIVE, MONO, MICROSECOND, EAGAIN, EDOM,
     NO_ZERO | SOCKET},
    {"SO_SNDTIMEO sendmmsg", by_sndtimeo_mmsg, RELATIVE, MONO, MICROSECOND, EAGAIN, EDOM,
     NO_ZERO | SOCKET},
    {"recvmmsg", by_recvmmsg, RELATIVE, MONO, MICROSECOND, 0, EDOM, SOCKET},
    {"recvmmsg, late", by_late_recvmmsg, RELATIVE, MONO, MICROSECOND, 0, 0, NO_ZERO | SOCKET},
    {"pthread_cond_timedwait", by_cond, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"pthread_cond_timedwait mono", by_mono_cond, ABSOLUTE, MONO, 1, OUT, EINVAL, 0},
    {"pthread_mutex_timedlock", by_mutex, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"pthread_rwlock_timedrdlock", by_rdlock, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"pthread_rwlock_timedwrlock", by_wrlock, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"sem_timedwait", by_sem, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"pthread_timedjoin_np", by_join, ABSOLUTE, REAL, 1, OUT, 0, 0},
    {"cnd_timedwait", by_cnd, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"mtx_timedlock", by_mtx, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
#ifdef __GLIBC__
    {"epoll_pwait2", by_epoll_pwait2, RELATIVE, MONO, 1, 0, EINVAL, 0},
    {"pthread_cond_clockwait real", by_cond_clock, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"pthread_cond_clockwait mono", by_cond_clock, ABSOLUTE, MONO, 1, OUT, EINVAL, 0},
    {"pthread_mutex_clocklock real", by_mutex_clock, ABSOLUTE, REAL, 1, OUT, EINVAL, 0},
    {"pthread_mutex_clocklock mono", by_mutex_clock, ABSOLUTE, MONO, 1, OUT, EINVAL, 0},
    {"pthread_rwlock_clockrdlock", by_rdlock_clock, ABSOLUTE, MONO, 1, OUT, EINVAL, 0},
    {"pthread_rwlock_clockwrlock", by_wrlock_clock, ABSOLUTE, MONO, 1, OUT, EINVAL, 0},
    {"sem_clockwait", by_sem_clock, ABSOLUTE, MONO, 1, OUT, EINVAL, 0},
    {"pthread_clockjoin_np", by_join_clock, ABSOLUTE, MONO, 1, OUT, 0, 0},
#endif
};

static bool is_wall(clockid_t id)
{
    return id == REAL || id == CLOCK_TAI;
}

/* How far one read moves a clock: in the exact world always the same, else unused. */
static int64_t step_of(clockid_t id)
{
    int64_t first = now(id);
    return now(id) - first;
}

static void report(const struct row *row, const char *size, const char *what, int64_t is,
                   int64_t should)
{
    failures++;
    printf("%s, %s: %s %lld, not %lld\n", row->name, size, what, (long long)is, (long long)should);
}

/* moves: the ns that time moves; of a past deadline in the exact world 1. */
static void check(const struct row *row, const char *size, struct timespec ts, int64_t ahead,
                  int ends, int64_t moves)
{
    clockid_t other = is_wall(row->clock) ? MONO : REAL;
    int64_t step = exact ? step_of(row->clock) : 0;
    int64_t other_step = exact ? step_of(other) : 0;
    int64_t other_before = now(other);
    int64_t before = now(row->clock);
    if (row->kind == ABSOLUTE && ends != row->bad)
        ts = time_of(before + ahead);
    int is = row->wait(row->clock, &ts);
    int64_t moved = now(row->clock) - before;
    int64_t other_moved = now(other) - other_before;
    checks++;
    if (is != ends)
        report(row, size, "returned", is, ends);
    else if (exact ? moved != moves + step : moved < moves)
        report(row, size, "its clock moved by", moved - step, moves);
    else if (exact && other_moved != moves + other_step)
        report(row, size, "the other clock moved by", other_moved - other_step, moves);
}

static void check_size(const struct row *row, const char *size, int64_t ns)
{
    if (ns < row->unit || (ns / MILLISECOND > INT32_MAX && row->unit == MILLISECOND))
        return;
    check(row, size, time_of(ns), ns, row->ends, ns);
}

static void check_row(const struct row *row, bool large)
{
    int64_t passed = exact && row->kind == ABSOLUTE ? 1 : 0;
    if (!(row->flags & NO_ZERO))
        check(row, "zero", time_of(0), 0, row->ends, passed);
    check_size(row, "small", SMALL);
    if (large)
        check_size(row, "large", LARGE);
    if (row->kind == ABSOLUTE)
        check(row, "past", time_of(0), -SECOND, row->ends, passed);
    if (row->bad)
        check(row, "bad", (struct timespec){.tv_nsec = SECOND}, 0, row->bad, 0);
}

/* Kernels may be without these: natively too. */
static bool is_missing(const struct row *row)
{
    struct timespec none = {0};
    errno = 0;
    if (row->wait == by_io_getevents)
        return syscall(SYS_io_setup, 1, &has.aio) < 0;
    return (row->wait == by_futex2 || row->wait == by_waitv) &&
           row->wait(row->clock, &none) == ENOSYS;
}

static bool has_argument(int count, char **arguments, const char *name)
{
    for (int i = 2; i < count; i++)
        if (strcmp(arguments[i], name) == 0)
            return true;
    return false;
}

int main(int count, char **arguments)
{
    bool large = has_argument(count, arguments, "large");
    bool silent = has_argument(count, arguments, "silent");
    size_t checked = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (count < 2)
        return 2;
    exact = strcmp(arguments[1], "exact") == 0;
    set_up();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (silent && (rows[i].flags & SOCKET))
            continue;
        checked++;
        if (is_missing(&rows[i]))
            printf("missing: %s\n", rows[i].name);
        else
            check_row(&rows[i], large);
    }
    semctl(has.set, 0, IPC_RMID);
    if (exact)
        printf("clocks %lld %lld\n", (long long)now(REAL), (long long)now(MONO));
    printf("rows %zu checks %d failures %d\n", checked, checks, failures);
    fflush(stdout);
    _exit(failures != 0);
}
