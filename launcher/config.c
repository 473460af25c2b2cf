/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <sodium/crypto_hash_sha256.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "redact.h"
#include "values.h"

#define TEXT_MAX 2048

static void put_duration(char *text, uint64_t ns)
{
    static const struct {
        uint64_t ns;
        const char *unit;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    size_t i = 0;
    while (ns % units[i].ns != 0)
        i++;
    snprintf(text, TEXT_MAX, "%" PRIu64 "%s", ns / units[i].ns, units[i].unit);
}

static void put_number(char *text, uint64_t number)
{
    snprintf(text, TEXT_MAX, "%" PRIu64, number);
}

/* What is not given has no text. */
static void put_number_given(char *text, uint64_t number)
{
    *text = '\0';
    if (number)
        put_number(text, number);
}

static void put_boolean(char *text, bool on)
{
    strcpy(text, on ? "1" : "0");
}

static void put_clock_scope(char *text, const struct options *o)
{
    strcpy(text, o->job_clock ? "job" : "task");
}

static void put_cpus(char *text, const struct options *o)
{
    put_number_given(text, o->cpus);
}

static void put_epoch(char *text, const struct options *o)
{
    snprintf(text, TEXT_MAX, "%" PRId64, o->epoch_ns / 1000000000);
}

static void put_iteration(char *text, const struct options *o)
{
    put_number_given(text, o->iteration);
}

static void put_lineage(char *text, const struct options *o)
{
    snprintf(text, TEXT_MAX, "%s", o->lineage ? o->lineage : "");
}

static void put_max_examples(char *text, const struct options *o)
{
    put_number_given(text, o->max_examples);
}

static void put_mono_step(char *text, const struct options *o)
{
    put_duration(text, o->mono_step_ns);
}

static void put_network(char *text, const struct options *o)
{
    strcpy(text, o->network == NETWORK_HOST ? "" : network_names[o->network]);
}

static void put_no_follow(char *text, const struct options *o)
{
    snprintf(text, TEXT_MAX, "%s", o->no_follow);
}

static void put_no_supervisor(char *text, const struct options *o)
{
    put_boolean(text, o->no_supervisor);
}

static void put_profile(char *text, const struct options *o)
{
    strcpy(text, profile_names[o->profile]);
}

static void put_real(char *text, const struct options *o)
{
    value_put_real(o->real, text, TEXT_MAX);
}

static void put_run_number(char *text, const struct options *o)
{
    put_number_given(text, o->run_number);
}

static void put_seed(char *text, const struct options *o)
{
    if (o->seed.encoding == SEED_TEXT)
        snprintf(text, TEXT_MAX, "%s", o->seed.text);
    else
        put_number(text, o->seed.number);
}

static void put_encoding(char *text, const struct options *o)
{
    strcpy(text, seed_encoding_names[o->seed.encoding]);
}

static void put_skip_status(char *text, const struct options *o)
{
    put_number(text, o->skip_status);
}

static void put_step(char *text, const struct options *o)
{
    put_duration(text, o->step_ns);
}

static void put_strict(char *text, const struct options *o)
{
    put_boolean(text, o->strict);
}

static void put_subst(char *text, const struct options *o)
{
    put_boolean(text, o->subst);
}

static void put_test_name(char *text, const struct options *o)
{
    snprintf(text, TEXT_MAX, "%s", o->test_name);
}

static void put_timeout(char *text, const struct options *o)
{
    put_duration(text, o->timeout_ns);
}

static void put_trap_getdents(char *text, const struct options *o)
{
    strcpy(text, o->trap_getdents ? "1" : "");
}

static void put_trap_open(char *text, const struct options *o)
{
    put_boolean(text, o->trap_open);
}

static void put_wait(char *text, const struct options *o)
{
    strcpy(text, o->wait_real ? "real" : "warp");
}

/* Sorted as lines, "seed-encoding=" before "seed=". What one does not print is what it is without
 * the option. */
static const struct row {
    const char *name;
    void (*put)(char *text, const struct options *o); /**< NULL: a line for each of words */
    bool optional;                                    /**< no text, no line */
    size_t words;                                     /**< where they are in struct options */
} rows[] = {
    {"clock-scope", put_clock_scope, false, 0},
    {"cpus", put_cpus, true, 0},
    {"epoch", put_epoch, false, 0},
    {"export", NULL, true, offsetof(struct options, exports)},
    {"iteration", put_iteration, true, 0},
    {"lineage", put_lineage, true, 0},
    {"max-examples", put_max_examples, true, 0},
    {"mono-step", put_mono_step, false, 0},
    {"network", put_network, true, 0},
    {"no-follow", put_no_follow, true, 0},
    {"no-supervisor", put_no_supervisor, false, 0},
    {"profile", put_profile, true, 0},
    {"real", put_real, true, 0},
    {"run-number", put_run_number, true, 0},
    {"seed-encoding", put_encoding, false, 0},
    {"seed", put_seed, false, 0},
    {"set", NULL, true, offsetof(struct options, set)},
    {"skip-status", put_skip_status, false, 0},
    {"step", put_step, false, 0},
    {"strict", put_strict, false, 0},
    {"subst", put_subst, false, 0},
    {"test-name", put_test_name, false, 0},
    {"timeout", put_timeout, false, 0},
    {"trap-getdents", put_trap_getdents, true, 0},
    {"trap-open", put_trap_open, false, 0},
    {"unset", NULL, true, offsetof(struct options, unset)},
    {"wait", put_wait, false, 0},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* A later one counts more, and so they stay in their order. */
static void each_word(const struct row *row, const struct options *o, config_visit *visit,
                      void *argument)
{
    const struct options_words *words = (const void *)((const char *)o + row->words);
    for (unsigned i = 0; i < words->count; i++)
        visit(row->name, words->texts[i], argument);
}

void config_each(const struct options *o, config_visit *visit, void *argument)
{
    char text[TEXT_MAX];
    for (size_t i = 0; i < ROWS; i++) {
        if (!rows[i].put) {
            each_word(&rows[i], o, visit, argument);
            continue;
        }
        rows[i].put(text, o);
        if (*text || !rows[i].optional)
            visit(rows[i].name, text, argument);
    }
}

/* A step that was given says how the monotonic clock steps too, unless that was given after it. */
static bool is_given(const struct row *row, const struct options *o, const char *text)
{
    char without[TEXT_MAX];
    struct options defaults;
    options_set_defaults(&defaults);
    defaults.seed = (struct job_seed){.number = ~o->seed.number};
    defaults.test_name = options_default_test_name(o->command[0]);
    bool steps = o->step_ns != defaults.step_ns || o->mono_step_ns != defaults.mono_step_ns;
    if (row->put == put_step || row->put == put_mono_step)
        return steps;
    if (row->put == put_seed)
        return true;
    if (row->put == put_run_number)
        return o->run_number != 0 && (o->subst || o->exports.count != 0);
    row->put(without, &defaults);
    return strcmp(without, text) != 0;
}

void config_each_given(const struct options *o, config_visit *visit, void *argument)
{
    char text[TEXT_MAX];
    for (size_t i = 0; i < ROWS; i++) {
        if (!rows[i].put)
            continue;
        rows[i].put(text, o);
        if (is_given(&rows[i], o, text))
            visit(rows[i].name, text, argument);
    }
}

static void print_line(const char *name, const char *text, void *out)
{
    fprintf(out, "%s=%s\n", name, text);
}

void config_print(FILE *out, const struct options *o)
{
    config_each(o, print_line, out);
}

void config_sha256(const struct options *o, char text[CONFIG_SHA256_TEXT])
{
    uint8_t digest[crypto_hash_sha256_BYTES];
    AUTO_FREE char *lines = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&lines, &size);
    if (out)
        config_print(out, o);
    if (!out || fclose(out) != 0)
        size = 0;
    crypto_hash_sha256(digest, (const uint8_t *)lines, size);
    for (size_t i = 0; i < sizeof(digest); i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

struct printer {
    FILE *out;
    const char *redact;
};

static void print_word(const struct printer *p, const char *word)
{
    AUTO_FREE char *left = redact_text(p->redact ? p->redact : "", word);
    options_print_quoted(p->out, left ? left : REDACTED);
}

static void print_option(const char *name, const char *text, void *argument)
{
    const struct printer *p = argument;
    fprintf(p->out, " --%s=", name);
    print_word(p, text);
}

static void print_words(struct printer *p, const char *name, const struct options_words *words)
{
    for (unsigned i = 0; i < words->count; i++)
        print_option(name, words->texts[i], p);
}

void config_print_repeat_options(FILE *out, const struct options *o, const char *argv0)
{
    struct printer p = {out, o->redact};
    options_print_quoted(out, argv0);
    fputs(" run", out);
    config_each_given(o, print_option, &p);
    print_words(&p, "unset", &o->unset);
    print_words(&p, "set", &o->set);
    print_words(&p, "export", &o->exports);
}

void config_print_repeat_command(FILE *out, const struct options *o)
{
    struct printer p = {out, o->redact};
    fputs(" --", out);
    for (char **word = o->command; *word; word++) {
        fputc(' ', out);
        print_word(&p, *word);
    }
}

void config_print_repeat(FILE *out, const struct options *o, const char *argv0)
{
    config_print_repeat_options(out, o, argv0);
    config_print_repeat_command(out, o);
}
