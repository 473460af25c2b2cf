/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record.h"
#include "record_reader.h"
#include "repeat.h"

/* What the run and its program recorded of what happened; how it began and what answered it is the
 * same each time. */
static bool is_kept(const json_t *record)
{
    static const char *const dropped[] = {"start", "env", "coverage", "end"};
    for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++)
        if (record_is(record, dropped[i]))
            return false;
    return true;
}

static void copy_records(const struct job *job, const struct iteration *i)
{
    struct record_reader r;
    char error[512];
    char path[32];
    json_t *record;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", i->records);
    if (record_reader_open(&r, path, error, sizeof(error)) != 0)
        return;
    while (record_reader_next(&r, &record, error, sizeof(error)) > 0) {
        if (is_kept(record))
            record_copy(job->memory, job->memory->params.record_fd, r.text);
        json_decref(record);
    }
    record_reader_close(&r);
}

void repeat_record_iteration(struct job *job, struct iteration *i, const struct repeat *r)
{
    struct record record;
    const struct options *o = &r->options;
    struct job_seed seed = o->seed;
    if (job->memory->params.record_fd == 0)
        return;
    if (r->vary_seed)
        seed = (struct job_seed){.number = i->seed};
    uint64_t test_seed = seed_for_test(&seed, o->test_name);
    copy_records(job, i);
    if (run_record_begin(job, &record, "iteration") != 0)
        return;
    fprintf(record.out, ",\"iteration\":%" PRIu64, i->number);
    record_put_text(record.out, "test_name", o->test_name);
    fputs(",\"values\":{}", record.out);
    record_put_u64(record.out, "job_seed", seed.number);
    record_put_u64(record.out, "test_seed", test_seed);
    fprintf(record.out, ",\"result\":\"%s\",\"shrinks_attempted\":0",
            run_outcome_names[i->outcome]);
    if (i->signal)
        fprintf(record.out, ",\"exit\":null,\"signal\":%d", i->signal);
    else
        fprintf(record.out, ",\"exit\":%d,\"signal\":null", i->status);
    record_put_text(record.out, "stdout_xxh3", *i->out_digest ? i->out_digest : NULL);
    record_put_text(record.out, "stderr_xxh3", *i->err_digest ? i->err_digest : NULL);
    record_put_text(record.out, "input_digest", *i->inputs ? i->inputs : NULL);
    fprintf(record.out, ",\"volatile\":{\"duration_ns\":%" PRIu64 "}", i->duration_ns);
    run_record_finish(job, &record);
}

void repeat_record_verdict(struct job *job, const struct tally *t, const struct repeat *r)
{
    struct record record;
    char text[512];
    const char *verdict = tally_verdict(t, r, text, sizeof(text));
    if (run_record_begin(job, &record, "verdict") != 0)
        return;
    record_put_text(record.out, "verdict", verdict);
    record_put_text(record.out, "level", "bytes");
    record_put_text(record.out, "text", text);
    fprintf(record.out,
            ",\"vary_seed\":%s,\"runs\":%" PRIu64 ",\"passed\":%" PRIu64 ",\"failed\":%" PRIu64
            ",\"errored\":%" PRIu64 ",\"skipped\":%" PRIu64,
            r->vary_seed ? "true" : "false", t->runs, t->outcomes[RUN_PASSED],
            t->outcomes[RUN_FAILED], t->outcomes[RUN_ERRORED], t->outcomes[RUN_SKIPPED]);
    run_record_finish(job, &record);
}
