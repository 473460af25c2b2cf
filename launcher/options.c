/* SPDX-License-Identifier: MIT */
/*
 * One table row per setting. All texts are collected first, the stronger source over the weaker;
 * only what is left is read, so that a bad value which an option overrides does no harm.
 */
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <regex.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "cleanup.h"
#include "cpus.h"
#include "json.h"
#include "message.h"
#include "settings.h"
#include "values.h"

#define DEFAULT_SKIP_STATUS 77 /* as automake has it */

const char *const network_names[] = {"host", "local", "none"};
const char *const seed_source_names[] = {"cli", "env", "default", "fresh"};

static bool set_seed(struct options *o, const struct setting_text *v)
{
    if (o->seed.encoding == SEED_TEXT && strlen(v->text) >= DETRUN_TEXT_SIZE)
        return false;
    if (o->seed.encoding == SEED_TEXT) {
        o->seed.text = v->text;
        o->seed.number = seed_number_of_text(v->text);
    } else if (!value_u64(v->text, &o->seed.number)) {
        return false;
    }
    o->seed_source = v->origin == ORIGIN_ENVIRONMENT ? SEED_FROM_ENV : SEED_FROM_CLI;
    return true;
}

static bool set_encoding(struct options *o, const struct setting_text *v)
{
    for (int i = 0; i < SEED_ENCODINGS; i++)
        if (strcmp(v->text, seed_encoding_names[i]) == 0) {
            o->seed.encoding = (enum seed_encoding)i;
            return true;
        }
    return false;
}

static bool set_test_name(struct options *o, const struct setting_text *v)
{
    o->test_name = v->text;
    return strlen(v->text) < DETRUN_TEXT_SIZE;
}

/* As records name a task: 1.2.3, or ~ and 16 hexadecimal digits for one that is deep down. */
static bool set_lineage(struct options *o, const struct setting_text *v)
{
    const char *at = v->text;
    bool hashed = *at == '~' && strspn(at + 1, "0123456789abcdef") == 16;
    at += hashed ? 17 : *at == '1';
    while (at > v->text && *at == '.' && at[1] >= '1' && at[1] <= '9')
        at += 1 + strspn(at + 1, "0123456789");
    o->lineage = v->text;
    return at > v->text && *at == '\0' && strlen(v->text) < DETRUN_PLACE_SIZE;
}

/* E2E_TIME_STEP_MS is a plain number of milliseconds, the others may have a unit. */
static bool set_step(struct options *o, const struct setting_text *v)
{
    uint64_t ms;
    bool in_ms = strcmp(v->name, DETRUN_ENV_STEP) == 0;
    bool good = in_ms ? value_u64(v->text, &ms) && ms <= STEP_MAX_MS
                      : value_duration(v->text, 1000000, &o->step_ns);
    if (good && in_ms)
        o->step_ns = ms * 1000000;
    o->mono_step_ns = o->step_ns;
    return good;
}

static bool set_mono_step(struct options *o, const struct setting_text *v)
{
    return value_duration(v->text, 1000000, &o->mono_step_ns);
}

static bool set_clock_scope(struct options *o, const struct setting_text *v)
{
    o->job_clock = strcmp(v->text, "job") == 0;
    return o->job_clock || strcmp(v->text, "task") == 0;
}

static bool set_wait(struct options *o, const struct setting_text *v)
{
    o->wait_real = strcmp(v->text, "real") == 0;
    return o->wait_real || strcmp(v->text, "warp") == 0;
}

static bool set_epoch(struct options *o, const struct setting_text *v)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (v->origin == ORIGIN_ENVIRONMENT)
        return value_unix_seconds(v->text, &o->epoch_ns);
    return value_epoch(v->text, now.tv_sec * INT64_C(1000000000), &o->epoch_ns, &o->epoch_relative);
}

static bool set_real(struct options *o, const struct setting_text *v)
{
    value_real_anyway(v->text, o->real_anyway, sizeof(o->real_anyway));
    return value_real(v->text, &o->real);
}

