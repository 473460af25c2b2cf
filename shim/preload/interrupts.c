/* SPDX-License-Identifier: MIT */
#include "interrupts.h"

#include <errno.h>

#include "clock.h"
#include "poison.h"
#include "task.h"

#define FIRST_NS  UINT64_C(1000000)
#define DOUBLINGS 10

static __thread uint32_t in_a_row;

void interrupts_count(struct detrun_task *t, long result, uint64_t timeout_ns)
{
    if (result != -EINTR) {
        in_a_row = 0;
        return;
    }
    uint32_t beyond = in_a_row - INTERRUPTS_FREE;
    if (in_a_row < INTERRUPTS_FREE + DOUBLINGS)
        in_a_row++;
    if (beyond > DOUBLINGS || timeout_ns == 0)
        return;
    if (beyond == 0)
        lineage_count_gap(shim.memory, DETRUN_GAP_SPIN_GUARD);
    uint64_t step = FIRST_NS << beyond;
    clock_sleep(shim.memory, t, step < timeout_ns ? step : timeout_ns);
}
