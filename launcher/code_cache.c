/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include "code_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>

#include "cleanup.h"
#include "searched.h"

#define MAGIC   UINT64_C(0x65646f636e757264)
#define NAME    "/code"
#define VERSION 1 /* of what core/instructions.c finds, too */
/* Fuller than that it is begun anew: programs are built again and again. */
#define MOST    (DETRUN_SEARCHED / 2)

struct entry {
    uint64_t key;
    uint64_t found;
};

struct file {
    uint64_t magic;
    uint32_t version;
    uint32_t entries;
    uint32_t windows;
    uint32_t reserved;
    uint64_t digest; /**< XXH3 of what follows, as it is in the file */
    struct entry entry[DETRUN_SEARCHED];
    struct detrun_window window[DETRUN_WINDOWS];
};

static uint32_t loaded; /* entries */

static uint64_t digest_of(const struct file *f)
{
    XXH64_hash_t seed = XXH3_64bits(f->entry, f->entries * sizeof(f->entry[0]));
    return XXH3_64bits_withSeed(f->window, f->windows * sizeof(f->window[0]), seed);
}

static bool find_folder(char *folder, size_t room)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int n = 0;
    if (cache && cache[0] == '/')
        n = snprintf(folder, room, "%s/detrun", cache);
    else if (home && home[0] == '/')
        n = snprintf(folder, room, "%s/.cache/detrun", home);
    return n > 0 && (size_t)n < room;
}

static bool is_own(const struct stat *st)
{
    return st->st_uid == geteuid();
}

static bool read_all(int fd, void *to, size_t size)
{
    return read(fd, to, size) == (ssize_t)size;
}

static bool read_file(int fd, struct file *f)
{
    struct stat st;
    return fstat(fd, &st) == 0 && is_own(&st) && read_all(fd, f, offsetof(struct file, entry)) &&
           f->magic == MAGIC && f->version == VERSION && f->entries <= MOST &&
           f->windows <= DETRUN_WINDOWS / 2 &&
           read_all(fd, f->entry, f->entries * sizeof(f->entry[0])) &&
           read_all(fd, f->window, f->windows * sizeof(f->window[0])) && digest_of(f) == f->digest;
}

static void take(struct detrun_memory *m, const struct file *f)
{
    for (uint32_t i = 0; i < f->entries; i++)
        searched_put(m, f->entry[i].key, f->entry[i].found);
    memcpy(m->windows, f->window, f->windows * sizeof(f->window[0]));
    atomic_store_explicit(&m->shared.windows, f->windows, memory_order_relaxed);
    loaded = f->entries;
}

void code_cache_load(struct detrun_memory *m)
{
    static struct file f;
    char path[DETRUN_PATH_SIZE];
    if (!find_folder(path, sizeof(path) - sizeof(NAME)))
        return;
    strcat(path, NAME);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && read_file(fd, &f))
        take(m, &f);
}

static void fill(struct file *f, const struct detrun_memory *m)
{
    uint32_t windows = atomic_load_explicit(&m->shared.windows, memory_order_relaxed);
    *f = (struct file){.magic = MAGIC, .version = VERSION};
    f->windows = windows < DETRUN_WINDOWS ? windows : DETRUN_WINDOWS;
    memcpy(f->window, m->windows, f->windows * sizeof(f->window[0]));
    for (uint32_t i = 0; i < DETRUN_SEARCHED; i++) {
        uint64_t found = atomic_load_explicit(&m->searched[i].found, memory_order_acquire);
        uint64_t key = atomic_load_explicit(&m->searched[i].key, memory_order_relaxed);
        if (found != 0)
            f->entry[f->entries++] = (struct entry){key, found};
    }
    f->digest = digest_of(f);
}

static bool write_all(int fd, const struct file *f)
{
    struct iovec parts[] = {
        {(void *)f, offsetof(struct file, entry)},
        {(void *)f->entry, f->entries * sizeof(f->entry[0])},
        {(void *)f->window, f->windows * sizeof(f->window[0])},
    };
    size_t size = parts[0].iov_len + parts[1].iov_len + parts[2].iov_len;
    return writev(fd, parts, 3) == (ssize_t)size;
}

/* Whole, or not at all. */
static void write_file(const char *path, const struct file *f)
{
    char draft[DETRUN_PATH_SIZE + 16];
    snprintf(draft, sizeof(draft), "%s.%d", path, (int)getpid());
    AUTO_CLOSE int fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0 && !(write_all(fd, f) && rename(draft, path) == 0))
        unlink(draft);
}

/* The folder and the cache that it is in, where that is the user's own. */
static bool make_folder(const char *folder)
{
    char cache[DETRUN_PATH_SIZE];
    struct stat st;
    snprintf(cache, sizeof(cache), "%s", folder);
    *strrchr(cache, '/') = '\0';
    mkdir(cache, 0700);
    if (stat(cache, &st) != 0 || !is_own(&st))
        return false;
    mkdir(folder, 0700);
    return stat(folder, &st) == 0 && is_own(&st);
}

void code_cache_save(const struct detrun_memory *m)
{
    static struct file f;
    char path[DETRUN_PATH_SIZE];
    uint32_t known = atomic_load_explicit(&m->shared.searched, memory_order_relaxed);
    if (known == loaded || !find_folder(path, sizeof(path) - sizeof(NAME)) || !make_folder(path))
        return;
    fill(&f, m);
    strcat(path, NAME);
    if (f.entries <= MOST && f.windows <= DETRUN_WINDOWS / 2)
        write_file(path, &f);
    else
        unlink(path);
}
