/* SPDX-License-Identifier: MIT */
/*
 * Names of temporary files and folders. libc makes the first one that it tries of an address and of
 * the time, and only the next ones of random bytes: where a program's stack lies depends on how
 * long its environment and its folder's name are. Here all of them are of random bytes.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "call_files.h"
#include "calls.h"
#include "class.h"
#include "poison.h"
#include "raw.h"
#include "real.h"
#include "task.h"
#include "temporary.h"
#include "writes.h"

#define PLACES  6
#define LETTERS 62
#define TRIES   (LETTERS * LETTERS * LETTERS) /* as libc has it */
#define FOLDER  (-1)                          /* instead of flags */
#define NOTHING (-2)                          /* only a name that nobody has */

static bool is_ours(void)
{
    return task_self() && !task_leaves_real(DETRUN_RANDOM);
}

/* @return where the places are, or NULL: this is no template */
static char *places_of(char *name, int suffix)
{
    static const char places[] = "XXXXXX";
    size_t n = strlen(name);
    if (suffix < 0 || n < PLACES + (size_t)suffix)
        return NULL;
    char *at = name + n - (size_t)suffix - PLACES;
    return memcmp(at, places, PLACES) == 0 ? at : NULL;
}

static void draw(char *at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    uint64_t bits = 0;
    call_getrandom(&bits, sizeof(bits), 0);
    for (int i = 0; i < PLACES; i++, bits /= LETTERS)
        at[i] = letters[bits % LETTERS];
}

static long attempt(const char *name, int flags)
{
    struct stat st;
    if (flags == FOLDER)
        return raw3(SYS_mkdir, (long)name, 0700, 0);
    if (flags != NOTHING)
        return raw4(SYS_openat, AT_FDCWD, (long)name,
                    (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
    long found = raw3(SYS_lstat, (long)name, (long)&st, 0);
    return found == -ENOENT ? 0 : found == 0 ? -EEXIST : found;
}

static long make(char *name, int suffix, int flags)
{
    char *at = places_of(name, suffix);
    long result = at ? -EEXIST : -EINVAL;
    for (int i = 0; i < TRIES && result == -EEXIST; i++) {
        draw(at);
        result = attempt(name, flags);
    }
    return result;
}

static long made(long fd)
{
    class_fresh(fd);
    writes_opened((int)fd, O_RDWR);
    return fd;
}

long libc_mkstemp(char *name)
{
    return made(is_ours() ? make(name, 0, 0) : real_result(REAL_LIBC(mkstemp)(name)));
}

long libc_mkostemp(char *name, int flags)
{
    return made(is_ours() ? make(name, 0, flags) : real_result(REAL_LIBC(mkostemp)(name, flags)));
}

long libc_mkstemps(char *name, int suffix)
{
    return made(is_ours() ? make(name, suffix, 0) : real_result(REAL_LIBC(mkstemps)(name, suffix)));
}

long libc_mkostemps(char *name, int suffix, int flags)
{
    return made(is_ours() ? make(name, suffix, flags)
                          : real_result(REAL_LIBC(mkostemps)(name, suffix, flags)));
}

long temporary_folder(char *name)
{
    return is_ours() ? make(name, 0, FOLDER) : REAL_LIBC(mkdtemp)(name) ? 0 : real_errno();
}

long temporary_name(char *name)
{
    if (is_ours())
        return make(name, 0, NOTHING);
    REAL_LIBC(mktemp)(name);
    return *name ? 0 : real_errno();
}
