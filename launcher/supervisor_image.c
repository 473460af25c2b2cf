/* SPDX-License-Identifier: MIT */
/*
 * arch_prctl(ARCH_SET_FS) is the first thing that the C library, musl or Go of a new image asks
 * of the kernel once it is set up, and comes before the stack protector reads AT_RANDOM.
 */
#include <stdio.h>
#include <unistd.h>

#include "cleanup.h"
#include "clock.h"
#include "guest.h"
#include "image.h"
#include "lineage.h"
#include "stream.h"
#include "timers.h"
#include "unfollow.h"

static void write_random(struct question *q, const struct image *image)
{
    uint8_t bytes[16];
    uint64_t position = (uint64_t)q->process->images * sizeof(bytes);
    if (supervisor_is_real(q, DETRUN_RANDOM))
        return;
    stream_at(q->m, q->process, DETRUN_STREAM_AUXV, position, bytes, sizeof(bytes));
    if (guest_write(q, image->random, bytes, sizeof(bytes)) != 0)
        supervisor_gap(q, DETRUN_GAP_AUXV_REFUSED);
}

/* The kernel ends a stack with a word of zero behind the program's path. It says to the shim that
 * there is a trace, which has to be known at once and must cost the others nothing. */
static void mark_traced(struct question *q, const struct image *image)
{
    char path[DETRUN_PATH_SIZE];
    const char one = 1;
    long n = q->m->params.flags & DETRUN_FLAG_TRACE
                 ? guest_read_text((int32_t)q->request->pid, image->path, path, sizeof(path))
                 : -1;
    if (n >= 0)
        guest_write(q, image->path + (uint64_t)n + 1, &one, sizeof(one));
}

/* Another root folder may not hold the library: ld.so then goes on without it. As long as nobody
 * has changed what lies under /, it lies where the launcher found it; a look through /proc costs
 * 20 us an exec. */
static bool library_is_reachable(const struct question *q)
{
    char path[DETRUN_PATH_SIZE + 32];
    if (!q->s->roots_differ)
        return true;
    snprintf(path, sizeof(path), "/proc/%u/root%s", q->request->pid, q->m->params.library);
    return access(path, R_OK) == 0;
}

static bool shim_will_come(const struct question *q, const struct image *image)
{
    return image->interpreter != 0 && !image->secure &&
           image_environment_names((int32_t)q->request->pid, image, q->m->params.library) &&
           library_is_reachable(q);
}

static void patch_go(struct question *q, int mem, const struct image *image)
{
    uint64_t bias;
    if (!image_is_go(q, image, &bias))
        return;
    atomic_fetch_or_explicit(&q->process->flags, DETRUN_TASK_GO, memory_order_release);
    if (!supervisor_is_real(q, DETRUN_TSC) && image_patch_go(q, mem, bias) != 0)
        supervisor_gap(q, DETRUN_GAP_UNWRITABLE);
}

static void patch(struct question *q, const struct image *image)
{
    AUTO_CLOSE int mem = guest_open_memory(q);
    if (mem < 0) {
        supervisor_gap(q, DETRUN_GAP_UNWRITABLE);
        return;
    }
    if (image->vdso && image_patch_vdso(q, mem, image->vdso) != 0)
        supervisor_gap(q, DETRUN_GAP_VDSO_REFUSED);
    patch_go(q, mem, image);
}

static void forget_old_image(struct detrun_task *process)
{
    uint32_t flags = DETRUN_TASK_SHIM | DETRUN_TASK_ATTACHED | DETRUN_TASK_GO | DETRUN_TASK_RAW_IDS;
    atomic_fetch_and_explicit(&process->flags, ~flags, memory_order_release);
    process->guard_reads = CLOCK_GUARD_READS_NOTIFIED;
    process->libc_start = 0;
    process->libc_end = 0;
}

static void trace_program(const struct question *q, const struct image *image)
{
    char path[DETRUN_PATH_SIZE];
    if ((q->m->params.flags & DETRUN_FLAG_TRACE) &&
        guest_read_text((int32_t)q->request->pid, image->path, path, sizeof(path)) >= 0)
        trace_image(q, path);
}

static void go_without_shim(struct question *q, const struct image *image)
{
    supervisor_gap(q, DETRUN_GAP_NO_SHIM);
    if (image->secure)
        supervisor_gap(q, DETRUN_GAP_SETUID);
    if (!(q->m->params.flags & DETRUN_FLAG_TRAP_OPEN))
        supervisor_gap(q, DETRUN_GAP_STATIC_DEVICE);
    patch(q, image);
    trace_program(q, image);
}

void image_without_shim(struct question *q)
{
    struct image image;
    forget_old_image(q->process);
    if (image_read((int32_t)q->request->pid, &image) == 0)
        go_without_shim(q, &image);
    else
        supervisor_gap(q, DETRUN_GAP_UNWRITABLE);
}

long answer_arch_prctl(struct question *q)
{
    struct image image;
    int32_t pid = (int32_t)q->request->pid;
    if (atomic_load_explicit(&q->process->real_tid, memory_order_relaxed) != pid)
        return ANSWER_CONTINUE;
    forget_old_image(q->process);
    timers_forget_image(q);
    if (image_read(pid, &image) != 0) {
        supervisor_gap(q, DETRUN_GAP_AUXV_REFUSED);
        return ANSWER_CONTINUE;
    }
    if (unfollow_is_meant(q, &image) && unfollow(q, &image))
        return ANSWER_SENT;
    write_random(q, &image);
    mark_traced(q, &image);
    if (q->m->params.flags & DETRUN_FLAG_NO_PRIVS)
        image_count_privileges(q, &image);
    q->process->images++;
    if (shim_will_come(q, &image))
        atomic_fetch_or_explicit(&q->process->flags, DETRUN_TASK_SHIM, memory_order_release);
    else
        go_without_shim(q, &image);
    return ANSWER_CONTINUE;
}

/* Let through, and remembered: what lies under / may be another's from now on. */
#define ROOT_CHANGES(name)                                                                         \
    long answer_##name(struct question *q)                                                         \
    {                                                                                              \
        q->s->roots_differ = true;                                                                 \
        atomic_store_explicit(&q->m->shared.roots_differ, 1, memory_order_release);                \
        return ANSWER_CONTINUE;                                                                    \
    }

ROOT_CHANGES(chroot)
ROOT_CHANGES(pivot_root)
ROOT_CHANGES(mount)
ROOT_CHANGES(umount2)
ROOT_CHANGES(move_mount)
ROOT_CHANGES(setns)
