/* SPDX-License-Identifier: MIT */
/*
 * detrun config: what run makes of options, environment and --config file; config_sha256 of a
 * record is the SHA-256 of these lines.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "message.h"
#include "options.h"
#include "tools.h"

static const char usage[] =
    "usage: detrun config [options of detrun run] [--] [command [arguments]]\n\n"
    "Prints the settings that such a run would have, as sorted name=value lines that --config "
    "reads.\n"
    "The test's name is by default the command's. Without a seed each run has a fresh one.";

/* A fresh seed is another one in each run. */
static void print_line(const char *name, const char *text, void *argument)
{
    const struct options *o = argument;
    bool fresh = strcmp(name, "seed") == 0 && o->seed_source == SEED_FROM_FRESH;
    printf("%s%s=%s\n", fresh ? "# " : "", name, fresh ? "fresh" : text);
}

/* Where there is no command, one without a name. */
static char **command_line(char **words, int *count)
{
    int n = 0;
    while (words[n])
        n++;
    char **argv = calloc((size_t)n + 4, sizeof(*argv));
    if (!argv)
        return NULL;
    static char name[] = "detrun";
    static char run[] = "run";
    static char nothing[] = "";
    argv[0] = name;
    argv[1] = run;
    memcpy(argv + 2, words, (size_t)n * sizeof(*argv));
    argv[n + 2] = nothing;
    *count = n + 3;
    return argv;
}

int tool_config(char **words)
{
    struct options o;
    int n = 0;
    AUTO_FREE char **argv = command_line(words, &n);
    if (!argv || options_parse(&o, n, argv) != 0) {
        message_say("%s", argv ? o.error : "out of memory");
        return COMMAND_USAGE;
    }
    if (o.action == OPTIONS_HELP) {
        puts(usage);
    } else if (o.action == OPTIONS_UNTOUCHED) {
        message_say(DETRUN_ENV_DETERMINISTIC " is off: commands run untouched");
    } else {
        config_each(&o, print_line, &o);
    }
    return 0;
}