static bool add_no_follow(struct options *o, const struct setting_text *v)
{
    size_t used = strlen(o->no_follow);
    int n = snprintf(o->no_follow + used, sizeof(o->no_follow) - used, "%s%s", used ? ":" : "",
                     v->text);
    return *v->text != '\0' && n > 0 && (size_t)n < sizeof(o->no_follow) - used;
}

static bool set_timeout(struct options *o, const struct setting_text *v)
{
    return value_duration(v->text, 1000000000, &o->timeout_ns);
}

static bool set_summary(struct options *o, const struct setting_text *v)
{
    o->summary = v->text;
    return *v->text != '\0';
}

static bool set_record(struct options *o, const struct setting_text *v)
{
    o->record = v->text;
    return *v->text != '\0';
}

static bool set_trace(struct options *o, const struct setting_text *v)
{
    o->trace = v->text;
    return *v->text != '\0';
}

static bool set_record_limit(struct options *o, const struct setting_text *v)
{
    return value_u64(v->text, &o->record_limit) && o->record_limit > 0;
}

static bool add_word(struct options_words *words, const char *text)
{
    if (words->count == OPTIONS_WORDS)
        return false;
    words->texts[words->count++] = text;
    return true;
}

static bool add_label(struct options *o, const struct setting_text *v)
{
    return strcspn(v->text, "=") > 0 && strchr(v->text, '=') && add_word(&o->labels, v->text);
}

static bool add_export(struct options *o, const struct setting_text *v)
{
    return strcspn(v->text, "=") > 0 && strchr(v->text, '=') && add_word(&o->exports, v->text);
}

static bool set_profile(struct options *o, const struct setting_text *v)
{
    for (int i = 0; i < PROFILES; i++)
        if (strcmp(v->text, profile_names[i]) == 0) {
            o->profile = (enum profile)i;
            return true;
        }
    return false;
}

static bool set_network(struct options *o, const struct setting_text *v)
{
    for (int i = 0; i < NETWORKS; i++)
        if (strcmp(v->text, network_names[i]) == 0) {
            o->network = (enum network)i;
            return true;
        }
    return false;
}

static bool set_cpus(struct options *o, const struct setting_text *v)
{
    return value_u64(v->text, &o->cpus) && o->cpus > 0 && o->cpus <= CPUS_MAX;
}

static bool add_set(struct options *o, const struct setting_text *v)
{
    return strcspn(v->text, "=") > 0 && strchr(v->text, '=') && add_word(&o->set, v->text);
}

static bool add_unset(struct options *o, const struct setting_text *v)
{
    return *v->text != '\0' && !strchr(v->text, '=') && add_word(&o->unset, v->text);
}

static bool add_input(struct options *o, const struct setting_text *v)
{
    return *v->text != '\0' && add_word(&o->inputs, v->text);
}

static bool set_redact(struct options *o, const struct setting_text *v)
{
    regex_t regex;
    bool good = *v->text != '\0' && strlen(v->text) < DETRUN_REDACT_SIZE &&
                regcomp(&regex, v->text, REG_EXTENDED | REG_NOSUB) == 0;
    if (good)
        regfree(&regex);
    o->redact = v->text;
    return good;
}

static bool set_on_failure(struct options *o, const struct setting_text *v)
{
    o->on_failure = v->text;
    return *v->text != '\0';
}

static bool set_skip_status(struct options *o, const struct setting_text *v)
{
    return value_u64(v->text, &o->skip_status) && o->skip_status > 0 && o->skip_status < 125;
}

static bool set_number(uint64_t *number, const char *text)
{
    return value_u64(text, number) && *number > 0 && *number <= UINT32_MAX;
}

#define NUMBER(name)                                                                               \
    static bool set_##name(struct options *o, const struct setting_text *v)                        \
    {                                                                                              \
        return set_number(&o->name, v->text);                                                      \
    }
