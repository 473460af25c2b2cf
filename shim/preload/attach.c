/* SPDX-License-Identifier: MIT */
#include "attach.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "clock.h"
#include "detrun/context.h"
#include "environment.h"
#include "filetime.h"
#include "init.h"
#include "loaded.h"
#include "pidmap.h"
#include "poison.h"
#include "raw.h"
#include "settings.h"
#include "task.h"
#include "timespec.h"

extern int *__errno_location(void) __attribute__((weak));

#define PAGE 4096

static struct detrun_memory *map(int fd, long flags)
{
    long address = raw6(SYS_mmap, ATTACH_FAR_MEMORY, sizeof(struct detrun_memory),
                        PROT_READ | PROT_WRITE, flags, fd, 0);
    return address > 0 || address < -PAGE ? (struct detrun_memory *)address : NULL;
}

static bool fits(const struct detrun_memory *m)
{
    return m->params.magic == DETRUN_ABI_MAGIC && m->params.version == DETRUN_ABI_VERSION &&
           m->params.size == sizeof(*m);
}

void attach_unmap(struct detrun_memory *m)
{
    raw3(SYS_munmap, (long)m, sizeof(*m), 0);
}

static struct detrun_memory *map_supervised(int fd)
{
    struct detrun_memory *m = map(fd, MAP_SHARED);
    raw3(SYS_close, fd, 0, 0);
    if (!m) {
        raw_private(DETRUN_OP_UNMAPPED, 0, 0, 0);
        return NULL;
    }
    if (!fits(m)) {
        attach_unmap(m);
        return NULL;
    }
    raw3(SYS_mprotect, (long)m, DETRUN_PARAMS_SIZE, PROT_READ);
    return m;
}

static void adopt_context(struct detrun_memory *m, const struct detrun_context *context)
{
    struct detrun_params *p = &m->params;
    memcpy(p->key, context->key, sizeof(p->key));
    p->real = context->real;
    p->cpus = (uint32_t)context->cpus_count;
    p->flags = DETRUN_FLAG_FOREIGN;
    p->job_seed = context->job_seed;
    p->test_seed = context->test_seed;
    p->epoch_ns = context->epoch_ns;
    p->mono_start_ns = context->mono_start_ns;
    memcpy(p->step_ns, context->step_ns, sizeof(p->step_ns));
}

static void resume_task(struct detrun_memory *m, struct detrun_task *t,
                        const struct detrun_context *context)
{
    pidmap_remove(m, t);
    t->lineage = context->lineage;
    t->vpid = t->vtid = pidmap_insert(m, t);
    t->parent_vpid = context->parent_vpid;
    t->generation = context->generation;
    t->children = context->children;
    atomic_store_explicit(&t->base, context->base, memory_order_relaxed);
    atomic_store_explicit(&t->cpus, context->cpus, memory_order_relaxed);
    for (int f = 0; f < DETRUN_FAMILIES; f++)
        atomic_store_explicit(&t->moved[f], context->moved[f], memory_order_relaxed);
}

static bool find_context(struct detrun_context *context)
{
    const char *text = environment_get(init_environment(), DETRUN_ENV_CONTEXT);
    return text && strlen(text) == DETRUN_CONTEXT_TEXT && detrun_context_decode(text, context);
}

bool attach_has_seed(void)
{
    struct detrun_context context;
    struct detrun_params params;
    return find_context(&context) || settings_from_environment(&params, init_environment());
}

/* What the supervisor does for every image, later than it: the stack protector has its word by now.
 */
static void write_random(const struct detrun_memory *m, const struct detrun_task *t)
{
    void *random = (void *)loaded_auxv(init_environment(), AT_RANDOM);
    if (random)
        stream_at(m, t, DETRUN_STREAM_AUXV, 0, random, 16);
}

/* When the job began nobody knows here: what was changed in the last day counts as its own. */
static void choose_file_times(struct detrun_params *p)
{
    struct timespec now;
    raw3(SYS_clock_gettime, CLOCK_REALTIME_COARSE, (long)&now, 0);
    filetime_choose_shift(p, timespec_ns(&now));
    p->file_start_ns -= FILETIME_DAY;
}

