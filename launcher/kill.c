/* SPDX-License-Identifier: MIT */
#include "kill.h"

#include <signal.h>
#include <time.h>

#include "lineage.h"
#include "supervisor.h"

#define LOOK_EVERY_NS 10000000

static bool is_live_process(const struct detrun_task *t)
{
    int32_t pid = atomic_load_explicit(&t->real_pid, memory_order_relaxed);
    return lineage_state(t) == DETRUN_RUNNING && pid > 1 &&
           pid == atomic_load_explicit(&t->real_tid, memory_order_relaxed);
}

static unsigned kill_word(const struct detrun_memory *m, uint32_t word, int signal_number)
{
    unsigned count = 0;
    uint64_t used = atomic_load_explicit(&m->used[word], memory_order_relaxed);
    for (; used; used &= used - 1) {
        const struct detrun_task *t = &m->tasks[word * 64 + (uint32_t)__builtin_ctzll(used)];
        if (is_live_process(t) && kill(t->real_pid, signal_number) == 0)
            count++;
    }
    return count;
}

static unsigned kill_recorded(const struct detrun_memory *m, int signal_number)
{
    unsigned count = 0;
    for (uint32_t word = 0; word < DETRUN_USED_WORDS; word++)
        count += kill_word(m, word, signal_number);
    return count;
}

unsigned kill_job(const struct detrun_memory *m, pid_t command, int signal_number)
{
    kill(command, signal_number);
    return kill_recorded(m, signal_number);
}

void kill_rest(const struct detrun_memory *m, uint64_t deadline_ns)
{
    struct timespec pause = {0, LOOK_EVERY_NS};
    while (supervisor_now_ns() < deadline_ns && kill_recorded(m, 0) != 0)
        nanosleep(&pause, NULL);
    kill_recorded(m, SIGKILL);
}
