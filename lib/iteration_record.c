/* SPDX-License-Identifier: MIT */
#include "iteration_record.h"

#include <inttypes.h>
#include <string.h>

#include "buffer.h"
#include "operations.h"

static const char *const result_names[] = {"PASSED", "FAILED", "ERRORED", "SKIPPED"};

static void put_call(struct buffer *b, const struct host_call *call)
{
    buffer_json_member(b, "host", call->host);
    buffer_put(b, ",");
    buffer_json_member(b, "text", call->text);
    buffer_print(b, ",\"ok\":%s", call->ok ? "true" : "false");
}

/* Outside of an iteration of the program's own the one of detrun repeat. */
int record_call(const struct test *t, const struct host_call *call, uint64_t index)
{
    struct buffer b = {0};
    uint64_t iteration = t->iteration ? t->iteration : t->repeat;
    buffer_put(&b, "call\n\"iteration\":");
    if (iteration)
        buffer_print(&b, "%" PRIu64, iteration);
    else
        buffer_put(&b, "null");
    buffer_print(&b, ",\"index\":%" PRIu64 ",", index);
    put_call(&b, call);
    return operation_record(&b);
}

static void put_values(struct buffer *b, const char *member, const struct test *t)
{
    buffer_print(b, ",\"%s\":{", member);
    for (size_t i = 0; i < t->values_length; i++) {
        buffer_put(b, i ? "," : "");
        buffer_json(b, t->values[i].name);
        buffer_put(b, ":");
        buffer_json(b, t->values[i].text);
    }
    buffer_put(b, "}");
}

int record_iteration(const struct test *t, int result, uint64_t shrinks)
{
    struct buffer b = {0};
    buffer_print(&b, "iteration\n\"iteration\":%" PRIu64 ",", t->iteration);
    buffer_json_member(&b, "test_name", t->name);
    put_values(&b, "values", t);
    buffer_put(&b, ",");
    buffer_json_u64(&b, "test_seed", t->seed);
    buffer_print(&b,
                 ",\"result\":\"%s\",\"shrinks_attempted\":%" PRIu64
                 ",\"exit\":null,\"stdout_xxh3\":null,\"stderr_xxh3\":null,\"input_digest\":null",
                 result_names[result], shrinks);
    return operation_record(&b);
}

static bool is_first_failure_of_host(const struct test *t, size_t at)
{
    if (t->calls[at].ok)
        return false;
    for (size_t i = 0; i < at; i++)
        if (!t->calls[i].ok && strcmp(t->calls[i].host, t->calls[at].host) == 0)
            return false;
    return true;
}

/* The hosts that something failed on, each once. */
static void put_hosts(struct buffer *b, const struct test *t)
{
    const char *comma = "";
    buffer_put(b, ",\"hosts\":[");
    for (size_t i = 0; i < t->calls_length; i++) {
        if (!is_first_failure_of_host(t, i))
            continue;
        buffer_put(b, comma);
        buffer_json(b, t->calls[i].host);
        comma = ",";
    }
    buffer_put(b, "]");
}

static void put_calls(struct buffer *b, const struct test *t)
{
    buffer_put(b, ",\"calls\":[");
    for (size_t i = 0; i < t->calls_length; i++) {
        buffer_put(b, i ? ",{" : "{");
        put_call(b, &t->calls[i]);
        buffer_put(b, "}");
    }
    buffer_put(b, "]");
}

int record_failure(const struct test *t, uint64_t shrinks, const char *reason)
{
    struct buffer b = {0};
    buffer_put(&b, "failure\n");
    buffer_json_member(&b, "reason", reason);
    buffer_put(&b, ",");
    buffer_json_member(&b, "test_name", t->name);
    buffer_print(&b, ",\"iteration\":%" PRIu64, t->iteration);
    put_values(&b, "input", t);
    buffer_put(&b, ",");
    buffer_json_u64(&b, "job_seed", t->job_seed);
    buffer_put(&b, ",");
    buffer_json_u64(&b, "test_seed", t->seed);
    buffer_print(&b, ",\"shrinks_attempted\":%" PRIu64, shrinks);
    put_hosts(&b, t);
    put_calls(&b, t);
    buffer_put(&b, ",\"state\":null");
    return operation_record_failure(&b, t->iteration);
}
