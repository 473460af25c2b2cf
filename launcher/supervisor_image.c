/* SPDX-License-Identifier: MIT */
/*
 * arch_prctl(ARCH_SET_FS) is the first thing that the C library, musl or Go of a new image asks
 * of the kernel once it is set up, and comes before the stack protector reads AT_RANDOM.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "guest.h"
#include "image.h"
#include "lineage.h"
#include "stream.h"

#define AUXV_ROOM 64
#define ENVIRONMENT_CHUNK 65536
#define OVERLAP 8192

static int read_image(int32_t pid, struct image *image)
{
    Elf64_auxv_t auxv[AUXV_ROOM];
    long n = guest_read_file(pid, "auxv", auxv, sizeof(auxv));
    *image = (struct image){0};
    for (size_t i = 0; n > 0 && i < (size_t)n / sizeof(auxv[0]); i++) {
        uint64_t value = auxv[i].a_un.a_val;
        switch (auxv[i].a_type) {
        case AT_RANDOM:
            image->random = value;
            break;
        case AT_SYSINFO_EHDR:
            image->vdso = value;
            break;
        case AT_BASE:
            image->interpreter = value;
            break;
        case AT_SECURE:
            image->secure = value;
            break;
        case AT_PHDR:
            image->headers = value;
            break;
        case AT_PHNUM:
            image->header_count = value;
            break;
        case AT_EXECFN:
            image->path = value;
            break;
        default:
            break;
        }
    }
    return n > 0 && image->random ? 0 : n < 0 ? (int)n : -ENOENT;
}

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

static bool names_library(const char *text, size_t len, const char *library)
{
    static const char name[] = "\0LD_PRELOAD=";
    const char *end = text + len;
    const char *at = text;
    while ((at = memmem(at, (size_t)(end - at), name, sizeof(name) - 1)) != NULL) {
        at += sizeof(name) - 1;
        size_t n = strnlen(at, (size_t)(end - at));
        if (memmem(at, n, library, strlen(library)))
            return true;
    }
    return false;
}

/* The environment's strings lie between the random bytes and the path of the program. */
static bool environment_names_library(const struct question *q, const struct image *image)
{
    static char text[ENVIRONMENT_CHUNK];
    uint64_t at = image->random;
    while (at < image->path) {
        uint64_t left = image->path - at;
        size_t n = left < sizeof(text) ? left : sizeof(text);
        if (guest_read((int32_t)q->request->pid, at, text, n) != 0)
            return false;
        if (names_library(text, n, q->m->params.library))
            return true;
        at += n < sizeof(text) ? n : n - OVERLAP;
    }
    return false;
}

/* Another root folder may not hold the library: ld.so then goes on without it. */
static bool library_is_reachable(const struct question *q)
{
    char path[DETRUN_PATH_SIZE + 32];
    snprintf(path, sizeof(path), "/proc/%u/root%s", q->request->pid, q->m->params.library);
    return access(path, R_OK) == 0;
}

static bool shim_will_come(const struct question *q, const struct image *image)
{
    return image->interpreter != 0 && !image->secure && environment_names_library(q, image) &&
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
    uint32_t flags = DETRUN_TASK_SHIM | DETRUN_TASK_ATTACHED | DETRUN_TASK_GO;
    atomic_fetch_and_explicit(&process->flags, ~flags, memory_order_release);
    process->libc_start = 0;
    process->libc_end = 0;
}

static void go_without_shim(struct question *q, const struct image *image)
{
    supervisor_gap(q, DETRUN_GAP_NO_SHIM);
    if (image->secure)
        supervisor_gap(q, DETRUN_GAP_SETUID);
    if (!(q->m->params.flags & DETRUN_FLAG_TRAP_OPEN))
        supervisor_gap(q, DETRUN_GAP_STATIC_DEVICE);
    patch(q, image);
}

void image_without_shim(struct question *q)
{
    struct image image;
    forget_old_image(q->process);
    if (read_image((int32_t)q->request->pid, &image) == 0)
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
    if (read_image(pid, &image) != 0) {
        supervisor_gap(q, DETRUN_GAP_AUXV_REFUSED);
        return ANSWER_CONTINUE;
    }
    write_random(q, &image);
    q->process->images++;
    if (shim_will_come(q, &image))
        atomic_fetch_or_explicit(&q->process->flags, DETRUN_TASK_SHIM, memory_order_release);
    else
        go_without_shim(q, &image);
    return ANSWER_CONTINUE;
}
