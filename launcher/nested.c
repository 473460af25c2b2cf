/* SPDX-License-Identifier: MIT */
#include "nested.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "values.h"

bool nested_in_a_job(void)
{
    return syscall(DETRUN_CALL, DETRUN_OP_QUERY, 0, 0, 0, 0, 0) > 0;
}

static bool equals(const char *name, uint64_t value)
{
    const char *text = getenv(name);
    uint64_t outer;
    return text && value_u64(text, &outer) && outer == value;
}

const char *nested_conflict(const struct options *o)
{
    if (o->seed_on_cli && !equals(DETRUN_ENV_SEED, o->seed.number))
        return "this runs inside another detrun: --seed cannot differ from its seed";
    if (o->step_on_cli && !equals(DETRUN_ENV_STEP, o->step_ns / 1000000))
        return "this runs inside another detrun: --step cannot differ from its step";
    if (o->clock_on_cli)
        return "this runs inside another detrun: its clock, names and sources cannot be changed";
    return NULL;
}
