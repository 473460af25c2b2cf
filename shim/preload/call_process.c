/* SPDX-License-Identifier: MIT */
/*
 * Starting processes. Every way prepares the child's record first and settles it afterwards; a
 * vfork child runs on its parent's memory, so what it changes there (task_current) the parent sets
 * back.
 */
#include <errno.h>
#include <pty.h>
#include <sched.h>
#include <unistd.h>

#include "calls.h"
#include "errno_edge.h"
#include "poison.h"
#include "process.h"
#include "raw.h"
#include "real.h"
#include "task.h"

struct detrun_task *process_prepare(void)
{
    struct detrun_task *t = task_self();
    if (!t)
        return NULL;
    task_prepared = lineage_prepare(shim.memory, t, LINEAGE_PROCESS);
    return task_prepared;
}

/* In the creator: the child is there under this real pid, or is not (-errno). */
static long settle(struct detrun_task *child, long real)
{
    struct detrun_task *t = task_current;
    task_prepared = NULL;
    if (!t)
        return real;
    if (real < 0) {
        lineage_abandon(shim.memory, t, child);
        return real;
    }
    if (!child)
        return real;
    if (t->space != 0)
        atomic_store_explicit(&child->inner_tid, (int32_t)real, memory_order_release);
    lineage_confirm(shim.memory, child, t->space != 0 ? 0 : (int32_t)real);
    atomic_fetch_add_explicit(&t->living, 1, memory_order_acq_rel);
    return task_leaves_real(DETRUN_PID) ? real : (long)child->vpid;
}

static long forked(struct detrun_task *child, long real, bool shares)
{
    if (real != 0)
        return settle(child, real);
    if (task_current)
        task_become(child, shares);
    return 0;
}

long process_forked(struct detrun_task *child, long real)
{
    return forked(child, real, false);
}

long libc_fork(void)
{
    struct detrun_task *child = process_prepare();
    return process_forked(child, real_result(REAL_LIBC(fork)()));
}

long libc__Fork(void)
{
    struct detrun_task *child = process_prepare();
    return process_forked(child, real_result(REAL_LIBC(_Fork)()));
}

long process_raw_fork(void)
{
    struct detrun_task *child = process_prepare();
    return process_forked(child, raw3(SYS_fork, 0, 0, 0));
}

long process_after_vfork(long result, struct detrun_task *child)
{
    if (!child)
        return errno_edge(result);
    if (result != 0)
        task_current = &shim.memory->tasks[child->parent];
    return errno_edge(forked(child, result, true));
}

/* Without CLONE_VM the child has a copy of this frame; with CLONE_VFORK the creator waits on it. */
struct start {
    const struct process_clone *request;
    struct detrun_task *child;
};

static int clone_child(void *argument)
{
    const struct start *start = argument;
    int (*fn)(void *) = start->request->fn;
    void *fn_argument = start->request->argument;
    forked(start->child, 0, (start->request->flags & CLONE_VM) != 0);
    return fn(fn_argument);
}

static long real_clone(const struct process_clone *r, int (*fn)(void *), void *argument)
{
    return real_result(
        REAL_LIBC(clone)(fn, r->stack, r->flags, argument, r->parent_tid, r->tls, r->child_tid));
}

/* A child that runs beside its creator on one memory: where it has its thread pointer, too, what it
 * asks is answered as its creator. Its name is its own, for who waits for it. */
static bool runs_beside(long flags)
{
    return (flags & CLONE_VM) && !((flags & CLONE_VFORK) && !(flags & CLONE_SETTLS));
}

long process_clone(const struct process_clone *request)
{
    bool beside = runs_beside(request->flags);
    bool good = request->fn && request->stack && !(request->flags & CLONE_THREAD);
    struct detrun_task *child = good ? process_prepare() : NULL;
    if (!child)
        return real_clone(request, request->fn, request->argument);
    struct detrun_task *creator = task_current;
    struct start start = {request, child};
    long real = beside ? real_clone(request, request->fn, request->argument)
                       : real_clone(request, clone_child, &start);
    task_current = creator;
    if (beside && real > 0 && !(request->flags & CLONE_SETTLS))
        lineage_count_gap(shim.memory, DETRUN_GAP_UNATTRIBUTED);
    long result = settle(child, real);
    if (result > 0 && (request->flags & CLONE_PARENT_SETTID) && request->parent_tid)
        *(int *)request->parent_tid = (int)result;
    return result;
}

long process_raw_clone(long flags, long stack, long parent_tid, long child_tid, long tls)
{
    if ((flags & CLONE_VM) || stack)
        return raw6(SYS_clone, flags, stack, parent_tid, child_tid, tls, 0);
    struct detrun_task *child = process_prepare();
    return process_forked(child, raw6(SYS_clone, flags, stack, parent_tid, child_tid, tls, 0));
}

long process_raw_clone3(const uint64_t *arguments, size_t size)
{
    enum { FLAGS = 0, STACK = 5 }; /* struct clone_args of linux/sched.h */
    if (!arguments || size < 64 || (arguments[FLAGS] & CLONE_VM) || arguments[STACK])
        return raw3(SYS_clone3, (long)arguments, (long)size, 0);
    struct detrun_task *child = process_prepare();
    return process_forked(child, raw3(SYS_clone3, (long)arguments, (long)size, 0));
}

long libc_daemon(int keep_folder, int keep_descriptors)
{
    struct detrun_task *child = process_prepare();
    long result = real_result(REAL_LIBC(daemon)(keep_folder, keep_descriptors));
    if (result < 0)
        return settle(child, result);
    return process_forked(child, 0);
}

long libc_forkpty(int *fd, char *name, const struct termios *attributes, const struct winsize *size)
{
    struct detrun_task *child = process_prepare();
    return process_forked(child, real_result(REAL_LIBC(forkpty)(fd, name, attributes, size)));
}
