/* SPDX-License-Identifier: MIT */
#include "inodes.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include <linux/magic.h>

#include "inode.h"
#include "inode_path.h"
#include "poison.h"
#include "procfs.h"
#include "raw.h"
#include "task.h"
#include "written.h"

#define PATHS   AT_SYMLINK_NOFOLLOW
#define BLOCK   4096
#define SECTORS 8     /* of 512 bytes, in a block */
#define HOLES   65536 /* smaller files have none that count */
#define NOTHING "", 0

bool inodes_are_on(void)
{
    return shim.on && !shim.sandboxed && task_self() && !shim.alone &&
           !task_leaves_real(DETRUN_INODES);
}

/* Their numbers are told in texts and links, too, or stand for processes that come and go. */
static bool is_kernels(uint32_t magic)
{
    static const uint32_t magics[] = {
        PROC_SUPER_MAGIC,   SYSFS_MAGIC,   CGROUP_SUPER_MAGIC,  CGROUP2_SUPER_MAGIC,
        DEVPTS_SUPER_MAGIC, SOCKFS_MAGIC,  ANON_INODE_FS_MAGIC, NSFS_MAGIC,
        DEBUGFS_MAGIC,      TRACEFS_MAGIC, SECURITYFS_MAGIC,    BPF_FS_MAGIC,
    };
    for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
        if (magics[i] == magic)
            return true;
    return false;
}

static bool look(int dir, const char *path, int flags, struct stat *st)
{
    return raw4(SYS_newfstatat, dir, (long)path, (long)st, flags) == 0;
}

/* @param n  of the text, up to where it is looked at */
static bool look_at(char *text, size_t n, struct stat *st)
{
    char next = text[n];
    text[n] = '\0';
    bool found = look(AT_FDCWD, text, PATHS, st);
    text[n] = next;
    return found;
}

static bool is_descriptors(const struct file_name *name)
{
    return !name->path || name->path[0] == '\0';
}

/* What the file lies on: of a link its folder tells, which it lies on as well.
 * @param n  of the path; 0: not known */
static uint32_t magic_of(const struct file_name *name, char *text, size_t n)
{
    struct stat st = {0};
    struct statfs fs = {0};
    if (is_descriptors(name) && name->dir >= 0)
        return raw3(SYS_fstatfs, name->dir, (long)&fs, 0) == 0 ? (uint32_t)fs.f_type : 0;
    if (n == 0 || !look_at(text, n, &st))
        return 0;
    size_t at = S_ISLNK(st.st_mode) ? inode_path_folder(text, n) : n;
    char next = text[at];
    text[at] = '\0';
    bool found = raw3(SYS_statfs, (long)text, (long)&fs, 0) == 0;
    text[at] = next;
    return found ? (uint32_t)fs.f_type : 0;
}

static enum detrun_device kind_of(uint32_t magic)
{
    if (magic == PIPEFS_MAGIC)
        return DETRUN_DEVICE_PIPES;
    return is_kernels(magic) ? DETRUN_DEVICE_KERNELS : DETRUN_DEVICE_FILES;
}

/* Where the file's device is mounted: up from there, as far as all lies on it. @return the length
 * of that path; 0: not known */
static size_t mount_point(char *text, size_t n, uint64_t dev)
{
    struct stat st = {0};
    size_t found = 0;
    for (size_t at = n; at > 0; at = at > 1 ? inode_path_folder(text, at) : 0) {
        if (!look_at(text, at, &st))
            continue;
        if (st.st_dev != dev && found > 0)
            break;
        if (st.st_dev == dev)
            found = at;
    }
    return found;
}

