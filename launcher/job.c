/* SPDX-License-Identifier: MIT */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "clock.h"
#include "code_cache.h"
#include "detrun/context.h"
#include "environment.h"
#include "filetime.h"
#include "inode.h"
#include "lineage.h"
#include "memory.h"
#include "nested.h"
#include "real.h"
#include "room.h"
#include "substitute.h"

/* Beside the folder of the launcher: the build tree, then installed ones. */
static const char *const library_folders[] = {"lib", DETRUN_LIBDIR "/detrun", "lib/detrun"};

static void cut_last(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
}

int job_find_library(char *library, char *error, size_t room)
{
    char prefix[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", prefix, sizeof(prefix) - 1);
    if (n <= 0) {
        snprintf(error, room, "cannot read /proc/self/exe: %s; mount /proc", strerror(errno));
        return -ENOENT;
    }
    prefix[n] = '\0';
    cut_last(prefix);
    cut_last(prefix);
    for (size_t i = 0; i < sizeof(library_folders) / sizeof(library_folders[0]); i++) {
        int length = snprintf(library, DETRUN_PATH_SIZE, "%s/%s/%s", prefix, library_folders[i],
                              DETRUN_PRELOAD_NAME);
        if (length < DETRUN_PATH_SIZE && access(library, F_OK) == 0)
            return 0;
    }
    snprintf(error, room,
             "%s is not where detrun looks for it (../lib beside its own folder); "
             "install detrun again",
             DETRUN_PRELOAD_NAME);
    return -ENOENT;
}

static int check_library(const char *library, char *error, size_t room)
{
    if (!strpbrk(library, ": "))
        return 0;
    snprintf(error, room,
             "\"%s\": LD_PRELOAD takes no path with a colon or a blank; install "
             "detrun in another folder",
             library);
    return -EINVAL;
}

static int make_memory(struct job *job, char *error, size_t room)
{
    job->inside = nested_in_a_job();
    job->memory_fd = job->inside ? nested_make(error, room) : memory_open();
    if (job->memory_fd < 0 && !job->inside)
        snprintf(error, room, "cannot make the job memory: %s%s", strerror(-job->memory_fd),
                 room_advice(job->memory_fd));
    return job->memory_fd < 0 ? job->memory_fd : 0;
}

static int map_memory(struct job *job, char *error, size_t room)
{
    int result = make_memory(job, error, room);
    if (result)
        return result;
    void *memory = mmap(NULL, sizeof(struct detrun_memory), PROT_READ | PROT_WRITE, MAP_SHARED,
                        job->memory_fd, 0);
    if (memory == MAP_FAILED) {
        result = -errno;
        snprintf(error, room, "cannot map the job memory: %s%s", strerror(-result),
                 room_advice(result));
        return result;
    }
    job->memory = memory;
    return 0;
}

/* The loaders of 32-bit programs, where their ABI wants them. */
static bool has_foreign_loader(void)
{
    static const char *const loaders[] = {"/lib/ld-linux.so.2", "/lib/ld-musl-i386.so.1",
                                          "/libx32/ld-linux-x32.so.2"};
    for (size_t i = 0; i < sizeof(loaders) / sizeof(loaders[0]); i++)
        if (access(loaders[i], F_OK) == 0)
            return true;
    return false;
}

/* The kernel stamps files by its coarse clock, some milliseconds behind the other. */
static void choose_file_times(struct detrun_params *p)
{
    filetime_choose_shift(p, real_clock_ns(CLOCK_REALTIME_COARSE));
}

/* Files are numbered from here on, so that the same job in another folder numbers them alike. */
static void note_start(struct detrun_params *p)
{
    static const char *const paths[DETRUN_STARTS] = {".", ".."};
    struct stat root;
    struct stat here;
    bool known = stat("/", &root) == 0;
    if (known && stat(".", &here) == 0)
        p->start_dev = here.st_dev;
    for (size_t i = 0; known && i < DETRUN_STARTS && stat(paths[i], &here) == 0; i++) {
        if (here.st_dev == root.st_dev && here.st_ino == root.st_ino)
            return;
        p->starts[i] = (struct detrun_start){here.st_dev, here.st_ino};
    }
}

/* Pipes that the job was given; what has two numbers is the first. */
static void note_pipes(struct detrun_memory *m)
{
    struct stat st;
    struct statfs fs;
    for (int fd = STDERR_FILENO; fd >= STDIN_FILENO; fd--)
        if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && fstatfs(fd, &fs) == 0 &&
            fs.f_type == PIPEFS_MAGIC)
            inode_pipe_given(m, st.st_dev, st.st_ino, fd);
}

static void put_text(char *to, size_t room, const char *text)
{
    snprintf(to, room, "%s", text ? text : "");
}

