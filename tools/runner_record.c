/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "record.h"
#include "record_reader.h"
#include "runner.h"

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

static const char *or_null(const char *text)
{
    return *text ? text : NULL;
}

static void put_end(FILE *out, const struct iteration *i)
{
    record_put_text(out, "result", run_outcome_names[i->outcome]);
    fputs(",\"shrinks_attempted\":0", out);
    if (i->signal)
        fprintf(out, ",\"exit\":null,\"signal\":%d", i->signal);
    else
        fprintf(out, ",\"exit\":%d,\"signal\":null", i->status);
    record_put_text(out, "stdout_xxh3", or_null(i->out_digest));
    record_put_text(out, "stderr_xxh3", or_null(i->err_digest));
    record_put_text(out, "input_digest", or_null(i->inputs));
}

void runner_record(struct runner *r, const struct iteration *i)
{
    const struct options *o = &r->plan->options;
    struct record record;
    if (r->job.memory->params.record_fd == 0)
        return;
    copy_records(&r->job, i);
    if (run_record_begin(&r->job, &record, "iteration") != 0)
        return;
    fprintf(record.out, ",\"iteration\":%" PRIu64, i->number);
    record_put_text(record.out, "test_name", o->test_name);
    fputs(",\"values\":{}", record.out);
    record_put_u64(record.out, "job_seed", i->seed.number);
    record_put_u64(record.out, "test_seed", seed_for_test(&i->seed, o->test_name));
    put_end(record.out, i);
    fprintf(record.out, ",\"volatile\":{\"duration_ns\":%" PRIu64 "}", i->duration_ns);
    run_record_finish(&r->job, &record);
}
