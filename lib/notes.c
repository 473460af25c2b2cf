/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>

#include "buffer.h"
#include "detrun.h"
#include "digest.h"
#include "notes.h"
#include "operations.h"
#include "test.h"

static int record_stage(const char *name, uint64_t index, uint64_t length, const char *digest)
{
    struct buffer b = {0};
    buffer_put(&b, "stage\n");
    buffer_json_member(&b, "name", name);
    buffer_print(&b, ",\"index\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"xxh3\":\"%s\"", index, length,
                 digest);
    return operation_record(&b);
}

int notes_stage(const char *name, uint64_t length, const char *digest)
{
    int error;
    uint64_t index = 0;
    AUTO_TEST struct test *t = test_hold_begun(&error);
    if (!error)
        error = test_count_stage(t, name, &index);
    if (error || !operation_has_record())
        return error;
    return record_stage(name, index, length, digest);
}

int detrun_stage(const char *name, const void *data, size_t length)
{
    char digest[DIGEST_TEXT] = "";
    if (!name || (!data && length > 0))
        return -EINVAL;
    if (operation_has_record())
        digest_bytes(data, length, digest);
    return notes_stage(name, length, digest);
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
