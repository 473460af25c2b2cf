/* SPDX-License-Identifier: MIT */
#include "task.h"

#include <string.h>
#include <sys/mman.h>

#include "attach.h"
#include "init.h"
#include "owned.h"
#include "poison.h"
#include "raw.h"
#include "tracing.h"

static const volatile uint8_t never_marked;

struct shim_state shim = {.fork_mark = &never_marked};
__thread struct detrun_task *task_current;
__thread struct stream_cache task_cache;
__thread struct detrun_task *task_record;
__thread struct detrun_task *task_prepared;

/* A child without a place in the table lives on this record of its own. */
static struct detrun_task spare;

static void set_fork_mark(void)
{
    *(volatile uint8_t *)shim.fork_mark = 1;
}

/* Without a page that a fork wipes, forks of no wrapper go unnoticed. Marked before it is known: a
 * handler may jump out of here. */
static void make_fork_mark(void)
{
    static volatile uint8_t unwiped;
    if (shim.fork_mark != &never_marked)
        return;
    long page = raw6(SYS_mmap, ATTACH_FAR_MARK, 4096, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool wipes = page > 0 && raw3(SYS_madvise, page, 4096, MADV_WIPEONFORK) == 0;
    volatile uint8_t *mark = wipes ? (volatile uint8_t *)page : &unwiped;
    *mark = 1;
    __atomic_store_n(&shim.fork_mark, mark, __ATOMIC_RELEASE);
}

struct detrun_task *task_by_real(int tid)
{
    uint32_t space = task_current ? task_current->space : 0;
    return space ? lineage_by_inner(shim.memory, space, tid) : lineage_by_real(shim.memory, tid);
}

int task_real_id(const struct detrun_task *t)
{
    uint32_t space = task_current ? task_current->space : 0;
    if (space == 0)
        return atomic_load_explicit(&t->real_tid, memory_order_acquire);
    return t->space == space ? atomic_load_explicit(&t->inner_tid, memory_order_acquire) : 0;
}

/* In a pid namespace of its own a process has another number than the one it is bound under, if
 * there is a supervisor that binds it. */
static void enter_space(const struct detrun_memory *m, struct detrun_task *process, int pid)
{
    int32_t real = atomic_load_explicit(&process->real_pid, memory_order_relaxed);
    if (process->space == 0 && (pid == 1 || (real != 0 && real != pid)))
        process->space = lineage_index(m, process);
    if (process->space != 0)
        atomic_store_explicit(&process->inner_tid, pid, memory_order_release);
}

static void claim_thread(struct detrun_memory *m, struct detrun_task *t, int pid, int tid)
{
    const struct detrun_task *process = lineage_process(m, t);
    if (t->space == 0) {
        lineage_claim(m, t, pid, tid);
        return;
    }
    atomic_store_explicit(&t->inner_tid, tid, memory_order_release);
    lineage_claim(m, t, atomic_load_explicit(&process->real_pid, memory_order_relaxed), 0);
}

/* @param index  of the process, from who knows it by its number outside; 0: not known */
static struct detrun_task *claim_own_record(struct detrun_memory *m, uint32_t index)
{
    int tid = raw_gettid();
    int pid = raw_getpid();
    struct detrun_task *process =
        index ? &m->tasks[index % DETRUN_MAX_TASKS] : lineage_by_real(m, pid);
    if (!process)
        return NULL;
    enter_space(m, process, pid);
    attach_describe_image(process);
    if (tid == pid)
        return process;
    struct detrun_task *t = lineage_prepare(m, process, LINEAGE_THREAD);
    if (t)
        claim_thread(m, t, pid, tid);
    return t;
}

/* Whoever is interrupted or overtaken here finds that it was done, by the same means. */
static struct detrun_task *attach_process(void)
{
    struct detrun_memory *none = NULL;
    if (!shim.on || shim.failed)
        return NULL;
    uint32_t index = 0;
    struct detrun_memory *m = attach_map(&index);
    struct detrun_task *t = m ? claim_own_record(m, index) : NULL;
    if (!t) {
        shim.failed = true;
        return NULL;
    }
    make_fork_mark();
    shim.vpid = t->vpid;
    bool serves_debugger = (shim.real & ~m->params.real) != 0;
    shim.real |= m->params.real;
    if (!__atomic_compare_exchange_n(&shim.memory, &none, m, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        if (t->vtid != t->vpid)
            lineage_free(m, t);
        attach_unmap(m);
        return task_self();
    }
    if (serves_debugger)
        lineage_count_gap(m, DETRUN_GAP_THREAD_DB);
    if (shim.vdso_refused)
        lineage_count_gap(m, DETRUN_GAP_VDSO_REFUSED);
    task_current = t;
    tracing_begin();
    return t;
}

/* A fork that passed our wrappers by, or one whose child is still in libc, in a handler of
 * pthread_atfork: claim what a wrapper further out prepared, else a new place. */
static struct detrun_task *attach_fork(struct detrun_task *parent)
{
    struct detrun_memory *m = shim.memory;
    struct detrun_task *t = task_prepared;
    if (!t || lineage_state(t) == DETRUN_FREE) {
        t = lineage_prepare(m, parent, LINEAGE_PROCESS);
        lineage_count_gap(m, DETRUN_GAP_UNATTRIBUTED);
    }
    task_become(t, false);
    return task_current;
}

static uintptr_t own_handle(void)
{
    uintptr_t self;
    __asm__("movq %%fs:0, %0" : "=r"(self));
    return self;
}

/* While a thread is being created its record holds the address its handle goes to, then the
 * handle; that one's first word is itself, so that either leads to it. */
static bool is_started_under(const struct detrun_task *t)
{
    uint64_t handle = __atomic_load_n(&t->handle, __ATOMIC_ACQUIRE);
    return lineage_state(t) == DETRUN_PREPARED && t->vpid == shim.vpid &&
           (atomic_load_explicit(&t->flags, memory_order_relaxed) & DETRUN_TASK_THREAD) &&
           handle != 0 && *(const uintptr_t *)(uintptr_t)handle == own_handle();
}

static struct detrun_task *find_started(struct detrun_memory *m)
{
    for (uint32_t word = 0; word < DETRUN_USED_WORDS; word++) {
        uint64_t used = atomic_load_explicit(&m->used[word], memory_order_relaxed);
        for (; used; used &= used - 1) {
            struct detrun_task *t = &m->tasks[word * 64 + (uint32_t)__builtin_ctzll(used)];
            if (is_started_under(t))
                return t;
        }
    }
    return NULL;
}

/* Who wraps pthread_create behind us (a sanitizer, say) runs in the new thread before we do. */
static struct detrun_task *claim_started(struct detrun_memory *m)
{
    struct detrun_task *t = find_started(m);
    if (t)
        claim_thread(m, t, raw_getpid(), raw_gettid());
    return t;
}

static struct detrun_task *attach_thread(void)
{
    struct detrun_task *t = claim_started(shim.memory);
    if (!t) {
        /* ld.so clears what a thread has when all is relocated: the first one may come again. */
        struct detrun_task *own = lineage_by_vpid(shim.memory, (int32_t)shim.vpid);
        t = claim_own_record(shim.memory, own ? lineage_index(shim.memory, own) : 0);
        if (t && t->vtid != t->vpid)
            lineage_count_gap(shim.memory, DETRUN_GAP_UNATTRIBUTED);
    }
    task_current = t;
    return t;
}

struct detrun_task *task_attach(void)
{
    if (!__atomic_load_n(&shim.memory, __ATOMIC_ACQUIRE)) {
        init_early();
        return task_current ? task_current : attach_process();
    }
    if (*shim.fork_mark == 0)
        return task_current ? attach_fork(task_current) : attach_thread();
    return task_current ? task_current : attach_thread();
}

/* Not from the parent's record: a thread's does not have it, and a parent that has ended has none.
 */
void task_take_image(struct detrun_task *process)
{
    process->libc_start = shim.libc_start;
    process->libc_end = shim.libc_end;
    atomic_fetch_or_explicit(&process->flags, shim.image_flags, memory_order_release);
}

static void leave_parent(const struct detrun_task *t)
{
    set_fork_mark();
    if (t)
        shim.vpid = t->vpid;
}

void task_become(struct detrun_task *t, bool shares)
{
    struct detrun_task *parent = task_current;
    task_prepared = NULL;
    if (!shares)
        leave_parent(t);
    if (!t) {
        lineage_private(shim.memory, parent, &spare);
        task_current = &spare;
        return;
    }
    task_take_image(t);
    int pid = shim.sandboxed ? 0 : raw_getpid();
    if (pid == 1)
        t->space = lineage_index(shim.memory, t);
    if (t->space != 0)
        atomic_store_explicit(&t->inner_tid, pid, memory_order_release);
    else if (pid > 0)
        lineage_claim(shim.memory, t, pid, pid);
    task_current = t;
}

static int real_pid_of_process(const struct detrun_task *t)
{
    const struct detrun_task *process = &shim.memory->tasks[t->process % DETRUN_MAX_TASKS];
    return atomic_load_explicit(&process->real_pid, memory_order_relaxed);
}

void task_start_thread(struct detrun_task *t)
{
    int tid = shim.tids_hidden ? 0 : raw_gettid();
    claim_thread(shim.memory, t, shim.sandboxed ? real_pid_of_process(t) : raw_getpid(), tid);
    task_record = t;
    task_current = t;
}

struct detrun_task *task_of_pthread(unsigned long thread)
{
    return *(struct detrun_task **)(thread + ((uintptr_t)&task_record - own_handle()));
}
