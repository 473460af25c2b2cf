/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What getrusage(2) and wait4(2) tell besides processor time: memory, faults and switches depend on
 * the machine and on the moment. All are 0 but the largest resident set, by which programs divide.
 */
#ifndef DETRUN_CORE_USAGE_H
#define DETRUN_CORE_USAGE_H

#include <stdint.h>
#include <sys/resource.h>

#include "timespec.h"

#define USAGE_MAXRSS_KB 16384

/** Every field that the kernel writes; musl's struct goes on behind them. */
static inline void usage_fill(struct rusage *usage, int64_t cpu_ns)
{
    usage->ru_utime = timeval_of(cpu_ns);
    usage->ru_stime = (struct timeval){0};
    usage->ru_maxrss = USAGE_MAXRSS_KB;
    usage->ru_ixrss = usage->ru_idrss = usage->ru_isrss = 0;
    usage->ru_minflt = usage->ru_majflt = usage->ru_nswap = 0;
    usage->ru_inblock = usage->ru_oublock = 0;
    usage->ru_msgsnd = usage->ru_msgrcv = usage->ru_nsignals = 0;
    usage->ru_nvcsw = usage->ru_nivcsw = 0;
}

#endif
