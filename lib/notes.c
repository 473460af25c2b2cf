/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>

#include "buffer.h"
#include "detrun.h"
#include "digest.h"
#include "operations.h"
#include "test.h"

static int record_stage(const char *name, uint64_t index, const void *data, size_t length)
{
    char digest[DIGEST_TEXT];
    struct buffer b = {0};
    digest_bytes(data, length, digest);
    buffer_put(&b, "stage\n");
    buffer_json_member(&b, "name", name);
    buffer_print(&b, ",\"index\":%" PRIu64 ",\"bytes\":%zu,\"xxh3\":\"%s\"", index, length, digest);
    return operation_record(&b);
}

int detrun_stage(const char *name, const void *data, size_t length)
{
    int error;
    uint64_t index = 0;
    if (!name || (!data && length > 0))
        return -EINVAL;
    AUTO_TEST struct test *t = test_hold_begun(&error);
    if (!error)
        error = test_count_stage(t, name, &index);
    if (error || !operation_has_record())
        return error;
    return record_stage(name, index, data, length);
}

int detrun_event(const char *name, const char *text)
{
    if (!name)
        return -EINVAL;
    operation_count(DETRUN_COUNTER_EVENTS, 1);
    if (!operation_has_record())
        return 0;
    struct buffer b = {0};
    buffer_put(&b, "event\n");
    buffer_json_member(&b, "name", name);
    if (text) {
        buffer_put(&b, ",");
        buffer_json_member(&b, "text", text);
    }
    return operation_record(&b);
}
