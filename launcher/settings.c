/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "detrun/abi.h"
#include "options.h"

static const struct row {
    const char *option;
    const char *alias;
    char letter;
    bool is_flag;
    const char *environment[2]; /**< the first one set counts */
    const char *argument;
    const char *help;
} rows[SETTINGS] = {
    [SETTING_SEED] = {"seed",
                      "job-seed",
                      0,
                      false,
                      {DETRUN_ENV_SEED, NULL},
                      "N",
                      "job seed, decimal or 0x hex (E2E_SEED)"},
    [SETTING_ENCODING] = {"seed-encoding",
                          NULL,
                          0,
                          false,
                          {"DETRUN_SEED_ENCODING", NULL},
                          "HOW",
                          "be8 (default), dec, hex or text"},
    [SETTING_TEST_NAME] = {"test-name",
                           NULL,
                           0,
                           false,
                           {DETRUN_ENV_TEST_NAME, NULL},
                           "NAME",
                           "default: the command's base name"},
    [SETTING_LINEAGE] = {"lineage",
                         NULL,
                         0,
                         false,
                         {"DETRUN_LINEAGE", NULL},
                         "PLACE",
                         "where the command stands in a job on another machine (detrun env)"},
    [SETTING_STEP] = {"step",
                      NULL,
                      0,
                      false,
                      {DETRUN_ENV_STEP_EXACT, DETRUN_ENV_STEP},
                      "TIME",
                      "how far one clock read moves time: 16ms (default for the wall clock), "
                      "100us (E2E_TIME_STEP_MS)"},
    [SETTING_MONO_STEP] = {"mono-step",
                           NULL,
                           0,
                           false,
                           {"DETRUN_MONO_STEP", NULL},
                           "TIME",
                           "the same for monotonic clocks alone (default 0, or --step)"},
    [SETTING_CLOCK_SCOPE] = {"clock-scope",
                             NULL,
                             0,
                             false,
                             {"DETRUN_CLOCK_SCOPE", NULL},
                             "SCOPE",
                             "task (default): a clock for each; job: one that all of them move"},
    [SETTING_WAIT] = {"wait",
                      NULL,
                      0,
                      false,
                      {"DETRUN_WAIT", NULL},
                      "HOW",
                      "warp (default): nobody waits for a time; real: waits take their time"},
    [SETTING_EPOCH] = {"epoch",
                       NULL,
                       0,
                       false,
                       {DETRUN_ENV_EPOCH, "SOURCE_DATE_EPOCH"},
                       "WHEN",
                       "where time starts: Unix seconds, RFC 3339, now, +30d, -1y"},
    [SETTING_REAL] = {"real",
                      NULL,
                      0,
                      false,
                      {"DETRUN_REAL", NULL},
                      "LIST",
                      "sources left to the kernel: wall,random,clock,files,world,..."},
    [SETTING_NO_FOLLOW] = {"no-follow",
                           NULL,
                           0,
                           false,
                           {"DETRUN_NO_FOLLOW", NULL},
                           "PATTERN",
                           "programs that get real answers and no variable of ours (repeatable)"},
    [SETTING_TIMEOUT] = {"timeout",
                         NULL,
                         0,
                         false,
                         {"DETRUN_TIMEOUT", NULL},
                         "TIME",
                         "end the whole job after this much real time (0: never)"},
    [SETTING_SUMMARY] = {"summary",
                         NULL,
                         0,
                         false,
                         {"DETRUN_SUMMARY", NULL},
                         "FILE",
                         "write what was controlled and what was not, as JSON (-: standard error)"},
    [SETTING_RECORD] = {"record",
                        NULL,
                        0,
                        false,
                        {"DETRUN_RECORD", NULL},
                        "FILE",
                        "append records of the run, JSON Lines (-, fd:N)"},
    [SETTING_RECORD_LIMIT] = {"record-limit",
                              NULL,
                              0,
                              false,
                              {"DETRUN_RECORD_LIMIT", NULL},
                              "BYTES",
                              "no records beyond that"},
    [SETTING_TRACE] = {"trace",
                       NULL,
                       0,
                       false,
                       {NULL, NULL},
                       "FILE",
                       "write down every answer, for detrun trace and detrun diff"},
    [SETTING_LABEL] = {"label",
                       NULL,
                       0,
                       false,
                       {NULL, NULL},
                       "NAME=TEXT",
                       "for the records; changes no answer (repeatable)"},
    [SETTING_INPUT] =
        {"input", NULL, 0, false, {NULL, NULL}, "FILE", "record what is in it (repeatable)"},
    [SETTING_REDACT] = {"redact",
                        NULL,
                        0,
                        false,
                        {"DETRUN_REDACT", NULL},
                        "REGEX",
                        "extended regular expression: what matches is in no record"},
    [SETTING_ON_FAILURE] = {"on-failure",
                            NULL,
                            0,
                            false,
                            {"DETRUN_ON_FAILURE", NULL},
                            "COMMAND",
                            "for sh, when the command failed: a digest of its output is recorded"},
    [SETTING_SKIP_STATUS] = {"skip-status",
                             NULL,
                             0,
                             false,
                             {"DETRUN_SKIP_STATUS", NULL},
                             "N",
                             "this exit status means skipped (default 77)"},
    [SETTING_MAX_EXAMPLES] = {"max-examples",
                              NULL,
                              0,
                              false,
                              {"DETRUN_MAX_EXAMPLES", NULL},
                              "N",
                              "how many iterations a property test runs"},
    [SETTING_ITERATION] =
        {"iteration", NULL, 0, false, {NULL, NULL}, "N", "of those, this one alone"},
    [SETTING_RUN] = {"run-number",
                     NULL,
                     0,
                     false,
                     {NULL, NULL},
                     "N",
                     "for the records: which run of several this is"},
    [SETTING_PROFILE] = {"profile",
                         NULL,
                         0,
                         false,
                         {"DETRUN_PROFILE", NULL},
                         "NAME",
                         "environment, umask, stack: host (default: as they are), ci or modern: "
                         "the same everywhere"},
    [SETTING_CPUS] = {"cpus",
                      NULL,
                      0,
                      false,
                      {"DETRUN_CPUS", NULL},
                      "N",
                      "how many processors programs see (default: as they are; profiles: 2)"},
    [SETTING_NETWORK] = {"network",
                         NULL,
                         0,
                         false,
                         {"DETRUN_NETWORK", NULL},
                         "REACH",
                         "host (default); local: this machine; none: sockets of paths alone"},
    [SETTING_SET] = {"set",
                     NULL,
                     0,
                     false,
                     {NULL, NULL},
                     "NAME=TEXT",
                     "set a variable for the command (repeatable)"},
    [SETTING_UNSET] = {"unset",
                       NULL,
                       0,
                       false,
                       {NULL, NULL},
                       "NAME",
                       "unset one, or with NAME* all that begin so (repeatable)"},
    [SETTING_SUBST] = {"subst",
                       NULL,
                       0,
                       true,
                       {"DETRUN_SUBST", NULL},
                       NULL,
                       "replace {seed} {seed32} {test_seed} {iteration} in the command's words"},
    [SETTING_EXPORT] = {"export",
                        NULL,
                        0,
                        false,
                        {NULL, NULL},
                        "NAME=TEXT",
                        "set a variable, the same replaced in it (repeatable)"},
    [SETTING_CONFIG] = {"config",
                        NULL,
                        0,
                        false,
                        {"DETRUN_CONFIG", NULL},
                        "FILE",
                        "more settings, name=value a line"},
    [SETTING_NO_SUPERVISOR] = {"no-supervisor",
                               NULL,
                               0,
                               true,
                               {"DETRUN_NO_SUPERVISOR", NULL},
                               NULL,
                               "preload library alone"},
    [SETTING_STRICT] = {"strict",
                        NULL,
                        0,
                        true,
                        {"DETRUN_STRICT", NULL},
                        NULL,
                        "status 125 when something was seen but not controlled"},
    [SETTING_TRAP_OPEN] = {"trap-open",
                           NULL,
                           0,
                           true,
                           {"DETRUN_TRAP_OPEN", NULL},
                           NULL,
                           "random devices of static programs as well"},
    [SETTING_TRAP_GETDENTS] =
        {"trap-getdents",
         NULL,
         0,
         true,
         {"DETRUN_TRAP_GETDENTS", NULL},
         NULL,
         "sort directories for static programs and Go, too (each listing is a notification)"},
    [SETTING_VERBOSE] = {"verbose", NULL, 'v', true, {NULL, NULL}, NULL, "print the summary"},
    [SETTING_QUIET] =
        {"quiet", NULL, 'q', true, {NULL, NULL}, NULL, "do not print which seed was chosen"},
    [SETTING_VERSION] = {"version", NULL, 0, true, {NULL, NULL}, NULL, "print the version"},
    [SETTING_HELP] = {"help", NULL, 'h', true, {NULL, NULL}, NULL, "print this"},
};