static enum detrun_device learn(_Atomic uint64_t *device, uint64_t dev,
                                const struct file_name *name)
{
    char text[INODE_PATH];
    size_t n = inode_path(name, text);
    uint32_t magic = magic_of(name, text, n);
    enum detrun_device kind = magic != 0 ? kind_of(magic) : DETRUN_DEVICE_NEW;
    if (kind == DETRUN_DEVICE_FILES)
        inode_device_mounted(shim.memory, device, text, n > 0 ? mount_point(text, n, dev) : 0);
    else
        atomic_store_explicit(device, dev << 32 | (uint64_t)kind, memory_order_relaxed);
    return kind;
}

/* NULL: one more than there is room for, whose files keep their numbers. */
static enum detrun_device kind_of_device(_Atomic uint64_t *device, const struct file_name *name)
{
    if (!device)
        return DETRUN_DEVICE_KERNELS;
    uint64_t seen = atomic_load_explicit(device, memory_order_relaxed);
    enum detrun_device kind = (enum detrun_device)(seen & 0xff);
    return kind == DETRUN_DEVICE_NEW ? learn(device, seen >> 32, name) : kind;
}

static struct inode inode_on(const _Atomic uint64_t *device, uint64_t ino)
{
    return (struct inode){(uint32_t)(device - shim.memory->shared.devices), ino};
}

static bool inode_of(const struct stat *st, struct inode *file)
{
    const _Atomic uint64_t *device = inode_device(shim.memory, st->st_dev);
    if (device)
        *file = inode_on(device, st->st_ino);
    return device != NULL;
}

/* The number that a file has, or that it has by itself: a start's. */
static uint32_t known(const struct stat *st)
{
    struct inode file;
    const struct detrun_start *starts = shim.memory->params.starts;
    if (!inode_of(st, &file))
        return 0;
    uint32_t number = inode_find(shim.memory, file, true);
    for (uint32_t i = 0; i < DETRUN_STARTS && number == 0; i++)
        if (st->st_ino == starts[i].ino && st->st_dev == starts[i].dev)
            number = inode_enter(shim.memory, file, INODE_START + i, NOTHING);
    return number;
}

/* Down by one name, whose file gets its number. @return its end in the text; 0: it is not there */
static size_t number_next(char *text, size_t at, uint32_t *number)
{
    struct stat st = {0};
    struct inode file;
    size_t start = at == 1 ? 1 : at + 1;
    size_t end = start;
    while (text[end] != '\0' && text[end] != '/')
        end++;
    if (!look_at(text, end, &st))
        return 0;
    uint32_t there = known(&st);
    if (there == 0 && inode_of(&st, &file))
        there = inode_enter(shim.memory, file, *number, text + start, end - start);
    *number = there;
    return there != 0 ? end : 0;
}

static uint32_t number_of_root(void)
{
    struct stat st = {0};
    struct inode file;
    if (!look(AT_FDCWD, "/", 0, &st) || !inode_of(&st, &file))
        return 0;
    return inode_enter(shim.memory, file, INODE_ROOT, NOTHING);
}

/* Of a path from the root: that, and each folder on the way, gets its number. */
static uint32_t number_of_path(char *text, size_t n)
{
    struct stat st = {0};
    size_t at = n;
    uint32_t number = 0;
    while (at > 1 && (!look_at(text, at, &st) || (number = known(&st)) == 0))
        at = inode_path_folder(text, at);
    if (at == 1)
        number = number_of_root();
    while (number != 0 && at < n)
        if ((at = number_next(text, at, &number)) == 0)
            return 0;
    return number;
}

