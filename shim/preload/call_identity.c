/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "calls.h"
#include "pids.h"
#include "poison.h"
#include "raw.h"
#include "real.h"
#include "task.h"
#include "waits.h"

static struct detrun_task *answering(void)
{
    struct detrun_task *t = task_self();
    return t && !task_leaves_real(DETRUN_PID) ? t : NULL;
}

long call_getpid(void)
{
    const struct detrun_task *t = answering();
    return t ? (long)lineage_pid(shim.memory, t) : raw3(SYS_getpid, 0, 0, 0);
}

long libc___getpid(void)
{
    return call_getpid();
}

long call_gettid(void)
{
    const struct detrun_task *t = answering();
    return t ? (long)lineage_tid(shim.memory, t) : raw3(SYS_gettid, 0, 0, 0);
}

long call_getppid(void)
{
    const struct detrun_task *t = answering();
    if (!t)
        return raw3(SYS_getppid, 0, 0, 0);
    struct detrun_task *process = lineage_process(shim.memory, task_current);
    return lineage_parent(shim.memory, process, process->space);
}

long call_getpgid(pid_t pid)
{
    return pids_to_virtual((int)raw3(SYS_getpgid, pids_to_real(pid), 0, 0));
}

long call_getpgrp(void)
{
    return call_getpgid(0);
}

long call_setpgid(pid_t pid, pid_t group)
{
    return raw3(SYS_setpgid, pids_to_real(pid), pids_to_real(group), 0);
}

long call_getsid(pid_t pid)
{
    return pids_to_virtual((int)raw3(SYS_getsid, pids_to_real(pid), 0, 0));
}

long call_setsid(void)
{
    return pids_to_virtual((int)raw3(SYS_setsid, 0, 0, 0));
}

static long terminal_id(int fd, unsigned long request)
{
    int id = 0;
    long result = raw3(SYS_ioctl, fd, (long)request, (long)&id);
    return result < 0 ? result : pids_to_virtual(id);
}

long libc_tcgetpgrp(int fd)
{
    return terminal_id(fd, TIOCGPGRP);
}

long libc_tcgetsid(int fd)
{
    return terminal_id(fd, TIOCGSID);
}

long libc_tcsetpgrp(int fd, pid_t group)
{
    int real = pids_to_real(group);
    return raw3(SYS_ioctl, fd, TIOCSPGRP, (long)&real);
}

/* Whether another process is still there: see waiting for children. */
static bool only_asks(pid_t pid, int signal)
{
    const struct detrun_task *t = task_self();
    return t && signal == 0 && pid > 0 && (uint32_t)pid != t->vpid;
}

long call_kill(pid_t pid, int signal)
{
    waits_signal();
    long result = raw3(SYS_kill, pids_to_real(pid), signal, 0);
    if (result == 0 && only_asks(pid, signal) && waits_settle(task_current))
        result = raw3(SYS_kill, pids_to_real(pid), signal, 0);
    return result;
}

long libc_killpg(pid_t group, int signal)
{
    return group < 0 ? -EINVAL : call_kill(-group, signal);
}

long call_tgkill(pid_t pid, pid_t tid, int signal)
{
    waits_signal();
    return raw3(SYS_tgkill, pids_to_real(pid), pids_to_real(tid), signal);
}

long call_tkill(pid_t tid, int signal)
{
    waits_signal();
    return raw3(SYS_tkill, pids_to_real(tid), signal, 0);
}

long libc_sigqueue(pid_t pid, int signal, const union sigval value)
{
    waits_signal();
    return real_result(REAL_LIBC(sigqueue)(pids_to_real(pid), signal, value));
}