/* Each one given counts. */
static const bool repeats[SETTINGS] = {
    [SETTING_NO_FOLLOW] = true, [SETTING_LABEL] = true, [SETTING_INPUT] = true,
    [SETTING_EXPORT] = true,    [SETTING_SET] = true,   [SETTING_UNSET] = true,
};

static bool is_named(const struct row *row, const char *name, size_t len)
{
    if (strlen(row->option) == len && strncmp(row->option, name, len) == 0)
        return true;
    return row->alias && strlen(row->alias) == len && strncmp(row->alias, name, len) == 0;
}

static int find(const char *name, size_t len)
{
    for (int i = 0; i < SETTINGS; i++)
        if (is_named(&rows[i], name, len))
            return i;
    return -1;
}

static int find_letter(const char *word)
{
    for (int i = 0; i < SETTINGS; i++)
        if (rows[i].letter && word[1] == rows[i].letter && word[2] == '\0')
            return i;
    return -1;
}

static void put(struct settings *s, int setting, enum setting_origin origin, const char *name,
                const char *text)
{
    struct setting_text *t = &s->texts[setting];
    struct setting_list *list = &s->lists[setting];
    if (t->origin <= origin)
        *t = (struct setting_text){text, name, origin};
    if (!repeats[setting])
        return;
    struct setting_text *more = reallocarray(list->texts, list->count + 1, sizeof(*more));
    if (!more)
        return;
    more[list->count++] = (struct setting_text){text, name, origin};
    list->texts = more;
}

