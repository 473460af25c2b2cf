/* SPDX-License-Identifier: MIT */
#include "profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "detrun/abi.h"
#include "environment.h"

#define PAD_NAME    DETRUN_ENV_PAD "="
#define EVEN_NAME   "DETRUN_PAD_EVEN="
#define CPUS        2
#define STACK_BYTES (8UL << 20) /* Linux's default, _STK_LIM of linux/resource.h */

const char *const profile_names[PROFILES] = {"host", "ci", "modern"};

/* A name without a value is unset; one that ends in * stands for all that begin so. The manual says
 * why each is there. FTUI_TEST_PROFILE passes. */
static char *const both[] = {
    "COLUMNS=80",
    "HOME=/nonexistent",
    "HOSTNAME=localhost",
    "LANG=C.UTF-8",
    "LANGUAGE",
    "LC_*",
    "LINES=24",
    "LOGNAME=detrun",
    "OLDPWD",
    "PWD",
    "SHELL=/bin/sh",
    "SHLVL",
    "TMUX",
    "TMUX_PANE",
    "TZ=UTC",
    "USER=detrun",
    "ZELLIJ",
    "ZELLIJ_*",
    "_",
    NULL,
};
static char *const plain[] = {"COLORTERM", "NO_COLOR=1", "TERM=dumb", NULL};
static char *const colourful[] = {"COLORTERM=truecolor", "NO_COLOR", "TERM=xterm-256color", NULL};

static char even[] = EVEN_NAME;

static char *const *const own[PROFILES] = {NULL, plain, colourful};

static void apply(char *const *variables, char **environment)
{
    for (char *const *entry = variables; *entry; entry++)
        if (strchr(*entry, '='))
            environment_put(environment, *entry);
        else
            environment_drop(environment, *entry);
}

void profile_apply(enum profile profile, char **environment)
{
    if (profile == PROFILE_HOST)
        return;
    apply(both, environment);
    apply(own[profile], environment);
}

static size_t count_of(char *const *vector)
{
    size_t n = 0;
    while (vector[n])
        n++;
    return n;
}

/* Bytes of strings with their ends. */
static size_t size_of(char *const *vector)
{
    size_t size = 0;
    for (; *vector; vector++)
        size += strlen(*vector) + 1;
    return size;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *padding(size_t length)
{
    char *entry = malloc(sizeof(PAD_NAME) + length);
    if (!entry)
        return NULL;
    memcpy(entry, PAD_NAME, sizeof(PAD_NAME) - 1);
    memset(entry + sizeof(PAD_NAME) - 1, '.', length);
    entry[sizeof(PAD_NAME) - 1 + length] = '\0';
    return entry;
}

/* The kernel aligns the strings to 16 bytes, and the pointers below them (STACK_ROUND of
 * fs/binfmt_elf.c): with both a multiple of that, a program that this one executes finds the same
 * difference, too. The pointers: an even number of entries, two NULLs, the path's, argc. */
int profile_finish(enum profile profile, char **environment, char *const *argv, const char *path)
{
    if (profile == PROFILE_HOST)
        return 0;
    environment_drop(environment, DETRUN_ENV_PAD);
    environment_drop(environment, "DETRUN_PAD_EVEN");
    size_t n = count_of(environment);
    qsort(environment, n, sizeof(*environment), by_text);
    n += count_of(argv) + 1;
    if (n % 2 != 0) {
        environment_put(environment, even);
        n++;
    }
    size_t size =
        size_of(environment) + size_of(argv) + strlen(path) + 1 + (n + 4) * sizeof(char *);
    char *pad = padding(PROFILE_AREA - (size + sizeof(PAD_NAME)) % PROFILE_AREA);
    return pad ? environment_put(environment, pad) : -ENOMEM;
}

unsigned profile_cpus(enum profile profile)
{
    return profile == PROFILE_HOST ? 0 : CPUS;
}

void profile_apply_limits(enum profile profile)
{
    struct rlimit stack;
    if (profile == PROFILE_HOST)
        return;
    umask(022);
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_max < STACK_BYTES)
        return;
    stack.rlim_cur = STACK_BYTES;
    setrlimit(RLIMIT_STACK, &stack);
}
