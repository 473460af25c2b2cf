/* SPDX-License-Identifier: MIT */
/*
 * Calls that take a pid and have nothing else of ours in them: virtual in, the kernel's answer out.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "calls.h"
#include "pids.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "sandbox.h"
#include "task.h"

long call_sched_getparam(pid_t pid, struct sched_param *param)
{
    return raw3(SYS_sched_getparam, pids_for_kernel(pid), (long)param, 0);
}

long call_sched_setparam(pid_t pid, const struct sched_param *param)
{
    return raw3(SYS_sched_setparam, pids_for_kernel(pid), (long)param, 0);
}

long call_sched_getscheduler(pid_t pid)
{
    return raw3(SYS_sched_getscheduler, pids_for_kernel(pid), 0, 0);
}

long call_sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
    return raw3(SYS_sched_setscheduler, pids_for_kernel(pid), policy, (long)param);
}

long call_sched_rr_get_interval(pid_t pid, struct timespec *interval)
{
    return raw3(SYS_sched_rr_get_interval, pids_for_kernel(pid), (long)interval, 0);
}

long call_sched_getattr(pid_t pid, void *attributes, unsigned size, unsigned flags)
{
    return raw4(SYS_sched_getattr, pids_for_kernel(pid), (long)attributes, size, flags);
}

long call_sched_setattr(pid_t pid, void *attributes, unsigned flags)
{
    return raw3(SYS_sched_setattr, pids_for_kernel(pid), (long)attributes, flags);
}

/* PRIO_USER and IOPRIO_WHO_USER name a user. Both lists begin with 0 or 1 for a process. */
static long priority_target(int which, int who)
{
    return which == PRIO_PROCESS || which == PRIO_PGRP ? pids_to_real(who) : who;
}

long call_getpriority(int which, int who)
{
    return raw3(SYS_getpriority, which, priority_target(which, who), 0);
}

long call_setpriority(__priority_which_t which, id_t who, int priority)
{
    return raw3(SYS_setpriority, (long)which, priority_target((int)which, (int)who), priority);
}

enum io_priority_target { IO_PROCESS = 1, IO_GROUP = 2 }; /* linux/ioprio.h */

static long io_priority_target(int which, int who)
{
    return which == IO_PROCESS || which == IO_GROUP ? pids_to_real(who) : who;
}

long call_ioprio_get(int which, int who)
{
    return raw3(SYS_ioprio_get, which, io_priority_target(which, who), 0);
}

long call_ioprio_set(int which, int who, int priority)
{
    return raw3(SYS_ioprio_set, which, io_priority_target(which, who), priority);
}

long call_prlimit64(pid_t pid, enum __rlimit_resource resource, const struct rlimit64 *limit,
                    struct rlimit64 *old)
{
    return raw4(SYS_prlimit64, pids_to_real(pid), (long)resource, (long)limit, (long)old);
}

/* One layout on x86-64. */
long libc_prlimit(pid_t pid, enum __rlimit_resource resource, const struct rlimit *limit,
                  struct rlimit *old)
{
    return call_prlimit64(pid, resource, (const void *)limit, (void *)old);
}

/* The kernel writes the version it wants into a header of another one. */
static long with_capability_header(long nr, void *header, long data)
{
    struct __user_cap_header_struct *asked = header;
    if (!reach_readable(header, sizeof(*asked)))
        return raw3(nr, (long)header, data, 0);
    struct __user_cap_header_struct own = *asked;
    own.pid = pids_to_real(own.pid);
    long result = raw3(nr, (long)&own, data, 0);
    if (own.version != asked->version &&
        reach_writable(header, sizeof(own.version)) == sizeof(own.version))
        asked->version = own.version;
    return result;
}

long call_capget(void *header, void *data)
{
    return with_capability_header(SYS_capget, header, (long)data);
}

long call_capset(void *header, const void *data)
{
    return with_capability_header(SYS_capset, header, (long)data);
}

long call_get_robust_list(int pid, void **head, size_t *size)
{
    return raw3(SYS_get_robust_list, pids_to_real(pid), (long)head, (long)size);
}

long call_kcmp(pid_t one, pid_t other, int type, unsigned long index, unsigned long other_index)
{
    return raw6(SYS_kcmp, pids_to_real(one), pids_to_real(other), type, (long)index,
                (long)other_index, 0);
}

long call_pidfd_open(pid_t pid, unsigned flags)
{
    return raw3(SYS_pidfd_open, pids_to_real(pid), flags, 0);
}

long call_process_vm_readv(pid_t pid, const struct iovec *to, unsigned long parts,
                           const struct iovec *from, unsigned long remote_parts,
                           unsigned long flags)
{
    return raw6(SYS_process_vm_readv, pids_to_real(pid), (long)to, (long)parts, (long)from,
                (long)remote_parts, (long)flags);
}

long call_process_vm_writev(pid_t pid, const struct iovec *from, unsigned long parts,
                            const struct iovec *to, unsigned long remote_parts, unsigned long flags)
{
    return raw6(SYS_process_vm_writev, pids_to_real(pid), (long)from, (long)parts, (long)to,
                (long)remote_parts, (long)flags);
}

long call_migrate_pages(int pid, unsigned long nodes, const unsigned long *from,
                        const unsigned long *to)
{
    return raw4(SYS_migrate_pages, pids_to_real(pid), (long)nodes, (long)from, (long)to);
}

long call_move_pages(int pid, unsigned long pages, const void **addresses, const int *nodes,
                     int *status, int flags)
{
    return raw6(SYS_move_pages, pids_to_real(pid), (long)pages, (long)addresses, (long)nodes,
                (long)status, flags);
}

long call_perf_event_open(void *attributes, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
    return raw6(SYS_perf_event_open, (long)attributes, pids_to_real(pid), cpu, group_fd,
                (long)flags, 0);
}

long call_set_tid_address(int *word)
{
    return pids_to_virtual((int)raw3(SYS_set_tid_address, (long)word, 0, 0));
}

/* Here and not by the supervisor: there may be none. */
static long begin(const struct detrun_begin *test)
{
    struct detrun_task *t = task_self();
    if (!t)
        return -EINVAL;
    lineage_begin(shim.memory, t, test->key);
    return 0;
}

long call_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
    if (option == DETRUN_OPTION && a == DETRUN_OP_BEGIN)
        return begin((const struct detrun_begin *)b);
    if (option == PR_SET_SECCOMP)
        return sandbox_prctl(a, (void *)b);
    if (option == PR_SET_PTRACER && a != PR_SET_PTRACER_ANY)
        a = (unsigned long)pids_to_real((int)a);
    if (option == PR_SCHED_CORE)
        b = (unsigned long)pids_to_real((int)b);
    return raw6(SYS_prctl, option, (long)a, (long)b, (long)c, (long)d, 0);
}