static bool is_dots(const char *name)
{
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

/* Of the folder that stands in front of a plain name. @return where the name begins; NULL: no such
 * folder is known, or it is no such name */
static const char *number_of_folder(const struct file_name *name, uint32_t *number)
{
    char folder[INODE_PATH];
    struct stat st = {0};
    const char *path = name->path;
    size_t n = strlen(path);
    size_t start = n;
    while (start > 0 && path[start - 1] != '/')
        start--;
    if (start == n || start >= sizeof(folder) || is_dots(path + start))
        return NULL;
    if (name->follows && (!look(name->dir, path, PATHS, &st) || S_ISLNK(st.st_mode)))
        return NULL;
    memcpy(folder, path, start);
    folder[start] = '\0';
    if (!look(name->dir, folder, AT_EMPTY_PATH, &st))
        return NULL;
    *number = known(&st);
    return *number != 0 ? path + start : NULL;
}

/* By the path that leads there now. */
static uint32_t number_by_path(const struct file_name *name, struct inode file)
{
    char text[INODE_PATH];
    size_t n = inode_path(name, text);
    uint32_t number = n > 0 ? number_of_path(text, n) : 0;
    if (number != 0 && number == inode_find(shim.memory, file, true))
        return number;
    lineage_count_gap(shim.memory, DETRUN_GAP_INODE_PATH);
    return inode_enter(shim.memory, file, INODE_NOWHERE, &file.number, sizeof(file.number));
}

static __attribute__((noinline)) uint32_t first_number(const struct file_name *name,
                                                       const struct stat *st, struct inode file)
{
    uint32_t folder;
    const char *last;
    uint32_t number = known(st);
    if (number != 0)
        return number;
    last = is_descriptors(name) ? NULL : number_of_folder(name, &folder);
    return last ? inode_enter(shim.memory, file, folder, last, strlen(last))
                : number_by_path(name, file);
}

/* @return 0: it has none of the job's */
static uint32_t number_of_file(const struct file_name *name, const struct stat *st,
                               const _Atomic uint64_t *device)
{
    struct inode file = inode_on(device, st->st_ino);
    uint32_t number = inode_find(shim.memory, file, st->st_nlink > 0);
    return number == 0 && st->st_nlink > 0 ? first_number(name, st, file) : number;
}

/* Of a file with holes the kernel's count: whoever copies it must know that it has some. */
static uint64_t blocks_of(const struct file_state *file)
{
    uint64_t whole = (file->size + BLOCK - 1) / BLOCK * SECTORS;
    if (S_ISDIR(file->mode))
        return SECTORS;
    if (!S_ISREG(file->mode))
        return 0;
    bool holes = file->size >= HOLES && file->blocks < whole / 2;
    return holes ? (file->blocks + SECTORS - 1) / SECTORS * SECTORS : whole;
}

bool inodes_show(const struct file_name *name, struct file_state *file)
{
    struct stat st = {.st_dev = file->dev, .st_ino = file->ino, .st_nlink = file->links};
    if (!inodes_are_on())
        return false;
    _Atomic uint64_t *device = inode_device(shim.memory, file->dev);
    enum detrun_device kind = kind_of_device(device, name);
    if (kind == DETRUN_DEVICE_PIPES)
        file->ino = inode_pipe(shim.memory, task_current, file->ino);
    if (kind != DETRUN_DEVICE_FILES)
        return kind == DETRUN_DEVICE_PIPES;
    uint32_t number = number_of_file(name, &st, device);
    if (number != 0)
        file->ino = number;
    if (procfs_is_on())
        file->dev = inode_device_number(atomic_load_explicit(device, memory_order_relaxed));
    file->blocks = blocks_of(file);
    file->block_size = BLOCK;
    return true;
}

uint64_t inodes_device(uint64_t dev, const char *mounted, size_t n)
{
    _Atomic uint64_t *device = inodes_are_on() ? inode_device(shim.memory, dev) : NULL;
    if (!device)
        return dev;
    uint64_t seen = atomic_load_explicit(device, memory_order_relaxed);
    if ((seen & 0xff) == DETRUN_DEVICE_NEW && n > 0)
        inode_device_mounted(shim.memory, device, mounted, n);
    return inode_device_number(atomic_load_explicit(device, memory_order_relaxed));
}

/* A folder that is being listed. */
struct listed {
    int fd;
    uint32_t device;
    uint32_t number;
};

static bool open_listed(int fd, struct listed *folder)
{
    struct stat st = {0};
    struct file_name name = {.dir = fd};
    if (!look(fd, "", AT_EMPTY_PATH, &st))
        return false;
    _Atomic uint64_t *device = inode_device(shim.memory, st.st_dev);
    if (kind_of_device(device, &name) != DETRUN_DEVICE_FILES)
        return false;
    *folder = (struct listed){fd, inode_on(device, 0).device, number_of_file(&name, &st, device)};
    return folder->number != 0;
}

/* The folder above gets its number by its own path. */
static uint32_t number_of_above(const struct listed *folder, struct inode file)
{
    char text[INODE_PATH];
    struct file_name name = {.dir = folder->fd};
    uint32_t number = inode_find(shim.memory, file, true);
    size_t n = number == 0 ? inode_path(&name, text) : 0;
    if (n == 0)
        return number;
    n = inode_path_folder(text, n);
    text[n] = '\0';
    return number_of_path(text, n) != 0 ? inode_find(shim.memory, file, true) : 0;
}

static struct dirent *entry_at(char *buf, long at)
{
    return (struct dirent *)(void *)(buf + at);
}

/* @return where the next ones begin */
static long number_entries(const struct listed *folder, char *buf, long at, long n)
{
    struct inode_entry entries[INODE_MANY];
    struct dirent *listed[INODE_MANY];
    size_t count = 0;
    for (; at < n && count < INODE_MANY; at += entry_at(buf, at)->d_reclen) {
        struct dirent *entry = entry_at(buf, at);
        struct inode file = {folder->device, entry->d_ino};
        uint32_t above = 0;
        if (memcmp(entry->d_name, "..", sizeof("..")) == 0)
            above = number_of_above(folder, file);
        if (above != 0) {
            entry->d_ino = above;
            continue;
        }
        entries[count] = (struct inode_entry){file, entry->d_name, strlen(entry->d_name), 0};
        listed[count++] = entry;
    }
    inode_enter_all(shim.memory, folder->number, entries, count);
    for (size_t i = 0; i < count; i++)
        if (entries[i].number != 0)
            listed[i]->d_ino = entries[i].number;
    return at;
}

long inodes_listed(int fd, void *buf, long n)
{
    struct listed folder;
    if (n <= 0 || !inodes_are_on() || !open_listed(fd, &folder))
        return n;
    for (long at = 0; at < n;)
        at = number_entries(&folder, buf, at, n);
    return n;
}

void inodes_pipe_made(int fd)
{
    struct stat st = {0};
    struct file_name name = {.dir = fd};
    if (inodes_are_on() && look(fd, "", AT_EMPTY_PATH, &st) &&
        kind_of_device(inode_device(shim.memory, st.st_dev), &name) == DETRUN_DEVICE_PIPES)
        inode_pipe(shim.memory, task_current, st.st_ino);
}

uint64_t inodes_of_pipe(uint64_t ino)
{
    return inodes_are_on() ? inode_pipe(shim.memory, task_current, ino) : ino;
}

/* Folders have one name, whatever their count of links says. */
struct inodes_name inodes_look(int dir, const char *path)
{
    struct stat st = {0};
    if (!inodes_are_on() || !look(dir, path, PATHS, &st))
        return (struct inodes_name){0};
    return (struct inodes_name){st.st_dev, st.st_ino, st.st_nlink == 1 || S_ISDIR(st.st_mode)};
}

long inodes_removed(const struct inodes_name *name, long result)
{
    struct inode file;
    struct stat st = {.st_dev = name->dev, .st_ino = name->ino};
    if (result != 0 || !name->last || !inode_of(&st, &file))
        return result;
    inode_gone(shim.memory, file);
    written_forget(shim.memory, name->dev, name->ino);
    return result;
}

long inodes_replaced(const struct inodes_name *name, int dir, const char *path, long result)
{
    struct stat st = {0};
    bool stays = result == 0 && name->last && look(dir, path, PATHS, &st) &&
                 st.st_ino == name->ino && st.st_dev == name->dev;
    return stays ? result : inodes_removed(name, result);
}
