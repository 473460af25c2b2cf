/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <sys/random.h>

#include "calls.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "task.h"
#include "tracing.h"

#define GRND_KNOWN  (GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE)
#define ENTROPY_MAX 256
#define KERNEL_MAX  0x7ffff000 /* MAX_RW_COUNT of the kernel */

static struct detrun_task *answering(void)
{
    struct detrun_task *t = task_self();
    return t && !task_leaves_real(DETRUN_RANDOM) ? t : NULL;
}

static void fill(struct detrun_task *t, void *buf, size_t len)
{
    stream_fill(shim.memory, t, DETRUN_STREAM_RANDOM, &task_cache, buf, len);
    tracing_bytes(t, DETRUN_STREAM_RANDOM, DETRUN_DOOR_SYMBOL, buf, len);
}

static long real_random(void *buf, size_t len, unsigned flags)
{
    long result = raw3(SYS_getrandom, (long)buf, (long)len, flags);
    if (result > 0 && task_current)
        tracing_bytes(task_current, DETRUN_STREAM_RANDOM, TRACING_REAL, buf, (size_t)result);
    return result;
}

long call_getrandom(void *buf, size_t len, unsigned flags)
{
    struct detrun_task *t = answering();
    if (!t)
        return real_random(buf, len, flags);
    if ((flags & ~(unsigned)GRND_KNOWN) ||
        (flags & (GRND_INSECURE | GRND_RANDOM)) == (GRND_INSECURE | GRND_RANDOM))
        return -EINVAL;
    if (len > KERNEL_MAX)
        len = KERNEL_MAX;
    size_t room = reach_writable(buf, len);
    if (room == 0 && len != 0)
        return -EFAULT;
    fill(t, buf, room);
    return (long)room;
}

long libc_getentropy(void *buf, size_t len)
{
    if (len > ENTROPY_MAX)
        return -EIO;
    long result = call_getrandom(buf, len, 0);
    return result < 0 ? result : 0;
}

static uint32_t next_word(void)
{
    uint32_t word = 0;
    call_getrandom(&word, sizeof(word), 0);
    return word;
}

long libc_arc4random(void)
{
    return next_word();
}

/* Lemire's method: multiply, and reject what would favour the low residues. */
long libc_arc4random_uniform(uint32_t bound)
{
    if (bound < 2)
        return 0;
    uint64_t product = (uint64_t)next_word() * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = -bound % bound;
        while ((uint32_t)product < threshold)
            product = (uint64_t)next_word() * bound;
    }
    return (long)(product >> 32);
}

void libc_arc4random_buf(void *buf, size_t len)
{
    uint8_t *bytes = buf;
    while (len > 0) {
        long n = call_getrandom(bytes, len, 0);
        if (n <= 0)
            return;
        bytes += n;
        len -= (size_t)n;
    }
}

/* std::random_device takes RDRAND where the CPU has it. */
long libc__ZNSt13random_device9_M_getvalEv(void *device)
{
    (void)device;
    return next_word();
}

long libc__ZNSt13random_device16_M_getval_pretr1Ev(void *device)
{
    (void)device;
    return next_word();
}
