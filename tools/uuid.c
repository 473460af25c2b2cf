/* SPDX-License-Identifier: MIT */
/*
 * detrun uuid: the list of UUIDs that a seed has (contract, section 4), or random ones.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "detrun.h"
#include "json.h"
#include "message.h"
#include "tools.h"
#include "values.h"
#include "words.h"

static const char usage[] =
    "usage: detrun uuid [--seed TEXT] [--count N] [--uppercase] [--format text|json]\n\n"
    "Prints UUIDs of version 4 (RFC 9562), one a line. With a seed always the same ones, the "
    "bytes\n"
    "of HMAC-SHA256(seed, \"detrun:uuid:v1:\" + number from 0): for fixtures, never for working\n"
    "identifiers. Without one they are the system's random ones.\n\n"
    "  --seed TEXT     any text\n"
    "  --count N       how many, from the list's beginning; default 1\n"
    "  --uppercase     in upper case\n"
    "  --format json   one object: uuids, algorithm, synthetic";

static void print_one(const char *uuid, bool json, bool first)
{
    if (json)
        printf("%s\"%s\"", first ? "" : ",", uuid);
    else
        puts(uuid);
}

static int print_all(const char *seed, uint64_t count, bool uppercase, bool json)
{
    char uuid[DETRUN_UUID_SIZE];
    for (uint64_t i = 0; i < count && !ferror(stdout); i++) {
        int error = detrun_uuid(seed, i, uuid);
        if (error) {
            message_say("no random bytes: %s", strerror(-error));
            return COMMAND_USAGE;
        }
        for (char *c = uuid; *c && uppercase; c++)
            *c = (char)toupper((unsigned char)*c);
        print_one(uuid, json, i == 0);
    }
    return 0;
}

/* Synthetic: no system made them, and nobody may take them for its own. */
static void print_head(const char *seed, uint64_t count)
{
    fputs("{\"schema_version\":1,\"synthetic\":true,\"algorithm\":", stdout);
    fputs(seed ? "\"hmac_sha256\",\"mapping\":\"detrun:uuid:v1\",\"seed\":" : "\"system_csprng\"",
          stdout);
    if (seed)
        json_put_text(stdout, seed);
    printf(",\"count\":%" PRIu64 ",\"uuids\":[", count);
}

int tool_uuid(char **words)
{
    const char *seed = NULL;
    const char *count_text = "1";
    const char *format = NULL;
    bool uppercase = false;
    bool json;
    uint64_t count;
    const struct word_option options[] = {{"seed", &seed, NULL},
                                          {"count", &count_text, NULL},
                                          {"format", &format, NULL},
                                          {"uppercase", NULL, &uppercase},
                                          {NULL, NULL, NULL}};
    struct words w = {usage, options, false};
    int n = words_take(&w, words);
    if (n < 0)
        return w.helped ? 0 : COMMAND_USAGE;
    if (n > 0)
        return words_usage(&w);
    if (!words_format(format, &json))
        return COMMAND_USAGE;
    if (!value_u64(count_text, &count)) {
        message_say("--count: \"%s\" is not a whole number from 0", count_text);
        return COMMAND_USAGE;
    }
    if (json)
        print_head(seed, count);
    int status = print_all(seed, count, uppercase, json);
    if (json)
        puts("]}");
    return status;
}
