/* SPDX-License-Identifier: MIT */
/*
 * Processors: how many there are, which of them a task may run on, and on which it runs. Files that
 * tell of them are in fixed_text.c and machine_text.c.
 */
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "calls.h"
#include "cpus.h"
#include "machine.h"
#include "pids.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "task.h"

unsigned machine_cpus(void)
{
    return task_self() ? cpus_count(&shim.memory->params) : 0;
}

/* Whose set is the job's; NULL: the kernel's answer. */
static struct detrun_task *owner(pid_t pid)
{
    if (machine_cpus() == 0)
        return NULL;
    int real = pids_for_kernel(pid);
    return real == 0 ? task_current : task_by_real(real);
}

static long ask(long nr, pid_t pid, size_t size, const void *set)
{
    return raw6(nr, pids_for_kernel(pid), (long)size, (long)set, 0, 0, (long)DETRUN_PASS);
}

long call_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    const struct detrun_task *t = owner(pid);
    if (!t)
        return ask(SYS_sched_getaffinity, pid, size, set);
    long written = cpus_written(size);
    uint64_t cpus = cpus_of(&shim.memory->params, t);
    if (written < 0)
        return written;
    if (reach_writable(set, sizeof(cpus)) != sizeof(cpus))
        return -EFAULT;
    memcpy(set, &cpus, sizeof(cpus));
    return written;
}

/* The kernel says how much of the set it wrote; libc clears the rest and says 0. */
long libc_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    long written = call_sched_getaffinity(pid, size < INT32_MAX ? size : INT32_MAX, set);
    if (written < 0)
        return written;
    memset((uint8_t *)set + written, 0, size - (size_t)written);
    return 0;
}

long call_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    struct detrun_task *t = owner(pid);
    if (!t)
        return ask(SYS_sched_setaffinity, pid, size, set);
    uint64_t cpus = 0;
    size_t n = size < sizeof(cpus) ? size : sizeof(cpus);
    if (!reach_readable(set, n))
        return -EFAULT;
    memcpy(&cpus, set, n);
    return cpus_set(&shim.memory->params, t, cpus);
}

/* The first one that the calling thread may run on, whichever it does run on just now. */
static unsigned present(void)
{
    uint64_t set[CPUS_MACHINE_WORDS] = {0};
    if (machine_cpus() != 0)
        return cpus_first(cpus_of(&shim.memory->params, task_current));
    ask(SYS_sched_getaffinity, 0, sizeof(set), set);
    return cpus_first_of_machine(set);
}

static bool answers(void)
{
    return task_self() && !task_leaves_real(DETRUN_CPUS) && !shim.sandboxed;
}

static bool put(unsigned *to, unsigned number)
{
    bool there = !to || reach_writable(to, sizeof(*to)) == sizeof(*to);
    if (to && there)
        *to = number;
    return there;
}

long call_getcpu(unsigned *cpu, unsigned *node)
{
    if (!answers())
        return raw6(SYS_getcpu, (long)cpu, (long)node, 0, 0, 0, (long)DETRUN_PASS);
    return put(cpu, present()) && put(node, 0) ? 0 : -EFAULT;
}

long libc_sched_getcpu(void)
{
    return answers() ? (long)present() : real_result(REAL_LIBC(sched_getcpu)());
}

/* glibc counts those of the machine that run, musl those that the caller may run on. */
static long running(void)
{
    if (machine_cpus() == 0)
        return 0;
    return (long)(shim.glibc ? machine_cpus()
                             : cpus_in(cpus_of(&shim.memory->params, task_current)));
}

long libc_get_nprocs(void)
{
    long n = running();
    return n ? n : REAL_LIBC(get_nprocs)();
}

long libc_get_nprocs_conf(void)
{
    long n = running();
    return n ? n : REAL_LIBC(get_nprocs_conf)();
}

long machine_configured(int name)
{
    return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? running() : 0;
}
