/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "commands.h"
#include "config.h"
#include "job.h"
#include "message.h"
#include "nested.h"
#include "options.h"
#include "room.h"
#include "run.h"
#include "run_record.h"
#include "summary.h"
#include "trace_file.h"

#define TOOLS_NAME "detrun-tools"

static int complain(const char *line)
{
    message_say("%s", line);
    return DETRUN_EXIT_FAILED;
}

/* Descriptors 0 to 2 may be closed: ours must not land there. The command sees them closed. */
static void hold_standard_descriptors(void)
{
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd > STDERR_FILENO)
        close(fd);
}

static void tell_seed(const struct options *o, char **argv)
{
    if (o->quiet || (o->seed_source != SEED_FROM_DEFAULT && o->seed_source != SEED_FROM_FRESH))
        return;
    if (o->seed_source == SEED_FROM_DEFAULT) {
        message_say("seed 0 (%s is not set)", DETRUN_ENV_SEED);
        return;
    }
    fprintf(stderr, "detrun: fresh seed %" PRIu64 "; to repeat: ", o->seed.number);
    options_print_repeat(stderr, o, argv);
}

static void tell_limits(const struct job *job)
{
    const struct options *o = job->options;
    if (!o->quiet && o->real_anyway[0] != '\0')
        message_say("--real: nothing answers these yet, with it or without: %s", o->real_anyway);
    if (!o->verbose)
        return;
    if (!job->aslr_off && !(o->real >> DETRUN_ASLR & 1))
        complain("personality(ADDR_NO_RANDOMIZE) is refused here: addresses vary between runs");
}

static int report(const struct job *job, struct run_result *result)
{
    const struct options *o = job->options;
    struct summary summary;
    if (!o->verbose && !o->summary && !o->strict)
        return 0;
    summary_collect(job->memory, &summary);
    if (o->verbose)
        summary_print(stderr, &summary, job);
    int error = o->summary ? summary_write(o->summary, &summary, job) : 0;
    if (error) {
        snprintf(result->error, sizeof(result->error), "--summary: cannot write \"%s\": %s",
                 o->summary, strerror(-error));
        return DETRUN_EXIT_FAILED;
    }
    char gap[128];
    if (!o->strict || !summary_has_gap(&summary, job, gap, sizeof(gap)))
        return 0;
    snprintf(result->error, sizeof(result->error),
             "--strict: not all was controlled: %s (detrun -v lists all)", gap);
    return DETRUN_EXIT_FAILED;
}

/* Better now than when the command has run. */
static int check_summary_file(const struct options *o, char *error, size_t room)
{
    if (!o->summary || strcmp(o->summary, "-") == 0)
        return 0;
    int fd = open(o->summary, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    if (fd >= 0)
        return 0;
    snprintf(error, room, "--summary: cannot write \"%s\": %s", o->summary, strerror(errno));
    return -EINVAL;
}

/* The command's own status stays what it was. */
static void tell_records(const struct job *job, const struct run_result *result, const char *argv0)
{
    struct options shown = *job->options;
    const struct options *o = job->options;
    char error[512];
    if (!o->record)
        return;
    if (!run_record_is_whole(job, error, sizeof(error)))
        complain(error);
    enum run_outcome outcome = run_outcome(o, result);
    if (o->quiet || outcome == RUN_PASSED || outcome == RUN_SKIPPED)
        return;
    shown.redact = NULL; /* whoever sees it gave it */
    fputs("detrun: to repeat: ", stderr);
    config_print_repeat(stderr, &shown, argv0);
    fputc('\n', stderr);
}

static int run(struct options *o, char **argv)
{
    struct job job;
    struct run_result result;
    char error[1024];
    if (check_summary_file(o, error, sizeof(error)) != 0 ||
        job_create(&job, o, error, sizeof(error)) != 0 ||
        run_record_open(&job, error, sizeof(error)) != 0 ||
        trace_file_open(&job, error, sizeof(error)) != 0 ||
        run_record_start(&job, error, sizeof(error)) != 0)
        return complain(error);
    run_record_keep_repeat(&job, argv[0]);
    tell_seed(o, argv);
    tell_limits(&job);
    run_job(&job, &result);
    struct run_result told = result;
    if (report(&job, &told) != 0 && result.error[0] == '\0') {
        result = told;
        result.signal = 0;
        result.status = DETRUN_EXIT_FAILED;
    }
    if (result.error[0] != '\0')
        complain(result.error);
    if (trace_file_end(&job, &result, error, sizeof(error)) != 0)
        complain(error);
    run_record_end(&job, &result, argv[0]);
    tell_records(&job, &result, argv[0]);
    job_end(&job);
    run_end_like(&result);
}

static int run_plain(const struct options *o)
{
    struct run_result result;
    run_untouched(o->command, &result);
    complain(result.error);
    return result.status;
}

/* A full disk is no success. */
static int told(void)
{
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : complain("cannot write to standard output");
}

static const struct command {
    const char *name;
    int (*run)(char **words);
} commands[] = {
    {"doctor", command_doctor},
    {"selftest", command_selftest},
    {"doctor-addresses", command_addresses},
    {"selftest-answers", command_answers},
};

static const struct command *find_command(const char *word)
{
    for (size_t i = 0; word && i < sizeof(commands) / sizeof(commands[0]); i++)
        if (strcmp(word, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* In a program of their own, which is beside this one. */
static const char *const tools[] = {
    "audit",  "bisect-source", "check", "config", "diff", "failures", "fixture", "keep",  "note",
    "repeat", "replay",        "seed",  "shadow", "soak", "trace",    "uuid",    "verify"};

/* With further words it is env(1). */
static bool is_tool(char **words)
{
    const char *word = words[0];
    if (word && strcmp(word, "env") == 0)
        return !words[1];
    for (size_t i = 0; word && i < sizeof(tools) / sizeof(tools[0]); i++)
        if (strcmp(word, tools[i]) == 0)
            return true;
    return false;
}

/* Only returns when that fails. */
static int become_tools(char **argv)
{
    static char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - sizeof(TOOLS_NAME));
    char *slash = n > 0 ? memrchr(path, '/', (size_t)n) : NULL;
    if (slash) {
        strcpy(slash + 1, TOOLS_NAME);
        execv(path, argv);
    }
    message_say("cannot run \"%s\": %s; install detrun again", slash ? path : TOOLS_NAME,
                strerror(errno));
    return COMMAND_USAGE;
}

static int run_command(const struct command *command, char **words)
{
    int status = command->run(words);
    return told() == 0 ? status : COMMAND_USAGE;
}

static __attribute__((noinline)) int start(int argc, char **argv)
{
    struct options options;
    const struct command *command = find_command(argv[1]);
    if (is_tool(argv + 1))
        return become_tools(argv);
    nested_shed_library(argv);
    hold_standard_descriptors();
    if (command)
        return run_command(command, argv + 2);
    if (options_parse(&options, argc, argv) != 0)
        return complain(options.error);
    if (options.action == OPTIONS_HELP) {
        options_print_help(stdout);
        return told();
    }
    if (options.action == OPTIONS_VERSION) {
        printf("detrun %s\n", DETRUN_VERSION);
        return told();
    }
    if (options.action == OPTIONS_UNTOUCHED)
        return run_plain(&options);
    return run(&options, argv);
}

/* Of a stack of 16 KB the kernel's random start may leave 4: no frame of any size before there is
 * more. */
int main(int argc, char **argv)
{
    static char error[256];
    room_make();
    if (room_check(error, sizeof(error)) != 0)
        return complain(error);
    return start(argc, argv);
}
