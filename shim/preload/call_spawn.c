/* SPDX-License-Identifier: MIT */
/*
 * posix_spawn, system and popen: libc makes the child and the child's exec, so its record is
 * announced before and found by the new image through the supervisor or DETRUN_CONTEXT.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "clock.h"
#include "environment.h"
#include "image.h"
#include "pids.h"
#include "poison.h"
#include "process.h"
#include "procfs.h"
#include "raw.h"
#include "real.h"
#include "task.h"

extern char **environ __attribute__((weak));

typedef int spawn_function(pid_t *restrict, const char *restrict,
                           const posix_spawn_file_actions_t *, const posix_spawnattr_t *restrict,
                           char *const *restrict, char *const *restrict);

struct spawn {
    spawn_function *real;
    const char *file;
    const posix_spawn_file_actions_t *actions;
    const posix_spawnattr_t *attributes;
    char *const *argv;
    char *const *envp;
    bool takes_shim;
};

/* libc's child joins the group by an instruction of its own. The fields lie alike in musl. */
static const posix_spawnattr_t *with_real_group(const posix_spawnattr_t *attributes,
                                                posix_spawnattr_t *copy)
{
    if (!attributes || !(attributes->__flags & POSIX_SPAWN_SETPGROUP))
        return attributes;
    *copy = *attributes;
    copy->__pgrp = pids_to_real(copy->__pgrp);
    return copy;
}

static long spawn_once(pid_t *pid, const struct spawn *s)
{
    posix_spawnattr_t copy;
    const posix_spawnattr_t *attributes = with_real_group(s->attributes, &copy);
    struct detrun_task *child = process_prepare();
    if (!child)
        return s->real(pid, s->file, s->actions, attributes, s->argv, s->envp);
    lineage_next_image(child);
    ENVIRONMENT_ON_STACK(complete, s->envp, child, s->takes_shim, s->file, s->argv);
    pid_t real = 0;
    int error = s->real(&real, s->file, s->actions, attributes, s->argv, complete);
    long result = process_forked(child, error ? -error : real);
    if (!error && pid)
        *pid = (pid_t)result;
    return error;
}

static long spawn(pid_t *pid, const struct spawn *s)
{
    char real_path[PROCFS_PATH];
    long error = spawn_once(pid, s);
    if (!procfs_renamed(-error, AT_FDCWD, s->file, real_path))
        return error;
    struct spawn renamed = *s;
    renamed.file = real_path;
    return spawn_once(pid, &renamed);
}

long libc_posix_spawn(pid_t *restrict pid, const char *restrict path,
                      const posix_spawn_file_actions_t *actions,
                      const posix_spawnattr_t *restrict attributes, char *const *restrict argv,
                      char *const *restrict envp)
{
    struct spawn s = {REAL_LIBC(posix_spawn),          path, actions, attributes, argv, envp,
                      image_takes_shim(AT_FDCWD, path)};
    return spawn(pid, &s);
}

long libc_posix_spawnp(pid_t *restrict pid, const char *restrict file,
                       const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *restrict attributes, char *const *restrict argv,
                       char *const *restrict envp)
{
    struct spawn s = {REAL_LIBC(posix_spawnp),     file, actions, attributes, argv, envp,
                      image_named_takes_shim(file)};
    return spawn(pid, &s);
}

/* system and popen take the environment from `environ`: it points to the completed one meanwhile.
 */
struct swapped {
    char **before;
    char *const *complete;
    char *preload;     /* the entry that ours stands for, NULL: none */
    const char *frame; /* all that we added lies on the stack below it */
};

static char *preload_entry(char **array)
{
    static const char name[] = "LD_PRELOAD=";
    for (; array && *array; array++) {
        size_t n = 0;
        while (name[n] && (*array)[n] == name[n])
            n++;
        if (!name[n])
            return *array;
    }
    return NULL;
}

static struct swapped swap_environment(char *const *complete, const void *frame)
{
    struct swapped s = {environ, complete, preload_entry(environ), frame};
    environ = (char **)(uintptr_t)complete;
    return s;
}