static int fail(char *error, size_t room, const char *format, const char *name)
{
    snprintf(error, room, format, name);
    return -EINVAL;
}

static const char *option_name(int setting)
{
    static char names[SETTINGS][24];
    snprintf(names[setting], sizeof(names[setting]), "--%s", rows[setting].option);
    return names[setting];
}

int settings_words(const char *word)
{
    bool is_long = strncmp(word, "--", 2) == 0;
    size_t length = is_long ? strcspn(word + 2, "=") : 0;
    int setting = is_long ? find(word + 2, length) : find_letter(word);
    if (setting < 0)
        return 0;
    return rows[setting].is_flag || (is_long && word[2 + length] == '=') ? 1 : 2;
}

/* @return how many words were taken, or -EINVAL */
static int take_option(struct settings *s, char **argv, char *error, size_t room)
{
    const char *word = argv[0];
    bool is_long = strncmp(word, "--", 2) == 0;
    size_t len = is_long ? strcspn(word + 2, "=") : 0;
    int setting = is_long ? find(word + 2, len) : find_letter(word);
    if (setting < 0)
        return fail(error, room, "unknown option \"%s\"; see detrun --help", word);
    const char *name = option_name(setting);
    if (is_long && word[2 + len] == '=') {
        put(s, setting, ORIGIN_COMMAND_LINE, name, word + 3 + len);
        return 1;
    }
    if (rows[setting].is_flag) {
        put(s, setting, ORIGIN_COMMAND_LINE, name, "1");
        return 1;
    }
    if (!argv[1])
        return fail(error, room, "%s: a value is missing", name);
    put(s, setting, ORIGIN_COMMAND_LINE, name, argv[1]);
    return 2;
}

int settings_from_command_line(struct settings *s, int argc, char **argv, char *error, size_t room)
{
    int at = argc > 1 && strcmp(argv[1], "run") == 0 ? 2 : 1;
    while (at < argc && argv[at][0] == '-' && argv[at][1] != '\0') {
        if (strcmp(argv[at], "--") == 0) {
            at++;
            break;
        }
        int taken = take_option(s, argv + at, error, room);
        if (taken < 0)
            return taken;
        at += taken;
    }
    s->command_index = at < argc ? at : argc;
    return 0;
}

void settings_from_environment(struct settings *s)
{
    for (int i = 0; i < SETTINGS; i++)
        for (int k = 0; k < 2 && rows[i].environment[k]; k++) {
            const char *text = getenv(rows[i].environment[k]);
            if (!text)
                continue;
            put(s, i, ORIGIN_ENVIRONMENT, rows[i].environment[k], text);
            break;
        }
}

/* Where a line of a file stands, for messages: as compilers say it. */
static const char *line_name(struct settings *s, int setting, const char *file, unsigned number)
{
    free(s->line_names[setting]);
    if (asprintf(&s->line_names[setting], "%s:%u: %s", file, number, rows[setting].option) < 0)
        s->line_names[setting] = NULL;
    return s->line_names[setting] ? s->line_names[setting] : rows[setting].option;
}

