/* SPDX-License-Identifier: MIT */
/*
 * futex_waitv(2) and futex_wait(2): absolute times of a clock that the caller names.
 */
#include <errno.h>
#include <linux/futex.h>

#include "calls.h"
#include "clock_id.h"
#include "detrun/calls_numbers.h"
#include "futex.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "task.h"
#include "timed.h"
#include "waits.h"

/* @return the record of who waits; NULL: the kernel judges the call, or its clock is left real */
static struct detrun_task *waiting(const struct timespec *deadline, clockid_t id)
{
    struct detrun_task *t = task_self();
    if (!t || !deadline)
        return t;
    bool ours = (id == CLOCK_REALTIME || id == CLOCK_MONOTONIC) && timed_is_valid(deadline) &&
                !task_leaves_real(clock_source((enum detrun_family)clock_family(id)));
    return ours ? t : NULL;
}

static long raw_waitv(struct futex_waitv *words, unsigned n, unsigned flags,
                      const struct timespec *deadline, clockid_t id)
{
    return raw6(SYS_futex_waitv, (long)words, n, flags, (long)deadline, id, (long)DETRUN_PASS);
}

long call_futex_waitv(struct futex_waitv *words, unsigned n, unsigned flags,
                      const struct timespec *deadline, clockid_t id)
{
    struct detrun_task *t = waiting(deadline, id);
    if (!t)
        return raw_waitv(words, n, flags, deadline, id);
    long result;
    if (deadline) {
        struct timed_until until =
            timed_begin_until(t, (enum detrun_family)clock_family(id), deadline);
        result = timed_end_until(t, &until, raw_waitv(words, n, flags, &until.real, id), NULL, 0);
    } else {
        waits_pause(t, DETRUN_ON_OTHERS);
        result = raw_waitv(words, n, flags, NULL, id);
        waits_resume(t);
    }
    if (result >= 0 && result < (long)n && reach_readable(words, n * sizeof(*words)))
        futex_take_over(t, (const uint32_t *)(uintptr_t)words[result].uaddr,
                        (int)words[result].flags);
    return result;
}

/* All six registers are in use. The kernel takes a clock for an int, so the mark of our own calls
 * stands in the upper half. */
static long raw_wait(void *word, unsigned long value, unsigned long mask, unsigned flags,
                     const struct timespec *deadline, clockid_t id)
{
    return raw6(SYS_futex_wait, (long)word, (long)value, (long)mask, flags, (long)deadline,
                (long)(DETRUN_PASS & ~UINT64_C(0xffffffff)) | (uint32_t)id);
}

long call_futex_wait(void *word, unsigned long value, unsigned long mask, unsigned flags,
                     const struct timespec *deadline, clockid_t id)
{
    struct detrun_task *t = waiting(deadline, id);
    if (!t)
        return raw_wait(word, value, mask, flags, deadline, id);
    long result;
    if (deadline) {
        struct timed_until until =
            timed_begin_until(t, (enum detrun_family)clock_family(id), deadline);
        result = raw_wait(word, value, mask, flags, &until.real, id);
        result = timed_end_until(t, &until, result, word, (uint32_t)value);
    } else {
        waits_pause(t, DETRUN_ON_OTHERS);
        result = raw_wait(word, value, mask, flags, NULL, id);
        waits_resume(t);
    }
    if (result == 0)
        futex_take_over(t, word, (int)flags);
    return result;
}
