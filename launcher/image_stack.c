/* SPDX-License-Identifier: MIT */
/*
 * What the kernel put on a new program's stack. /proc/<pid>/auxv has the vector, but a first look
 * into /proc/<pid> costs 20 us here, and each exec would pay it: with address randomisation off
 * the stack ends at a fixed place, and one read brings vector and environment.
 */
#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"
#include "image.h"

/* x86-64, four-level page tables, which is what programs get unless they ask for more. */
#define STACK_END  UINT64_C(0x7ffffffff000)
#define PAGE       4096
#define MOST_PAGES 4
#define AUXV_ROOM  64
#define CHUNK      65536
#define OVERLAP    8192

static char stack[MOST_PAGES * PAGE];
static size_t stack_size; /* how much of its end is in the buffer */

static uint64_t *field_of(struct image *image, uint64_t type)
{
    static const struct {
        uint64_t type;
        size_t offset;
    } fields[] = {
        {AT_RANDOM, offsetof(struct image, random)},
        {AT_SYSINFO_EHDR, offsetof(struct image, vdso)},
        {AT_BASE, offsetof(struct image, interpreter)},
        {AT_SECURE, offsetof(struct image, secure)},
        {AT_PHDR, offsetof(struct image, headers)},
        {AT_PHNUM, offsetof(struct image, header_count)},
        {AT_EXECFN, offsetof(struct image, path)},
        {AT_PAGESZ, offsetof(struct image, page_size)},
        {AT_EUID, offsetof(struct image, user)},
        {AT_EGID, offsetof(struct image, group)},
    };
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (fields[i].type == type)
            return (uint64_t *)((char *)image + fields[i].offset);
    return NULL;
}

/* @return false when there is no whole vector */
static bool parse(struct image *image, const uint64_t *words, size_t n)
{
    *image = (struct image){0};
    for (size_t i = 0; i + 1 < n; i += 2) {
        if (words[i] == AT_NULL)
            return image->page_size == PAGE && image->random != 0;
        uint64_t *field = field_of(image, words[i]);
        if (field)
            *field = words[i + 1];
    }
    return false;
}

static uint64_t buffer_start(void)
{
    return STACK_END - stack_size;
}

/* The program's path is the last text on the stack, eight zero bytes behind it. */
static bool is_whole(const struct image *image)
{
    if (image->random < buffer_start() || image->path <= image->random ||
        image->path >= STACK_END - 8)
        return false;
    const char *path = stack + (image->path - buffer_start());
    size_t room = (size_t)(STACK_END - image->path);
    return strnlen(path, room) + 9 == room;
}

/* On x86-64 the vector begins with the vDSO's address. */
static bool find_vector(struct image *image)
{
    const uint64_t *words = (const uint64_t *)(const void *)stack;
    size_t n = stack_size / sizeof(*words);
    for (size_t i = 0; i + 2 < n; i++)
        if (words[i] == AT_SYSINFO_EHDR && words[i + 1] % PAGE == 0 &&
            parse(image, words + i, n - i) && is_whole(image))
            return true;
    return false;
}

static bool read_stack(int32_t pid, struct image *image)
{
    for (stack_size = PAGE; stack_size <= sizeof(stack); stack_size *= MOST_PAGES)
        if (guest_read(pid, buffer_start(), stack, stack_size) != 0)
            break;
        else if (find_vector(image))
            return true;
    stack_size = 0;
    return false;
}

int image_read(int32_t pid, struct image *image)
{
    uint64_t words[2 * AUXV_ROOM];
    if (read_stack(pid, image))
        return 0;
    long n = guest_read_file(pid, "auxv", words, sizeof(words));
    if (n < 0)
        return (int)n;
    return parse(image, words, (size_t)n / sizeof(words[0])) ? 0 : -ENOENT;
}

const char *image_path(const struct image *image)
{
    return stack_size != 0 ? stack + (image->path - buffer_start()) : NULL;
}

/* @return 0 or -errno */
static int read_link(int32_t pid, const char *name, char *path, size_t room)
{
    char link[64];
    snprintf(link, sizeof(link), "/proc/%d/%s", pid, name);
    ssize_t n = readlink(link, path, room - 1);
    path[n > 0 ? n : 0] = '\0';
    return n < 0 ? -errno : 0;
}

static int append(char *path, size_t room, const char *separator, const char *name)
{
    size_t n = strlen(path);
    int more = snprintf(path + n, room - n, "%s%s", separator, name);
    return more < 0 || (size_t)more >= room - n ? -ENAMETOOLONG : 0;
}

/* fexecve, execveat: /dev/fd/N, or that and a path below. Who closed N with the exec has no script:
 * its interpreter could not open it. */
static int read_path_of_descriptor(int32_t pid, const char *named, char *path, size_t room)
{
    char link[32];
    char *end;
    long fd = strtol(named, &end, 10);
    snprintf(link, sizeof(link), "fd/%ld", fd);
    if (read_link(pid, link, path, room) != 0)
        return read_link(pid, "exe", path, room);
    return append(path, room, end, "");
}

int image_executed_path(int32_t pid, const struct image *image, char *path, size_t room)
{
    static const char descriptor[] = "/dev/fd/";
    char named[DETRUN_PATH_SIZE];
    long n = guest_read_text(pid, image->path, named, sizeof(named));
    if (n < 0)
        return (int)n;
    if (strncmp(named, descriptor, strlen(descriptor)) == 0)
        return read_path_of_descriptor(pid, named + strlen(descriptor), path, room);
    *path = '\0';
    int error = named[0] == '/' ? 0 : read_link(pid, "cwd", path, room);
    const char *name = strncmp(named, "./", 2) == 0 ? named + 2 : named;
    return error ? error : append(path, room, *path ? "/" : "", name);
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

/* The environment's texts lie between the random bytes and the path of the program. */
bool image_environment_names(int32_t pid, const struct image *image, const char *library)
{
    static char text[CHUNK];
    if (stack_size != 0)
        return names_library(stack + (image->random - buffer_start()), image->path - image->random,
                             library);
    for (uint64_t at = image->random; at < image->path;) {
        uint64_t left = image->path - at;
        size_t n = left < sizeof(text) ? left : sizeof(text);
        if (guest_read(pid, at, text, n) != 0)
            return false;
        if (names_library(text, n, library))
            return true;
        at += n < sizeof(text) ? n : n - OVERLAP;
    }
    return false;
}
