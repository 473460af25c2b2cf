/* SPDX-License-Identifier: MIT */
#include "nested.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cleanup.h"
#include "cpus.h"
#include "real.h"

static long ask(enum detrun_operation operation, long a, long b)
{
    long result = syscall(SYS_prctl, (long)DETRUN_OPTION, (long)operation, a, b, 0L, 0L);
    return result < 0 ? -errno : result;
}

static bool is_library(const char *path)
{
    size_t n = strlen(path);
    size_t name = strlen(DETRUN_PRELOAD_NAME);
    return n >= name && strcmp(path + n - name, DETRUN_PRELOAD_NAME) == 0;
}

/* @return how many entries went; kept gets the others, and is not longer than list */
static unsigned filter_list(char *list, char *kept)
{
    unsigned dropped = 0;
    *kept = '\0';
    for (char *word = strtok(list, ": "); word; word = strtok(NULL, ": ")) {
        if (is_library(word)) {
            dropped++;
            continue;
        }
        if (*kept)
            strcat(kept, ":");
        strcat(kept, word);
    }
    return dropped;
}

void nested_shed_library(char **argv)
{
    static char self[PATH_MAX];
    const char *list = getenv("LD_PRELOAD");
    if (getauxval(AT_BASE) == 0 || !list)
        return;
    AUTO_FREE char *words = strdup(list);
    AUTO_FREE char *kept = strdup(list);
    if (!words || !kept || filter_list(words, kept) == 0)
        return;
    if (*kept)
        setenv("LD_PRELOAD", kept, 1);
    else
        unsetenv("LD_PRELOAD");
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[n > 0 ? n : 0] = '\0';
    real_execve(self, argv, environ);
}

bool nested_in_a_job(void)
{
    return ask(DETRUN_OP_QUERY, 0, 0) > 0;
}

int nested_make(char *error, size_t room)
{
    long fd = ask(DETRUN_OP_JOB, DETRUN_ABI_VERSION, sizeof(struct detrun_memory));
    if (fd >= 0)
        return (int)fd;
    if (fd == -EPROTO || fd == -EINVAL)
        snprintf(error, room, "this runs inside another detrun, of another version");
    else if (fd == -EAGAIN)
        snprintf(error, room, "this runs inside another detrun, which has %d more inside already",
                 DETRUN_INNER_JOBS);
    else
        snprintf(error, room, "this runs inside another detrun, which cannot make a job for it: %s",
                 strerror((int)-fd));
    return (int)fd;
}

/* What an option's filter would trap the outer one has to trap. @return the option, or NULL */
static const char *lacks(const struct options *o, const struct detrun_params *outer)
{
    if (o->trap_open && !(outer->flags & DETRUN_FLAG_TRAP_OPEN))
        return "--trap-open";
    if (o->trap_getdents && !(outer->flags & DETRUN_FLAG_TRAP_GETDENTS))
        return "--trap-getdents";
    return o->network != NETWORK_HOST && outer->network == NETWORK_HOST ? "--network" : NULL;
}

int nested_check(const struct options *o, const struct detrun_params *outer, char *error,
                 size_t room)
{
    if (o->no_supervisor)
        snprintf(error, room,
                 "--no-supervisor: this runs inside another detrun, whose supervisor stays");
    else if (lacks(o, outer))
        snprintf(error, room,
                 "%s: this runs inside another detrun, which has to be given it as well",
                 lacks(o, outer));
    else if (outer->launcher != real_getpid())
        snprintf(error, room,
                 "this runs inside another detrun, and in a pid namespace of its own: its "
                 "supervisor would not know whom it answers");
    else
        return 0;
    return -EINVAL;
}

void nested_take_machine(struct options *o, const struct detrun_params *outer)
{
    if (o->cpus == 0)
        o->cpus = cpus_count(outer);
    if (o->network < outer->network)
        o->network = (enum network)outer->network;
}

void nested_take_steps(struct options *o, const struct detrun_params *outer)
{
    uint64_t exported_ms = outer->step_ns[DETRUN_FAMILY_WALL] / 1000000;
    if (!o->step_from_environment || o->step_ns != exported_ms * 1000000)
        return;
    o->step_ns = outer->step_ns[DETRUN_FAMILY_WALL];
    if (!o->mono_step_given)
        o->mono_step_ns = outer->step_ns[DETRUN_FAMILY_MONO];
}

void nested_leave(uint32_t job)
{
    ask(DETRUN_OP_LEAVE, job, 0);
}

unsigned nested_kill(uint32_t job, int signal_number)
{
    long n = ask(DETRUN_OP_KILL, job, signal_number);
    return n > 0 ? (unsigned)n : 0;
}