NUMBER(max_examples)
NUMBER(iteration)
NUMBER(run_number)

#define FLAG(name)                                                                                 \
    static bool set_##name(struct options *o, const struct setting_text *v)                        \
    {                                                                                              \
        return value_boolean(v->text, &o->name);                                                   \
    }
FLAG(no_supervisor)
FLAG(strict)
FLAG(subst)
FLAG(trap_open)
FLAG(trap_getdents)
FLAG(verbose)
FLAG(quiet)

static const struct {
    bool (*set)(struct options *o, const struct setting_text *v);
    const char *what;
    const char *give;
} readers[SETTINGS] = {
    /* The encoding says how the seed's text is read. */
    [SETTING_ENCODING] = {set_encoding, "a seed encoding", "be8, dec, hex or text"},
    [SETTING_SEED] = {set_seed, "a seed",
                      "a whole number from 0 to 18446744073709551615, decimal or 0x hex"},
    [SETTING_TEST_NAME] = {set_test_name, "a name", "any text of at most 1023 bytes"},
    [SETTING_LINEAGE] = {set_lineage, "a place in a job", "what detrun env prints there: 1.2.3"},
    [SETTING_STEP] = {set_step, "a time step of 0 to 366 days",
                      "a number of milliseconds, or one with a unit: 16ms"},
    [SETTING_MONO_STEP] = {set_mono_step, "a time step of 0 to 366 days",
                           "a number of milliseconds, or one with a unit: 100us"},
    [SETTING_CLOCK_SCOPE] = {set_clock_scope, "a clock scope", "task or job"},
    [SETTING_WAIT] = {set_wait, "a way to wait", "warp or real"},
    [SETTING_EPOCH] =
        {set_epoch, "a point in time from 1970 to 2255",
         "Unix seconds, 0 to 9000000000 (options also take RFC 3339, now, +30d, -1y)"},
    [SETTING_REAL] = {set_real, "a list of sources",
                      "some of wall monotonic cputime sleep timer random pid aslr dirs inodes "
                      "mtimes host cpus proc ports tsc rdrand uring env clock files world, "
                      "separated by commas"},
    [SETTING_NO_FOLLOW] =
        {add_no_follow, "a pattern",
         "one for the shell, or some with colons between them, at most 511 bytes"},
    [SETTING_TIMEOUT] = {set_timeout, "a duration of 0 to 366 days",
                         "seconds, or a number with a unit: 90s"},
    [SETTING_SUMMARY] = {set_summary, "a file", "a path"},
    [SETTING_RECORD] = {set_record, "a file", "a path, - or fd:N"},
    [SETTING_TRACE] = {set_trace, "a file", "a path"},
    [SETTING_RECORD_LIMIT] = {set_record_limit, "a number of bytes", "1 or more"},
    [SETTING_LABEL] = {add_label, "a label", "NAME=TEXT, at most 64 times"},
    [SETTING_INPUT] = {add_input, "a file", "a path, at most 64 times"},
    [SETTING_REDACT] = {set_redact, "an extended regular expression of at most 511 bytes",
                        "one that regcomp(3) takes"},
    [SETTING_ON_FAILURE] = {set_on_failure, "a command", "one line for sh"},
    [SETTING_SKIP_STATUS] = {set_skip_status, "an exit status", "1 to 124"},
    [SETTING_MAX_EXAMPLES] = {set_max_examples, "a number of iterations", "1 to 4294967295"},
    [SETTING_ITERATION] = {set_iteration, "the number of an iteration", "1 to 4294967295"},
    [SETTING_RUN] = {set_run_number, "the number of a run", "1 to 4294967295"},
    [SETTING_PROFILE] = {set_profile, "a profile", "host, ci or modern"},
    [SETTING_NETWORK] = {set_network, "how far sockets reach", "host, local or none"},
    [SETTING_CPUS] = {set_cpus, "a number of processors", "1 to 64"},
    [SETTING_SET] = {add_set, "a variable", "NAME=TEXT, at most 64 times"},
    [SETTING_UNSET] = {add_unset, "a variable's name", "NAME or NAME*, at most 64 times"},
    [SETTING_SUBST] = {set_subst, "yes or no", "1 or 0"},
    [SETTING_EXPORT] = {add_export, "a variable", "NAME=TEXT, at most 64 times"},
    [SETTING_NO_SUPERVISOR] = {set_no_supervisor, "yes or no", "1 or 0"},
    [SETTING_STRICT] = {set_strict, "yes or no", "1 or 0"},
    [SETTING_TRAP_GETDENTS] = {set_trap_getdents, "yes or no", "1 or 0"},
    [SETTING_TRAP_OPEN] = {set_trap_open, "yes or no", "1 or 0"},
    [SETTING_VERBOSE] = {set_verbose, "yes or no", "1 or 0"},
    [SETTING_QUIET] = {set_quiet, "yes or no", "1 or 0"},
};