static struct detrun_memory *make_alone(void)
{
    struct detrun_memory *m = map(-1, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE);
    if (!m)
        return NULL;
    struct detrun_context context;
    bool resumed = find_context(&context);
    if (resumed)
        adopt_context(m, &context);
    else if (!settings_from_environment(&m->params, init_environment()))
        return NULL;
    m->params.magic = DETRUN_ABI_MAGIC;
    m->params.version = DETRUN_ABI_VERSION;
    m->params.size = sizeof(*m);
    if (!resumed)
        m->params.mono_start_ns = clock_start_of_key(m->params.key);
    choose_file_times(&m->params);
    settings_for_children(&m->params, init_environment());
    shim.alone = true;
    struct detrun_task *outside = lineage_outside(m, LINEAGE_LAUNCHER, raw_identity(SYS_getppid));
    struct detrun_task *t = lineage_root(m, raw_getpid());
    t->parent_vpid = outside->vpid;
    if (resumed)
        resume_task(m, t, &context);
    write_random(m, t);
    return m;
}

/* EINVAL is the kernel's answer, ENOSYS that of a filter whose supervisor is gone; what a filter of
 * somebody else's refuses says nothing, but the context is there only without a supervisor. */
static bool is_alone(long error)
{
    struct detrun_context context;
    return error == -EINVAL || error == -ENOSYS || (error == -EPERM && find_context(&context));
}

/* Where there is a supervisor that cannot hand the job memory over, the shim stays out and the
 * supervisor answers. */
struct detrun_memory *attach_map(uint32_t *index)
{
    long fd = raw_private(DETRUN_OP_ATTACH, DETRUN_ABI_VERSION, sizeof(struct detrun_memory),
                          (long)index);
    if (is_alone(fd))
        return make_alone();
    return fd >= 0 ? map_supervised((int)fd) : NULL;
}

/* The object that holds an address: the one loaded last below it. */
static uintptr_t object_around(uintptr_t address)
{
    uintptr_t best = 0;
    for (const struct link_map *o = loaded_objects(init_environment()); o; o = o->l_next)
        if (o->l_addr <= address && o->l_addr > best)
            best = o->l_addr;
    return best;
}

static bool defines(const struct link_map *o, const char *name)
{
    struct loaded object;
    return o->l_ld && loaded_open(&object, o->l_addr, o->l_ld) && loaded_symbol(&object, name);
}

static bool program_defines(const char *name)
{
    const struct link_map *program = loaded_objects(init_environment());
    return program && defines(program, name);
}

/* LeakSanitizer compares what its raw calls say of itself and of its tracer, and looks for the
 * numbers in /proc. Every sanitizer runtime has an entry for report paths; linked into a program by
 * gcc it shows nothing but its interceptors, of which this one nobody else would define. */
static bool has_sanitizer(void)
{
    if (program_defines("__tls_get_addr"))
        return true;
    for (const struct link_map *o = loaded_objects(init_environment()); o; o = o->l_next)
        if (defines(o, "__sanitizer_set_report_path"))
            return true;
    return false;
}

/* Whoever serves libthread_db (proc_service.h) is told of threads twice: by ptrace and wait, and by
 * the number in the tracee's own memory, which is the kernel's. The two must be the same. */
static bool serves_thread_db(void)
{
    return program_defines("ps_pdread");
}

static uint32_t leave_pids_real(void)
{
    shim.real |= 1U << DETRUN_PID;
    return DETRUN_TASK_RAW_IDS;
}

/* libc's own raw calls of getpid and relatives must stay real: raise() and abort() compare them. */
void attach_describe_image(struct detrun_task *process)
{
    uintptr_t start;
    uintptr_t end;
    uintptr_t libc = object_around((uintptr_t)__errno_location);
    uint32_t flags = DETRUN_TASK_SHIM | DETRUN_TASK_ATTACHED;
    if (libc && loaded_text(libc, &start, &end)) {
        shim.libc_start = start;
        shim.libc_end = end;
    }
    if (has_sanitizer())
        flags |= DETRUN_TASK_RAW_IDS;
    if (serves_thread_db())
        flags |= leave_pids_real();
    shim.image_flags = flags;
    process->guard_reads = CLOCK_GUARD_READS;
    task_take_image(process);
}
