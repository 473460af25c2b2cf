/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Setting the wall clock. Inside a job it is refused to root too: what a program writes there comes
 * from the virtual clock, and the kernel would give it to the whole machine.
 */
#ifndef DETRUN_CORE_SET_TIME_H
#define DETRUN_CORE_SET_TIME_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/timex.h>

#include "timespec.h"

/** The kernel's TIME_SETTOD_SEC_MAX: 30 years before its nanoseconds overflow. */
#define SET_TIME_END (INT64_MAX / TIMESPEC_SECOND - INT64_C(30) * 365 * 24 * 3600)

/** @return what a caller without CAP_SYS_TIME gets. Source: do_sys_settimeofday64(). */
static inline long set_time(int64_t seconds, int64_t ns)
{
    bool valid = seconds >= 0 && seconds < SET_TIME_END && ns >= 0 && ns < TIMESPEC_SECOND;
    return valid ? -EPERM : -EINVAL;
}

static inline long set_time_of_day(const struct timeval *tv)
{
    if (tv->tv_usec < 0 || tv->tv_usec > 1000000)
        return -EINVAL;
    return set_time(tv->tv_sec, tv->tv_usec * 1000);
}

/* Bits of ADJ_OFFSET_SINGLESHOT and ADJ_OFFSET_SS_READ. */
#define SET_TIME_SINGLE    0x8000U
#define SET_TIME_READ_ONLY 0x2000U

/**
 * adjtimex(2): a clock that nobody keeps in step, as after a start of the kernel. Changes are
 * refused as above. Source: ntp_validate_timex(), do_adjtimex().
 * @param tx  in and out, written only when the return value is not negative
 * @return    TIME_ERROR or -errno
 */
static inline long set_time_adjust(struct timex *tx, int64_t now_ns)
{
    bool single = (tx->modes & SET_TIME_SINGLE) != 0;
    if (single && !(tx->modes & ADJ_OFFSET))
        return -EINVAL;
    bool reads = tx->modes == 0 || (single && (tx->modes & SET_TIME_READ_ONLY));
    if (!reads || (tx->modes & ADJ_SETOFFSET))
        return -EPERM;
    *tx = (struct timex){
        .modes = tx->modes,
        .maxerror = 16000000,
        .esterror = 16000000,
        .status = STA_UNSYNC,
        .constant = 2,
        .precision = 1,
        .tolerance = 32768000,
        .time = timeval_of(now_ns),
        .tick = 10000,
    };
    return TIME_ERROR;
}

#endif
