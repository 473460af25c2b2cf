/* SPDX-License-Identifier: MIT */
#include "reach.h"

#include <errno.h>
#include <linux/futex.h>

#include "poison.h"
#include "raw.h"
#include "task.h"

__thread uintptr_t reach_good_page;

/* Any mapped page serves as mincore's subject: this file's own text. */
static bool probe(uintptr_t address)
{
    uintptr_t subject = (uintptr_t)reach_probe & ~(REACH_PAGE - 1);
    return raw3(SYS_mincore, (long)subject, (long)REACH_PAGE, (long)address) != -EFAULT;
}

size_t reach_probe(void *buf, size_t len)
{
    uintptr_t start = (uintptr_t)buf;
    uintptr_t end = start + len;
    if (len == 0 || shim.sandboxed)
        return len;
    if (end < start)
        return 0;
    for (uintptr_t at = start; at < end; at = (at / REACH_PAGE + 1) * REACH_PAGE) {
        if (!probe(at))
            return at - start;
        reach_good_page = at / REACH_PAGE;
    }
    return len;
}

static __thread uintptr_t readable_page;

/* It reads an aligned word, and then wakes and moves nobody. FUTEX_WAIT with no time to wait sleeps
 * for as long as the kernel's timers are late, and a sleeping thread looks blocked. */
static bool probe_read(uintptr_t address)
{
    uintptr_t word = address & ~UINT64_C(3);
    return raw6(SYS_futex, (long)word, FUTEX_CMP_REQUEUE_PRIVATE, 0, 0, (long)word, 0) != -EFAULT;
}

bool reach_readable(const void *buf, size_t len)
{
    uintptr_t start = (uintptr_t)buf;
    uintptr_t end = start + len;
    if (len == 0)
        return true;
    if (start < REACH_PAGE || end < start)
        return false;
    if (start / REACH_PAGE == readable_page && (end - 1) / REACH_PAGE == readable_page)
        return true;
    if (shim.sandboxed)
        return true;
    for (uintptr_t at = start; at < end; at = (at / REACH_PAGE + 1) * REACH_PAGE) {
        if (!probe_read(at))
            return false;
        readable_page = at / REACH_PAGE;
    }
    return true;
}
