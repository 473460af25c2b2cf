/* SPDX-License-Identifier: MIT */
#include "unfollow.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>

#include "guest.h"
#include "lineage.h"
#include "process.h"

/* How many words an interpreter's own line may put before the name of the script. */
#define SCRIPT_WORDS 8

bool unfollow_matches(const char *patterns, const char *path)
{
    char copy[DETRUN_NO_FOLLOW_SIZE];
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    snprintf(copy, sizeof(copy), "%s", patterns);
    char *rest = copy;
    for (const char *pattern; (pattern = strsep(&rest, ":")) != NULL;)
        if (fnmatch(pattern, strchr(pattern, '/') ? path : name, 0) == 0)
            return true;
    return false;
}

/* A job inside another keeps to what was said of both. */
bool unfollow_is_meant(const struct question *q, const struct image *image)
{
    char path[DETRUN_PATH_SIZE];
    bool read = false;
    for (const struct supervisor_job *job = q->job; job; job = job->outer) {
        const char *patterns = job->memory->params.no_follow;
        if (*patterns == '\0')
            continue;
        if (!read && image_executed_path((int32_t)q->request->pid, image, path, sizeof(path)) != 0)
            return false;
        read = true;
        if (unfollow_matches(patterns, path))
            return true;
    }
    return false;
}

void unfollow_mark(struct detrun_task *process)
{
    atomic_fetch_or_explicit(&process->flags, DETRUN_TASK_UNFOLLOWED, memory_order_release);
}

bool unfollow_any(const struct detrun_memory *m)
{
    return atomic_load_explicit(&m->shared.gaps[DETRUN_GAP_NOT_FOLLOWED], memory_order_relaxed) !=
           0;
}

/* What they hand on to their children, and nobody else in a job has: address randomisation. */
bool unfollow_is_heir(const struct detrun_memory *m, int32_t pid)
{
    long personality = process_personality(pid);
    bool real = (m->params.real >> DETRUN_ASLR & 1) != 0;
    return unfollow_any(m) && !real && personality >= 0 && !(personality & ADDR_NO_RANDOMIZE);
}

static bool is_same_file(int32_t pid, const char *path)
{
    char own[64];
    char seen[DETRUN_PATH_SIZE + 64];
    struct stat a;
    struct stat b;
    snprintf(own, sizeof(own), "/proc/%d/exe", pid);
    snprintf(seen, sizeof(seen), "/proc/%d/%s/%s", pid, path[0] == '/' ? "root" : "cwd", path);
    return stat(own, &a) == 0 && stat(seen, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* @return where the name of the script stands among the arguments; 0: it is none */
static unsigned script_at(int32_t pid, uint64_t argv, const char *path)
{
    char word[DETRUN_PATH_SIZE];
    for (unsigned i = 1; i <= SCRIPT_WORDS; i++) {
        uint64_t address;
        if (guest_read(pid, argv + 8 * i, &address, sizeof(address)) != 0 || address == 0)
            return 0;
        if (guest_read_text(pid, address, word, sizeof(word)) >= 0 && strcmp(word, path) == 0)
            return i;
    }
    return 0;
}

/* As it was named, so that it is called as before. A script's interpreter is found anew, and gets
 * the same words. What is not there under its name (a descriptor that has been closed) is there as
 * /proc/self/exe, which is written below the stack in use. */
static int choose_path(struct unfollow_again *again, const struct image *image)
{
    static const char self[] = "/proc/self/exe";
    char path[DETRUN_PATH_SIZE];
    struct process_call call;
    int32_t pid = (int32_t)again->q->request->pid;
    again->path = image->path;
    again->argv = again->stack.argv;
    long n = guest_read_text(pid, image->path, path, sizeof(path));
    if (n < 0 || is_same_file(pid, path))
        return n < 0 ? (int)n : 0;
    again->argv += 8 * script_at(pid, again->stack.argv, path);
    if (again->argv != again->stack.argv)
        return 0;
    int error = process_call(pid, &call);
    again->path = (call.stack - 1024) & ~UINT64_C(15);
    return error ? error : guest_write(again->q, again->path, self, sizeof(self));
}

static int find_stack(int32_t pid, struct unfollow_stack *stack)
{
    uint64_t start = process_stack_start(pid);
    uint64_t argc;
    int error = start ? guest_read(pid, start, &argc, sizeof(argc)) : -ESRCH;
    if (error)
        return error;
    stack->argv = start + 8;
    stack->envp = stack->argv + 8 * (argc + 1);
    return 0;
}

bool unfollow(struct question *q, const struct image *image)
{
    int32_t pid = (int32_t)q->request->pid;
    long personality = process_personality(pid);
    struct unfollow_again again = {
        .q = q, .personality = (unsigned long)personality & ~(unsigned long)ADDR_NO_RANDOMIZE};
    if (personality >= 0 && find_stack(pid, &again.stack) == 0 && choose_path(&again, image) == 0)
        unfollow_exec(&again);
    supervisor_gap(q, again.done ? DETRUN_GAP_NOT_FOLLOWED : DETRUN_GAP_FOLLOWED);
    return again.answered;
}