static int take_line(struct settings *s, char *line, const char *file, unsigned number, char *error,
                     size_t room)
{
    size_t len = strcspn(line, "=");
    if (line[0] == '\0' || line[0] == '#')
        return 0;
    int setting = line[len] == '=' ? find(line, len) : -1;
    if (setting < 0) {
        snprintf(error, room,
                 "%s:%u: \"%s\" is not a setting; give name=value, names as in "
                 "detrun --help",
                 file, number, line);
        return -EINVAL;
    }
    put(s, setting, ORIGIN_FILE, line_name(s, setting, file, number), line + len + 1);
    return 0;
}

int settings_from_file(struct settings *s, char *error, size_t room)
{
    const char *path = s->texts[SETTING_CONFIG].text;
    if (!path)
        return 0;
    AUTO_FCLOSE FILE *file = fopen(path, "re");
    size_t size = 0;
    if (!file || (getdelim(&s->file_text, &size, '\0', file) < 0 && ferror(file))) {
        snprintf(error, room, "--config: cannot read \"%s\": %s", path, strerror(errno));
        return -EINVAL;
    }
    char *rest = s->file_text;
    unsigned number = 0;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        int result = take_line(s, line, path, ++number, error, room);
        if (result)
            return result;
    }
    return 0;
}

void options_print_help(FILE *out)
{
    fputs("usage: detrun [run] [options] [--] command [arguments]\n"
          "       detrun doctor [--json]                  what this machine allows\n"
          "       detrun selftest [-q] [--no-supervisor]  do two runs agree here?\n"
          "       detrun verify [-n N] [--level bytes|order|values] [--artifact PATH] [--expect "
          "FILE [--write | --update\n"
          "                     --reason TEXT]] [options] command\n"
          "                                               is it deterministic?\n"
          "       detrun shadow [--level LEVEL] [--artifact PATH] [options] command --vs command\n"
          "                                               the same inputs to both: do they agree?\n"
          "       detrun soak --runs N | --for TIME | --seeds A..B [--one-seed] [--keep-going]\n"
          "                   [--resume] [options] command\n"
          "                                               many runs: when does one differ?\n"
          "       detrun audit [--format json] [options] command\n"
          "                                               what is controlled, what not?\n"
          "       detrun bisect-source [options] command  what does the outcome depend on?\n"
          "       detrun diff [--level bytes|order|values] [--report DIR] [--stage NAME=PATH] A B\n"
          "                                               what is the first change, and its kind?\n"
          "       detrun trace [--format json] [--task PLACE] FILE\n"
          "                                               what was each task answered?\n"
          "       detrun repeat -n N [--until-failure] [--vary-seed] [--jobs J] [--keep DIR]\n"
          "                     [--junit FILE] [--report DIR]\n"
          "                     [options] command         many runs: a bug, or a flake?\n"
          "       detrun replay FILE [--failure K] [--strict]\n"
          "                                               a recorded failure again\n"
          "       detrun keep RECORDS [--failure K] -o FILE [--minimize]\n"
          "       detrun check FILE...                    is a failure that was kept back?\n"
          "       detrun failures [--json] FILE...        what do records tell?\n"
          "       detrun config [options] [command]       the settings that a run would have\n"
          "       detrun seed [--format json] TEST_NAME...\n"
          "                                               seeds of tests\n"
          "       detrun uuid [--seed TEXT] [--count N] [--uppercase] [--format json]\n"
          "       detrun fixture [--default-seed N] PREFIX WHAT\n"
          "                                               run id, time stamps, ... for scripts\n"
          "       detrun note event|stage|call ...        records of scripts\n"
          "       detrun env                              what takes the job to another machine\n\n"
          "Runs a command so that the same seed gives the same answers every time.\n\n",
          out);
    for (int i = 0; i < SETTINGS; i++) {
        char left[40];
        snprintf(left, sizeof(left), "--%s%s%s", rows[i].option, rows[i].argument ? " " : "",
                 rows[i].argument ? rows[i].argument : "");
        fprintf(out, "  %c%c %-22s %s\n", rows[i].letter ? '-' : ' ',
                rows[i].letter ? rows[i].letter : ' ', left, rows[i].help);
    }
    fputs("\nWith --seed N two runs see the same clocks, random numbers and process ids.\n"
          "Seeded answers are predictable: never make keys, tokens or working identifiers\n"
          "under detrun.\n\n"
          "Status: the command's own; 125 detrun failed, 126 the command cannot be run,\n"
          "127 not found.\n",
          out);
}
