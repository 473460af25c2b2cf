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

static long wait_on_any(struct detrun_task *t, struct futex_waitv *words, unsigned n,
                        unsigned flags, const struct timespec *deadline, clockid_t id)
{
    if (!deadline) {
        waits_pause(t, DETRUN_ON_OTHERS);
        return raw_waitv(words, n, flags, NULL, id);
    }
    struct timed_until until =
        timed_begin_until(t, DETRUN_ON_OTHERS, (enum detrun_family)clock_family(id), deadline);
    struct timespec real = timed_real(until.family, until.real_ns);
    return timed_end_until(t, &until, raw_waitv(words, n, flags, &real, id), NULL, 0);
}

long call_futex_waitv(struct futex_waitv *words, unsigned n, unsigned flags,
                      const struct timespec *deadline, clockid_t id)
{
    struct detrun_task *t = waiting(deadline, id);
    if (!t)
        return raw_waitv(words, n, flags, deadline, id);
    long result = wait_on_any(t, words, n, flags, deadline, id);
    if (result == -ETIMEDOUT)
        return result;
    bool woken = result >= 0 && result < (long)n && reach_readable(words, n * sizeof(*words));
    const struct futex_waitv *by = woken ? &words[result] : NULL;
    futex_resume(t, by ? (const uint32_t *)(uintptr_t)by->uaddr : NULL, by ? (int)by->flags : 0);
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

static long wait_on_one(struct detrun_task *t, void *word, unsigned long value, unsigned long mask,
                        unsigned flags, const struct timespec *deadline, clockid_t id)
{
    if (!deadline) {
        waits_pause(t, DETRUN_ON_OTHERS);
        return raw_wait(word, value, mask, flags, NULL, id);
    }
    struct timed_until until =
        timed_begin_until(t, DETRUN_ON_OTHERS, (enum detrun_family)clock_family(id), deadline);
    struct timespec real = timed_real(until.family, until.real_ns);
    long result = raw_wait(word, value, mask, flags, &real, id);
    return timed_end_until(t, &until, result, word, (uint32_t)value);
}

long call_futex_wait(void *word, unsigned long value, unsigned long mask, unsigned flags,
                     const struct timespec *deadline, clockid_t id)
{
    struct detrun_task *t = waiting(deadline, id);
    if (!t)
        return raw_wait(word, value, mask, flags, deadline, id);
    long result = wait_on_one(t, word, value, mask, flags, deadline, id);
    if (result != -ETIMEDOUT)
        futex_resume(t, result == 0 ? word : NULL, (int)flags);
    return result;
}
