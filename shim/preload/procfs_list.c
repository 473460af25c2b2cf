/* SPDX-License-Identifier: MIT */
/*
 * Listings of /proc and of /proc/PID/task. The kernel lists first, without the processes or threads
 * of the job; then these follow, by their virtual ids in ascending order. Where a reader stands is
 * the kernel's file position alone: the second part has positions that the kernel has no entries
 * at, LISTED and more, so that seeks, dups and forks do as with any directory.
 */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "decimal.h"
#include "poison.h"
#include "procfs.h"
#include "raw.h"
#include "reach.h"
#include "task.h"

#define LISTED   (1 << 29) /* + virtual id: what comes after that one; fits the largest position */
#define BATCH    32
#define ROOT_INO 1
#define MAX_LINK 64
#define MAX_ROOM 8192

/* As the kernel's struct linux_dirent64, which is glibc's and musl's struct dirent. */
#define NAME_AT offsetof(struct dirent, d_name)

struct listing {
    int fd;
    const struct detrun_task *process; /* whose threads; NULL: processes */
};

struct member {
    int id;
    int real;
};

static const struct detrun_task *process_of_folder(int fd)
{
    char path[PROCFS_LINK];
    char target[MAX_LINK];
    static const char task[] = "/task";
    int id;
    procfs_link_of(fd, path);
    long n = raw3(SYS_readlink, (long)path, (long)target, sizeof(target));
    size_t end = n > 0 ? (size_t)n - (sizeof(task) - 1) : 0;
    if (n < (long)sizeof(task) || memcmp(target + end, task, sizeof(task) - 1) != 0)
        return NULL;
    size_t start = end;
    while (start > 0 && target[start - 1] != '/')
        start--;
    if (start == end || decimal_get(target + start, end - start, &id) != end - start)
        return NULL;
    struct detrun_task *t = task_by_real(id);
    return t ? lineage_process(shim.memory, t) : NULL;
}

/* Directories of other file systems have a size. */
static bool may_list(int fd, struct stat *st)
{
    return raw3(SYS_fstat, fd, (long)st, 0) == 0 && S_ISDIR(st->st_mode) && st->st_size == 0 &&
           procfs_holds(fd);
}

/* In a pid namespace of its own /proc lists that one's numbers, which are none of the records'. */
static bool is_inner(void)
{
    return task_current->space != 0;
}

static bool find_listing(int fd, struct listing *list)
{
    struct stat st;
    *list = (struct listing){fd, NULL};
    if (!shim.on || shim.sandboxed || !may_list(fd, &st) || !procfs_is_on() || is_inner())
        return false;
    if (st.st_ino != ROOT_INO)
        list->process = process_of_folder(fd);
    return st.st_ino == ROOT_INO || list->process;
}

bool procfs_lists(int fd)
{
    struct listing list;
    return find_listing(fd, &list);
}

static bool is_listed(const struct listing *list, const struct detrun_task *t)
{
    int real = atomic_load_explicit(&t->real_tid, memory_order_acquire);
    if (real <= 0 || lineage_state(t) == DETRUN_FREE)
        return false;
    int pid = atomic_load_explicit(&t->real_pid, memory_order_relaxed);
    return list->process
               ? pid == atomic_load_explicit(&list->process->real_pid, memory_order_relaxed)
               : pid == real;
}

/* Does the kernel's entry give way to one of the job's? */
static bool is_replaced(const struct listing *list, const struct dirent *entry)
{
    int id;
    size_t n = strlen(entry->d_name);
    if (n >= DECIMAL_MAX || n == 0 || decimal_get(entry->d_name, n, &id) != n)
        return false;
    const struct detrun_task *t = task_by_real(id);
    if (t && is_listed(list, t))
        return true;
    lineage_count_gap(shim.memory, DETRUN_GAP_PID_OUTSIDE);
    return false;
}

