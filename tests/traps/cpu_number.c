/* SPDX-License-Identifier: MIT */
/* rseq and getcpu give the number of a processor that there is, and glibc's rseq area stays
 * registered in threads and children. */
#include <pthread.h>
#include <sched.h>
#include <sys/rseq.h>

#include "trap.h"

static void *look(void *unused)
{
    unsigned cpu, node;
    const struct rseq *area =
        (const struct rseq *)((const char *)__builtin_thread_pointer() + __rseq_offset);
    CHECK(sched_getcpu() >= 0 && sched_getcpu() < sysconf(_SC_NPROCESSORS_CONF));
    CHECK(syscall(SYS_getcpu, &cpu, &node, NULL) == 0);
    CHECK((long)cpu < sysconf(_SC_NPROCESSORS_CONF));
    if (__rseq_size > 0)
        CHECK((long)area->cpu_id < sysconf(_SC_NPROCESSORS_CONF));
    return unused;
}

int main(void)
{
    pthread_t thread;
    look(NULL);
    CHECK(pthread_create(&thread, NULL, look, NULL) == 0 && pthread_join(thread, NULL) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        look(NULL);
        _exit(3);
    }
    child_exits(pid, 3);
    return guest_end();
}
