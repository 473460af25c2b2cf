/* SPDX-License-Identifier: MIT */
#include "nested.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "values.h"

bool nested_in_a_job(void)
{
    return syscall(SYS_prctl, DETRUN_OPTION, DETRUN_OP_QUERY, 0, 0, 0, 0) > 0;
}

static bool is_outer_seed(uint64_t seed)
{
    uint64_t outer = 0;
    return syscall(SYS_prctl, DETRUN_OPTION, DETRUN_OP_SEED, &outer, 0, 0, 0) == 0 && outer == seed;
}

static bool is_outer_step(uint64_t step_ns)
{
    const char *text = getenv(DETRUN_ENV_STEP);
    uint64_t outer;
    return text && value_u64(text, &outer) && outer == step_ns / 1000000;
}

const char *nested_conflict(const struct options *o)
{
    bool seed_given = o->seed_source == SEED_FROM_CLI || o->seed_source == SEED_FROM_ENV;
    if (seed_given && !is_outer_seed(o->seed.number))
        return "this runs inside another detrun, whose seed is another one";
    if (o->step_on_cli && !is_outer_step(o->step_ns))
        return "this runs inside another detrun, whose step is another one";
    if (o->clock_on_cli)
        return "this runs inside another detrun: its clock, names and sources cannot be changed";
    return NULL;
}
