/* SPDX-License-Identifier: MIT */
/*
 * An ordinary user's filter needs no_new_privs, with which the kernel gives no privileges to
 * programs that natively get some by being executed. They run without, and may do something else
 * than they natively do: counted.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>

#define XXH_INLINE_ALL
#define XXH_VECTOR 0
#include <xxhash.h>

#include "image.h"

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

/* S_ISGID without the group's execute bit is a mark for locks. */
static bool changes_ids(const struct stat *st, const struct image *image)
{
    bool group = (st->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP);
    return (st->st_mode & S_ISUID && st->st_uid != image->user) ||
           (group && st->st_gid != image->group);
}

static bool gives_privileges(int32_t pid, const struct image *image)
{
    char path[32];
    struct stat st;
    struct statvfs mounted;
    snprintf(path, sizeof(path), "/proc/%d/exe", pid);
    if (stat(path, &st) != 0)
        return false;
    if (!changes_ids(&st, image) && getxattr(path, "security.capability", NULL, 0) <= 0)
        return false;
    return statvfs(path, &mounted) == 0 && !(mounted.f_flag & ST_NOSUID);
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
