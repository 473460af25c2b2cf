/* SPDX-License-Identifier: MIT */
/*
 * detrun seed: the seeds of tests (contract, section 2), as a job of that seed gives them.
 */
#include "seed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "message.h"
#include "surroundings.h"
#include "tools.h"
#include "values.h"
#include "words.h"

static const char usage[] =
    "usage: detrun seed [--job-seed N] [--seed-encoding HOW] [--format text|json] TEST_NAME...\n\n"
    "Prints the seed of each test, one 0x line a name, in the order given: the first 8 bytes of\n"
    "SHA-256(job seed + \":\" + test name).\n\n"
    "  --job-seed N, --seed N   decimal or 0x hex; default: the job's, E2E_SEED\n"
    "  --seed-encoding HOW      be8 (default), dec, hex, or text: the seed is any text\n"
    "  --format json            one object: job seed, encoding, tests";

static bool read_encoding(const char *text, enum seed_encoding *encoding)
{
    for (int i = 0; i < SEED_ENCODINGS; i++)
        if (strcmp(text, seed_encoding_names[i]) == 0) {
            *encoding = (enum seed_encoding)i;
            return true;
        }
    message_say("--seed-encoding: \"%s\" is not one; give be8, dec, hex or text", text);
    return false;
}

static bool read_seed(const char *text, struct job_seed *seed)
{
    if (seed->encoding == SEED_TEXT) {
        seed->text = text;
        seed->number = seed_number_of_text(text);
        return true;
    }
    if (value_u64(text, &seed->number))
        return true;
    message_say("--job-seed: \"%s\" is not a seed; give a whole number from 0 to "
                "18446744073709551615, decimal or 0x hex",
                text);
    return false;
}

/* The job's, or the environment's as it says itself. */
static bool take_seed_around(struct surroundings *s)
{
    if (surroundings_read(s) != 0)
        message_say("%s has a bad value: \"%s\"", s->bad, getenv(s->bad));
    else if (!s->has_seed)
        message_say("no seed: give one with --job-seed, or in " DETRUN_ENV_SEED);
    return !s->bad && s->has_seed;
}

/* @return false: said why not */
static bool choose_seed(struct surroundings *s, const char *text, const char *encoding)
{
    enum seed_encoding given = SEED_BE8;
    if (encoding && !read_encoding(encoding, &given))
        return false;
    if (encoding && !text)
        text = getenv(DETRUN_ENV_SEED);
    if (!text)
        return take_seed_around(s);
    s->seed = (struct job_seed){.encoding = given};
    return read_seed(text, &s->seed);
}

static void print_json(const struct job_seed *seed, char **names)
{
    printf("{\"job_seed\":%" PRIu64 ",\"job_seed_hex\":\"0x%" PRIx64 "\",\"seed_encoding\":\"%s\""
           ",\"algorithm\":\"sha256\",\"tests\":[",
           seed->number, seed->number, seed_encoding_names[seed->encoding]);
    for (char **name = names; *name; name++) {
        uint64_t test_seed = seed_for_test(seed, *name);
        fputs(name == names ? "{\"test_name\":" : ",{\"test_name\":", stdout);
        json_put_text(stdout, *name);
        printf(",\"test_seed\":%" PRIu64 ",\"test_seed_hex\":\"0x%" PRIx64 "\"}", test_seed,
               test_seed);
    }
    puts("]}");
}

int tool_seed(char **words)
{
    const char *text = NULL;
    const char *encoding = NULL;
    const char *format = NULL;
    const struct word_option options[] = {{"job-seed", &text, NULL},
                                          {"seed", &text, NULL},
                                          {"seed-encoding", &encoding, NULL},
                                          {"format", &format, NULL},
                                          {NULL, NULL, NULL}};
    struct words w = {usage, options, false};
    struct surroundings s;
    bool json;
    int n = words_take(&w, words);
    if (n < 0)
        return w.helped ? 0 : COMMAND_USAGE;
    if (n == 0)
        return words_usage(&w);
    if (!words_format(format, &json) || !choose_seed(&s, text, encoding))
        return COMMAND_USAGE;
    if (json)
        print_json(&s.seed, words);
    for (char **name = words; *name && !json; name++)
        printf("0x%" PRIx64 "\n", seed_for_test(&s.seed, *name));
    return 0;
}
