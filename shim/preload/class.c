/* SPDX-License-Identifier: MIT */
#include "class.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "poison.h"
#include "raw.h"
#include "task.h"
#include "writes.h"

#define LOOKED_AT   256
#define DEV_RANDOM  makedev(1, 8)
#define DEV_URANDOM makedev(1, 9)

uint8_t class_table[CLASS_TABLE];

/* Writes only what changes: a program that reads nothing keeps the page it shares. */
void class_set(int fd, enum class_of_file kind)
{
    if ((unsigned)fd < CLASS_TABLE && class_known(fd) != kind)
        __atomic_store_n(&class_table[fd], (uint8_t)kind, __ATOMIC_RELAXED);
}

static const char uuid[] = "/proc/sys/kernel/random/uuid";
static const char boot_id[] = "/proc/sys/kernel/random/boot_id";

static enum class_of_file class_of_link(int fd)
{
    static const char folder[] = "/proc/self/fd/";
    static const char signals[] = "anon_inode:[signalfd]";
    char path[32] = "";
    char target[sizeof(boot_id)] = "";
    char *at = path + sizeof(path) - 1;
    for (bool more = true; more; more = (fd /= 10) > 0)
        *--at = (char)('0' + fd % 10);
    at -= sizeof(folder) - 1;
    memcpy(at, folder, sizeof(folder) - 1);
    raw3(SYS_readlink, (long)at, (long)target, sizeof(target));
    if (memcmp(target, uuid, sizeof(uuid)) == 0)
        return CLASS_UUID;
    if (memcmp(target, signals, sizeof(signals)) == 0)
        return CLASS_SIGNALS;
    return memcmp(target, boot_id, sizeof(boot_id)) == 0 ? CLASS_BOOT_ID : CLASS_OTHER;
}

static enum class_of_file class_of_stat(int fd, const struct stat *st)
{
    if (S_ISCHR(st->st_mode) && (st->st_rdev == DEV_RANDOM || st->st_rdev == DEV_URANDOM))
        return CLASS_DEVICE;
    bool anonymous = (st->st_mode & S_IFMT) == 0;
    if (anonymous || (st->st_mode == (S_IFREG | 0444) && st->st_size == 0))
        return class_of_link(fd);
    return CLASS_OTHER;
}

enum class_of_file class_now(int fd)
{
    struct stat st;
    if (shim.sandboxed)
        return class_known(fd);
    if (!shim.on || raw3(SYS_fstat, fd, (long)&st, 0) != 0)
        return CLASS_OTHER;
    enum class_of_file kind = class_of_stat(fd, &st);
    class_set(fd, kind);
    return kind;
}

void class_look_at_all(void)
{
    for (int fd = 0; fd < LOOKED_AT; fd++)
        class_now(fd);
}

long class_fresh(long fd)
{
    if (fd >= 0) {
        class_set((int)fd, CLASS_UNKNOWN);
        writes_forget((int)fd);
    }
    return fd;
}

long class_copied(long fd, int from)
{
    if (fd >= 0) {
        class_set((int)fd, shim.sandboxed ? class_known(from) : CLASS_UNKNOWN);
        writes_copy((int)fd, from);
    }
    return fd;
}

/* Where the kernel cannot be asked what a descriptor is, its name has to do. */
static enum class_of_file class_of_name(const char *path)
{
    static const char random[] = "/dev/random";
    static const char urandom[] = "/dev/urandom";
    static const struct {
        const char *path;
        size_t size;
        enum class_of_file kind;
    } names[] = {
        {random, sizeof(random), CLASS_DEVICE},
        {urandom, sizeof(urandom), CLASS_DEVICE},
        {uuid, sizeof(uuid), CLASS_UUID},
        {boot_id, sizeof(boot_id), CLASS_BOOT_ID},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strlen(path) + 1 == names[i].size && memcmp(path, names[i].path, names[i].size) == 0)
            return names[i].kind;
    return CLASS_OTHER;
}

long class_opened(long fd, const char *path)
{
    if (fd >= 0) {
        class_set((int)fd, shim.sandboxed ? class_of_name(path) : CLASS_UNKNOWN);
        writes_forget((int)fd);
    }
    return fd;
}
