/* SPDX-License-Identifier: MIT */
/*
 * An ordinary user's filter needs no_new_privs, with which the kernel gives no privileges to
 * programs that natively get some by being executed. They run without, and may do something else
 * than they natively do: counted.
 */
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#define XXH_VECTOR 0
#include <xxhash.h>

#include "image.h"
#include "privilege.h"

/* A look costs some 30 us, so one at each program is enough: a mode that changes during the job,
 * after the program has run, is not seen. */
#define HARMLESS 1024

/* Hashes of paths, by their lower bits. */
static uint64_t harmless[HARMLESS];

/* Paths that name the same program whoever uses them: neither relative, nor a descriptor's. */
static const char *lasting_path(const struct question *q, const struct image *image)
{
    const char *path = q->s->roots_differ ? NULL : image_path(image);
    bool lasts =
        path && path[0] == '/' && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0;
    return lasts ? path : NULL;
}

static bool gives_privileges(int32_t pid, const struct image *image)
{
    char path[32];
    snprintf(path, sizeof(path), "/proc/%d/exe", pid);
    return privilege_given(path, image->user, image->group);
}

void image_count_privileges(const struct question *q, const struct image *image)
{
    const char *path = lasting_path(q, image);
    uint64_t hash = path ? XXH3_64bits(path, strlen(path)) : 0;
    if (path && harmless[hash % HARMLESS] == hash)
        return;
    if (gives_privileges((int32_t)q->request->pid, image))
        supervisor_gap(q, DETRUN_GAP_UNPRIVILEGED);
    else if (path)
        harmless[hash % HARMLESS] = hash;
}
