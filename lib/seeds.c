/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "detrun.h"
#include "operations.h"
#include "seed.h"
#include "values.h"

const char *detrun_version(void)
{
    return DETRUN_VERSION;
}

int detrun_in_job(void)
{
    struct detrun_info info;
    return operation_info(&info) == 0;
}

int detrun_test_seed(const char *job_seed, int encoding, const char *test_name, uint64_t *test_seed)
{
    if (!job_seed || !test_name || !test_seed || encoding < 0 || encoding >= SEED_ENCODINGS)
        return -EINVAL;
    struct job_seed seed = {(enum seed_encoding)encoding, 0, job_seed};
    if (encoding != DETRUN_SEED_TEXT && !value_u64(job_seed, &seed.number))
        return -EINVAL;
    *test_seed = seed_for_test(&seed, test_name);
    return 0;
}
