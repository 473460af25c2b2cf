/* SPDX-License-Identifier: MIT */
#include "clock.h"
#include "poison.h"
#include "processor.h"
#include "task.h"

static struct detrun_task *answering(enum detrun_source source)
{
    struct detrun_task *t = task_self();
    return t && !task_leaves_real(source) ? t : NULL;
}

/* Sources beyond DETRUN_TASK_SOURCES have no counters of their task's own. */
static void count(enum detrun_source source)
{
    atomic_fetch_add_explicit(&shim.memory->shared.answered[source][DETRUN_DOOR_SITE], 1,
                              memory_order_relaxed);
}

uint64_t processor_counter(void)
{
    struct detrun_task *t = answering(DETRUN_TSC);
    if (!t)
        return __builtin_ia32_rdtsc();
    count(DETRUN_TSC);
    return (uint64_t)clock_read(shim.memory, t, DETRUN_FAMILY_MONO);
}

__attribute__((target("rdrnd"))) static uint64_t read_processor(void)
{
    unsigned long long value;
    while (!__builtin_ia32_rdrand64_step(&value))
        ;
    return value;
}

void processor_random(unsigned width, uint64_t *value)
{
    struct detrun_task *t = answering(DETRUN_RDRAND);
    uint64_t drawn = 0;
    if (t) {
        count(DETRUN_RDRAND);
        stream_fill(shim.memory, t, DETRUN_STREAM_RANDOM, &task_cache, &drawn, width);
    } else {
        drawn = read_processor();
    }
    if (width == 2)
        *(uint16_t *)value = (uint16_t)drawn;
    else
        *value = width == 4 ? (uint32_t)drawn : drawn;
}