/* Another thread may have set variables meanwhile, in an array that libc made of the completed one;
 * the one before is then gone, or holds something else. */
static __attribute__((noinline)) void restore_environment(const struct swapped *s)
{
    const char *here = __builtin_frame_address(0);
    if (environ == s->complete) {
        environ = s->before;
        return;
    }
    char **to = environ;
    for (char **from = to; *from; from++) {
        bool ours = *from > here && *from < s->frame;
        if (!ours)
            *to++ = *from;
        else if (s->preload && **from == *s->preload)
            *to++ = s->preload; /* of all that we add only this one begins so */
    }
    *to = NULL;
}

long libc_system(const char *command)
{
    struct detrun_task *child = command ? process_prepare() : NULL;
    if (!child)
        return real_result(REAL_LIBC(system)(command));
    lineage_next_image(child);
    ENVIRONMENT_ON_STACK(complete, environ, child, image_may_take_shim(), NULL, NULL);
    struct swapped swapped = swap_environment(complete, __builtin_frame_address(0));
    long result = real_result(REAL_LIBC(system)(command));
    restore_environment(&swapped);
    struct detrun_task *t = task_current;
    task_prepared = NULL;
    if (result >= 0)
        clock_join(t, child);
    lineage_free(shim.memory, child);
    return result;
}

/* Streams of popen and the records behind them. */
#define STREAMS 64
static struct {
    FILE *stream;
    uint32_t child;
    uint32_t nonce;
} streams[STREAMS];

static void remember(FILE *stream, const struct detrun_task *child)
{
    for (int i = 0; i < STREAMS; i++) {
        FILE *expected = NULL;
        if (!__atomic_compare_exchange_n(&streams[i].stream, &expected, stream, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        streams[i].child = lineage_index(shim.memory, child);
        streams[i].nonce = atomic_load_explicit(&child->nonce, memory_order_relaxed);
        return;
    }
}

static struct detrun_task *recall(const FILE *stream)
{
    for (int i = 0; i < STREAMS; i++) {
        if (__atomic_load_n(&streams[i].stream, __ATOMIC_ACQUIRE) != stream)
            continue;
        struct detrun_task *child = &shim.memory->tasks[streams[i].child % DETRUN_MAX_TASKS];
        bool same = atomic_load_explicit(&child->nonce, memory_order_relaxed) == streams[i].nonce;
        __atomic_store_n(&streams[i].stream, NULL, __ATOMIC_RELEASE);
        return same ? child : NULL;
    }
    return NULL;
}

/* The new image finds its record through this one's announcement, which must stand until then. */
#define CLAIM_PAUSES   400
#define CLAIM_PAUSE_NS 50000

static void await_claim(const struct detrun_task *child)
{
    struct timespec pause = {.tv_nsec = CLAIM_PAUSE_NS};
    for (int i = 0; i < CLAIM_PAUSES && !shim.alone && lineage_state(child) == DETRUN_PREPARED; i++)
        raw_own(SYS_nanosleep, (long)&pause, 0);
}

long libc_popen(const char *command, const char *mode)
{
    struct detrun_task *child = process_prepare();
    if (!child)
        return (long)REAL_LIBC(popen)(command, mode);
    lineage_next_image(child);
    ENVIRONMENT_ON_STACK(complete, environ, child, image_may_take_shim(), NULL, NULL);
    struct swapped swapped = swap_environment(complete, __builtin_frame_address(0));
    FILE *stream = REAL_LIBC(popen)(command, mode);
    restore_environment(&swapped);
    if (stream)
        await_claim(child);
    task_prepared = NULL;
    if (stream)
        remember(stream, child);
    else
        lineage_abandon(shim.memory, task_current, child);
    return (long)stream;
}

long libc_pclose(FILE *stream)
{
    struct detrun_task *t = task_self();
    struct detrun_task *child = t ? recall(stream) : NULL;
    long result = real_result(REAL_LIBC(pclose)(stream));
    if (child && result >= 0) {
        clock_join(t, child);
        lineage_free(shim.memory, child);
    }
    return result;
}
