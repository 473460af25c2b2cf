/* SPDX-License-Identifier: MIT */
#include "kill.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

#include "cleanup.h"
#include "lineage.h"
#include "nested.h"
#include "process.h"
#include "real.h"

#define LOOK_EVERY_NS 10000000

static bool is_live_process(const struct detrun_task *t)
{
    int32_t pid = atomic_load_explicit(&t->real_pid, memory_order_relaxed);
    return lineage_state(t) == DETRUN_RUNNING && pid > 1 &&
           pid == atomic_load_explicit(&t->real_tid, memory_order_relaxed);
}

/* Dead, and waited for by nobody: in a container without init that may stay so. */
static bool is_zombie(int32_t pid)
{
    return process_state(pid) == 'Z';
}

static unsigned kill_word(const struct detrun_memory *m, uint32_t word, int signal_number)
{
    unsigned count = 0;
    uint64_t used = atomic_load_explicit(&m->used[word], memory_order_relaxed);
    for (; used; used &= used - 1) {
        const struct detrun_task *t = &m->tasks[word * 64 + (uint32_t)__builtin_ctzll(used)];
        if (is_live_process(t) && kill(t->real_pid, signal_number) == 0 && !is_zombie(t->real_pid))
            count++;
    }
    return count;
}

unsigned kill_recorded(const struct detrun_memory *m, int signal_number)
{
    unsigned count = 0;
    for (uint32_t word = 0; word < DETRUN_USED_WORDS; word++)
        count += kill_word(m, word, signal_number);
    return count;
}

static unsigned kill_inner(pid_t supervisor, const struct detrun_inner *entry, int signal_number)
{
    char path[48];
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", supervisor, entry->supervisor_fd);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct detrun_memory *m =
        fd < 0 ? MAP_FAILED : mmap(NULL, sizeof(*m), PROT_READ, MAP_SHARED, fd, 0);
    if (m == MAP_FAILED)
        return 0;
    unsigned count = kill_recorded(m, signal_number);
    munmap(m, sizeof(*m));
    return count;
}

static unsigned kill_all(const struct kill_scope *scope, int signal_number)
{
    const struct detrun_memory *m = scope->memory;
    unsigned count = kill_recorded(m, signal_number);
    if (m->params.job != 0)
        return count + nested_kill(m->params.job, signal_number);
    for (unsigned i = 0; scope->supervisor > 0 && i < DETRUN_INNER_JOBS; i++)
        if (atomic_load_explicit(&m->shared.inner[i].id, memory_order_acquire) != 0)
            count += kill_inner(scope->supervisor, &m->shared.inner[i], signal_number);
    return count;
}

void kill_job(const struct kill_scope *scope, pid_t command, int signal_number)
{
    kill(command, signal_number);
    kill_all(scope, signal_number);
}

void kill_rest(const struct kill_scope *scope, uint64_t deadline_ns)
{
    while (real_now_ns() < deadline_ns && kill_all(scope, 0) != 0)
        real_pause(LOOK_EVERY_NS);
    kill_all(scope, SIGKILL);
}