static int read_setting(struct options *o, int setting, const struct setting_text *v)
{
    if (!v->text || !readers[setting].set || readers[setting].set(o, v))
        return 0;
    snprintf(o->error, sizeof(o->error), "%s: \"%s\" is not %s; give %s", v->name, v->text,
             readers[setting].what, readers[setting].give);
    return -EINVAL;
}

static int read_settings(struct options *o, const struct settings *s)
{
    int error = 0;
    for (int i = 0; i < SETTINGS && !error; i++) {
        const struct setting_list *list = &s->lists[i];
        if (list->count == 0)
            error = read_setting(o, i, &s->texts[i]);
        for (unsigned k = 0; k < list->count && !error; k++)
            error = read_setting(o, i, &list->texts[k]);
    }
    return error;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* A path's last name is at most NAME_MAX, an empty command's is none; only nonsense is longer. */
const char *options_default_test_name(const char *command)
{
    static char name[DETRUN_TEXT_SIZE];
    snprintf(name, sizeof(name), "%s", base_name(command));
    return name;
}

static bool deterministic_in_environment(void)
{
    return getenv(DETRUN_ENV_DETERMINISTIC) != NULL;
}

/* Asked for in the environment: a fixed seed, as a test harness wants it. By hand: a new one. */
static int choose_seed(struct options *o, const struct settings *s)
{
    if (s->texts[SETTING_SEED].text)
        return 0;
    o->seed.encoding = o->seed.encoding == SEED_TEXT ? SEED_BE8 : o->seed.encoding;
    o->seed_source = deterministic_in_environment() ? SEED_FROM_DEFAULT : SEED_FROM_FRESH;
    if (o->seed_source == SEED_FROM_DEFAULT)
        return 0;
    if (getrandom(&o->seed.number, sizeof(o->seed.number), 0) == sizeof(o->seed.number))
        return 0;
    snprintf(o->error, sizeof(o->error), "no random seed to be had: give one with --seed");
    return -EINVAL;
}

static int complete(struct options *o, const struct settings *s)
{
    int error = choose_seed(o, s);
    if (error)
        return error;
    if (!o->test_name)
        o->test_name = options_default_test_name(o->command[0]);
    o->test_seed = seed_for_test(&o->seed, o->test_name);
    o->step_from_environment = s->texts[SETTING_STEP].origin == ORIGIN_ENVIRONMENT;
    if (o->cpus == 0)
        o->cpus = profile_cpus(o->profile);
    o->mono_step_given = s->texts[SETTING_MONO_STEP].text != NULL;
    return 0;
}

/* A shim alone has a memory for each image, and no clock that two of them could share; and it
 * cannot leave a program that has not got it. */
const char *options_that_need_supervisor(const struct options *o)
{
    if (o->job_clock)
        return "--clock-scope=job";
    if (o->trace && strncmp(o->trace, "fd:", 3) != 0)
        return "--trace";
    if (o->network != NETWORK_HOST)
        return "--network";
    return *o->no_follow ? "--no-follow" : NULL;
}

static int check_together(struct options *o)
{
    const char *needs = options_that_need_supervisor(o);
    if (!needs || !o->no_supervisor)
        return 0;
    snprintf(o->error, sizeof(o->error), "%s needs the supervisor; leave out --no-supervisor",
             needs);
    return -EINVAL;
}

static int switch_off(struct options *o)
{
    const char *text = getenv(DETRUN_ENV_DETERMINISTIC);
    bool on = true;
    if (text && !value_boolean(text, &on)) {
        snprintf(o->error, sizeof(o->error), "%s: \"%s\" is not yes or no; give 1 or 0",
                 DETRUN_ENV_DETERMINISTIC, text);
        return -EINVAL;
    }
    if (!on)
        o->action = OPTIONS_UNTOUCHED;
    return 0;
}

static int command_missing(struct options *o)
{
    snprintf(o->error, sizeof(o->error),
             "no command given; usage: detrun [options] [--] command [arguments]");
    return -EINVAL;
}

void options_set_defaults(struct options *o)
{
    *o = (struct options){.epoch_ns = DETRUN_DEFAULT_EPOCH_NS,
                          .step_ns = DETRUN_DEFAULT_STEP_NS,
                          .skip_status = DEFAULT_SKIP_STATUS};
}

int options_parse(struct options *o, int argc, char **argv)
{
    static struct settings s;
    options_set_defaults(o);
    free(s.file_text);
    for (int i = 0; i < SETTINGS; i++) {
        free(s.line_names[i]);
        free(s.lists[i].texts);
    }
    s = (struct settings){0};
    int error = settings_from_command_line(&s, argc, argv, o->error, sizeof(o->error));
    if (error)
        return error;
    o->command = argv + s.command_index;
    if (s.texts[SETTING_HELP].text || s.texts[SETTING_VERSION].text) {
        o->action = s.texts[SETTING_HELP].text ? OPTIONS_HELP : OPTIONS_VERSION;
        return 0;
    }
    if (!o->command[0])
        return command_missing(o);
    error = switch_off(o);
    if (error || o->action == OPTIONS_UNTOUCHED)
        return error;
    settings_from_environment(&s);
    error = settings_from_file(&s, o->error, sizeof(o->error));
    if (!error)
        error = read_settings(o, &s);
    if (!error)
        error = complete(o, &s);
    return error ? error : check_together(o);
}

/* As shells read it, so that it can be copied from a terminal, and is text in a record. */
static void print_escaped(FILE *out, const char *word)
{
    bool is_text = json_is_utf8(word);
    fputs("$'", out);
    for (; *word; word++) {
        char one[8];
        message_escape(one, sizeof(one), (char[]){*word, '\0'});
        if (*word == '\'' || *word == '\\')
            fputc('\\', out);
        if (is_text || (unsigned char)*word < 0x80)
            fputs(one, out);
        else
            fprintf(out, "\\x%02x", (unsigned)(unsigned char)*word);
    }
    fputc('\'', out);
}

void options_print_quoted(FILE *out, const char *word)
{
    if (message_has_control(word) || !json_is_utf8(word)) {
        print_escaped(out, word);
        return;
    }
    if (*word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_@%+=:,./-") == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

void options_print_repeat(FILE *out, const struct options *o, char **argv)
{
    options_print_quoted(out, argv[0]);
    for (char **word = argv + 1; word < o->command && strcmp(*word, "--") != 0; word++) {
        fputc(' ', out);
        options_print_quoted(out, *word);
    }
    fprintf(out, " --seed %" PRIu64, o->seed.number);
    if (o->epoch_relative)
        fprintf(out, " --epoch %" PRId64, o->epoch_ns / 1000000000);
    fputs(" --", out);
    for (char **word = o->command; *word; word++) {
        fputc(' ', out);
        options_print_quoted(out, *word);
    }
    fputc('\n', out);
}