/* @return bytes that are left */
static size_t drop_replaced(const struct listing *list, char *buf, size_t n)
{
    size_t kept = 0;
    for (size_t at = 0; at < n;) {
        struct dirent *entry = (struct dirent *)(void *)(buf + at);
        size_t length = entry->d_reclen;
        at += length;
        if (is_replaced(list, entry))
            continue;
        memmove(buf + kept, entry, length);
        kept += length;
    }
    return kept;
}

/* The smallest ids, in order. @return how many there are now */
static size_t add_member(struct member batch[BATCH], size_t n, struct member m)
{
    if (n == BATCH && m.id > batch[n - 1].id)
        return n;
    size_t at = n < BATCH ? n++ : n - 1;
    for (; at > 0 && batch[at - 1].id > m.id; at--)
        batch[at] = batch[at - 1];
    batch[at] = m;
    return n;
}

static size_t next_members(const struct listing *list, int after, struct member batch[BATCH])
{
    size_t n = 0;
    for (uint32_t word = 0; word < DETRUN_USED_WORDS; word++) {
        uint64_t used = atomic_load_explicit(&shim.memory->used[word], memory_order_acquire);
        for (; used != 0; used &= used - 1) {
            const struct detrun_task *t =
                &shim.memory->tasks[word * 64 + (uint32_t)__builtin_ctzll(used)];
            struct member m = {(int)t->vtid,
                               atomic_load_explicit(&t->real_tid, memory_order_acquire)};
            if (m.id > after && is_listed(list, t))
                n = add_member(batch, n, m);
        }
    }
    return n;
}

/* @return its length, 0: there is no such process any more, -EINVAL: no room */
static long put_entry(const struct listing *list, struct member m, char *buf, size_t room)
{
    char name[DECIMAL_MAX + 1];
    struct stat st = {0};
    name[decimal_put(name, (unsigned)m.real)] = '\0';
    if (raw4(SYS_newfstatat, list->fd, (long)name, (long)&st, 0) != 0)
        return 0;
    size_t digits = decimal_put(name, (unsigned)m.id);
    size_t length = (NAME_AT + digits + 1 + 7) & ~(size_t)7;
    if (length > room)
        return -EINVAL;
    struct dirent *entry = (struct dirent *)(void *)buf;
    memset(entry, 0, length);
    entry->d_ino = st.st_ino;
    entry->d_off = LISTED + m.id;
    entry->d_reclen = (unsigned short)length;
    entry->d_type = DT_DIR;
    memcpy(entry->d_name, name, digits);
    return (long)length;
}

static long put_members(const struct listing *list, int after, char *buf, size_t len)
{
    struct member batch[BATCH];
    size_t room = reach_writable(buf, len < MAX_ROOM ? len : MAX_ROOM);
    size_t used = 0;
    int last = after;
    long length = room > 0 ? 0 : -EFAULT;
    for (size_t n = BATCH; n == BATCH && length >= 0;) {
        n = next_members(list, last, batch);
        for (size_t i = 0; i < n && length >= 0; i++) {
            length = put_entry(list, batch[i], buf + used, room - used);
            used += length > 0 ? (size_t)length : 0;
            last = length >= 0 ? batch[i].id : last;
        }
    }
    raw3(SYS_lseek, list->fd, LISTED + last, SEEK_SET);
    if (used > 0)
        task_count(task_current, DETRUN_PID, DETRUN_DOOR_SYMBOL);
    return used > 0 || length >= 0 ? (long)used : length;
}

long procfs_list(int fd, void *buf, unsigned len)
{
    struct listing list;
    if (!find_listing(fd, &list))
        return raw3(SYS_getdents64, fd, (long)buf, len);
    long at = raw3(SYS_lseek, fd, 0, SEEK_CUR);
    if (at >= LISTED)
        return put_members(&list, (int)(at - LISTED), buf, len);
    for (;;) {
        long n = raw3(SYS_getdents64, fd, (long)buf, len);
        if (n == 0)
            return put_members(&list, 0, buf, len);
        size_t kept = n > 0 ? drop_replaced(&list, buf, (size_t)n) : 0;
        if (n < 0 || kept > 0)
            return n < 0 ? n : (long)kept;
    }
}