void job_fill_params(struct detrun_params *p, const struct options *o)
{
    p->magic = DETRUN_ABI_MAGIC;
    p->version = DETRUN_ABI_VERSION;
    p->stream_version = DETRUN_STREAM_VERSION;
    p->size = sizeof(struct detrun_memory);
    seed_key(o->test_seed, p->key);
    p->mono_start_ns = clock_start_of_key(p->key);
    p->job_seed = o->seed.number;
    p->test_seed = o->test_seed;
    p->epoch_ns = o->epoch_ns;
    choose_file_times(p);
    note_start(p);
    p->step_ns[DETRUN_FAMILY_WALL] = o->step_ns;
    p->step_ns[DETRUN_FAMILY_MONO] = o->mono_step_ns;
    p->step_ns[DETRUN_FAMILY_CPU] = o->mono_step_ns;
    p->real = o->real;
    p->max_examples = o->max_examples;
    p->record_limit = o->record_limit;
    p->cpus = (uint32_t)o->cpus;
    p->network = o->network;
    p->seed_encoding = o->seed.encoding;
    p->iteration = (uint32_t)o->run_number;
    p->only_iteration = (uint32_t)o->iteration;
    put_text(p->test_name, sizeof(p->test_name), o->test_name);
    put_text(p->seed_text, sizeof(p->seed_text), o->seed.text);
    put_text(p->redact, sizeof(p->redact), o->redact);
    put_text(p->no_follow, sizeof(p->no_follow), o->no_follow);
    p->flags |= (o->trap_open ? DETRUN_FLAG_TRAP_OPEN : 0) |
                (o->trap_getdents ? DETRUN_FLAG_TRAP_GETDENTS : 0) |
                (o->job_clock ? DETRUN_FLAG_JOB_CLOCK : 0) |
                (o->wait_real ? DETRUN_FLAG_REAL_TIME : 0) |
                (has_foreign_loader() ? DETRUN_FLAG_FOREIGN : 0);
}

/* The command's parent, its group and its session have names of their own inside the job. */
static void name_outside(struct job *job)
{
    int32_t ids[] = {real_getpid(), getpgrp(), getsid(0)};
    for (int i = 0; i < 3; i++) {
        enum lineage_outside which = (enum lineage_outside)(LINEAGE_LAUNCHER + i);
        if (ids[i] <= 0 || lineage_by_real(job->memory, ids[i]))
            continue;
        const struct detrun_task *t = lineage_outside(job->memory, which, ids[i]);
        if (i == 0 && t)
            job->launcher = lineage_index(job->memory, t);
    }
}

/* It takes effect at the next exec. A container may refuse it without saying so. */
static bool switch_aslr_off(void)
{
    int before = personality(0xffffffff);
    if (before < 0)
        return false;
    if (!(before & ADDR_NO_RANDOMIZE))
        personality((unsigned long)before | ADDR_NO_RANDOMIZE);
    int after = personality(0xffffffff);
    return after >= 0 && (after & ADDR_NO_RANDOMIZE);
}

/* What the job around this one switched off. */
static void switch_aslr_on(void)
{
    int before = personality(0xffffffff);
    if (before >= 0)
        personality((unsigned long)before & ~(unsigned long)ADDR_NO_RANDOMIZE);
}

static void choose_aslr(struct job *job)
{
    bool real = job->options->real >> DETRUN_ASLR & 1;
    if (!real)
        job->aslr_off = switch_aslr_off();
    else if (job->inside)
        switch_aslr_on();
}

/* One library in a process: where the outer job has another copy of it, that one. */
static int fit_into_outer(struct job *job, struct options *options, char *error, size_t room)
{
    struct detrun_params *p = &job->memory->params;
    int result = nested_check(options, p, error, room);
    if (result)
        return result;
    nested_take_steps(options, p);
    nested_take_machine(options, p);
    struct detrun_params kept = {
        .job = p->job, .launcher = p->launcher, .flags = p->flags & DETRUN_FLAG_NO_PRIVS};
    strcpy(kept.library, p->library);
    *p = kept;
    return 0;
}

static int out_of_memory(char *error, size_t room)
{
    snprintf(error, room, "out of memory");
    return -ENOMEM;
}

int job_create(struct job *job, struct options *options, char *error, size_t room)
{
    *job = (struct job){.options = options, .memory_fd = -1};
    int result = map_memory(job, error, room);
    if (result)
        return result;
    code_cache_load(job->memory);
    struct detrun_params *p = &job->memory->params;
    result = job->inside ? fit_into_outer(job, options, error, room)
                         : job_find_library(p->library, error, room);
    if (!result)
        result = check_library(p->library, error, room);
    if (result)
        return result;
    job_fill_params(p, options);
    note_pipes(job->memory);
    name_outside(job);
    job->command = substitute_command(options);
    if (!job->command)
        return out_of_memory(error, room);
    command_find(&job->program, job->command[0]);
    bool foreign = command_is_foreign(&job->program);
    if (foreign)
        lineage_count_gap(job->memory, DETRUN_GAP_FOREIGN_ARCH);
    job->environment = environment_build(options, p, !foreign);
    choose_aslr(job);
    if (!job->environment ||
        profile_finish(options->profile, job->environment, job->command, job->program.path) != 0)
        return out_of_memory(error, room);
    return 0;
}

const char *job_refusal(int error)
{
    return error == JOB_FOREIGN_PROC ? "/proc is another pid namespace's" : strerror(-error);
}

void job_end(struct job *job)
{
    code_cache_save(job->memory);
    if (job->inside)
        nested_leave(job->memory->params.job);
}

struct detrun_task *job_bind_command(struct job *job)
{
    struct detrun_memory *m = job->memory;
    const struct detrun_task *launcher = &m->tasks[job->launcher];
    struct detrun_task *root = lineage_root_at(m, real_getpid(), job->options->lineage);
    root->parent = job->launcher;
    root->parent_nonce = atomic_load_explicit(&launcher->nonce, memory_order_relaxed);
    root->parent_vpid = launcher->vpid;
    job->trace_root = *root;
    return root;
}

int job_add_context(struct job *job, const struct detrun_task *root)
{
    static const char name[] = DETRUN_ENV_CONTEXT "=";
    static char entry[sizeof(name) + DETRUN_CONTEXT_TEXT];
    struct detrun_context context;
    detrun_context_from_task(&context, &job->memory->params, root);
    memcpy(entry, name, sizeof(name) - 1);
    detrun_context_encode(&context, entry + sizeof(name) - 1);
    return environment_put(job->environment, entry);
}
