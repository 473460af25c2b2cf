/* SPDX-License-Identifier: MIT */
#include "operations.h"

#include <errno.h>
#include <sys/prctl.h>

#include "seed.h"

static int ask(enum detrun_operation operation, uintptr_t a, uintptr_t b, uintptr_t c)
{
    int saved = errno;
    int result = prctl(DETRUN_OPTION, (unsigned long)operation, a, b, c);
    result = result < 0 ? -errno : result;
    errno = saved;
    return result;
}

int operation_info(struct detrun_info *info)
{
    *info = (struct detrun_info){0};
    int result = ask(DETRUN_OP_INFO, (uintptr_t)info, sizeof(*info), 0);
    return result < 0 ? result : 0;
}

int operation_begin(uint64_t seed)
{
    struct detrun_begin begin;
    seed_key(seed, begin.key);
    int result = ask(DETRUN_OP_BEGIN, (uintptr_t)&begin, 0, 0);
    return result == -EINVAL ? 0 : result;
}

int operation_count_of_job(enum detrun_counter counter, uint64_t more, uint64_t *sum)
{
    return ask(DETRUN_OP_COUNT, (uintptr_t)counter, (uintptr_t)more, (uintptr_t)sum);
}

uint64_t operation_count(enum detrun_counter counter, uint64_t more)
{
    static _Atomic uint64_t counts[DETRUN_COUNTERS];
    uint64_t sum = 0;
    if (operation_count_of_job(counter, more, &sum) == 0)
        return sum;
    return atomic_fetch_add(&counts[counter], more) + more;
}

bool operation_has_record(void)
{
    static _Atomic int known; /* 1: no, 2: yes */
    int answer = atomic_load(&known);
    if (answer == 0) {
        struct detrun_info info;
        bool has = operation_info(&info) == 0 && (info.flags & DETRUN_INFO_RECORDS);
        answer = has ? 2 : 1;
        atomic_store(&known, answer);
    }
    return answer == 2;
}

int operation_record_failure(struct buffer *text, uint64_t iteration)
{
    int result = -ENOMEM;
    if (!text->failed)
        result = ask(DETRUN_OP_RECORD, (uintptr_t)text->text, text->length, (uintptr_t)iteration);
    buffer_release(text);
    return result == -ENOTCONN ? 0 : result;
}

int operation_record(struct buffer *text)
{
    return operation_record_failure(text, 0);
}
