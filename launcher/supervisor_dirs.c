/* SPDX-License-Identifier: MIT */
/*
 * --trap-getdents: directories that images without the shim list, in the order of their names. As
 * the shim's dirs.c, with one window for all that are being read in parts.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cleanup.h"
#include "guest.h"
#include "supervisor.h"
#include "window.h"

#define AREA  (1 << 22)
#define PIECE 65536

/* The last window that was not given whole. */
static struct {
    struct window window; /* area NULL: none yet */
    dev_t dev;
    ino_t ino;
    int32_t pid;
    int before; /* entries before its first one */
} kept;

static char area[AREA] __attribute__((aligned(8)));

static long list_by_kernel(int fd, void *buf, unsigned len)
{
    long n = syscall(SYS_getdents64, fd, buf, len);
    return n < 0 ? -errno : n;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

enum mount { MOUNT_PROC, MOUNT_REMOTE, MOUNT_LOCAL };

/* Whoever serves a file system may be waiting for us, or for nobody knows what; /proc has an order
 * of its own. */
static enum mount kind_of(const char *type)
{
    static const char *const remote[] = {"fuse", "autofs", "nfs", "cifs", "smb", "afs", "ceph"};
    for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++)
        if (begins(type, remote[i]))
            return MOUNT_REMOTE;
    return begins(type, "proc ") ? MOUNT_PROC : MOUNT_LOCAL;
}

/* @return the file system's type in a line of mountinfo, or NULL */
static const char *type_in(const char *line, unsigned long mount)
{
    const char *type = strtoul(line, NULL, 10) == mount ? strstr(line, " - ") : NULL;
    return type ? type + 3 : NULL;
}

/* The mount that a descriptor's file is on; 0: not known. */
static unsigned long mount_of(int fd)
{
    char path[48];
    char text[256] = "";
    snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
    AUTO_CLOSE int info = open(path, O_RDONLY | O_CLOEXEC);
    if (info < 0 || read(info, text, sizeof(text) - 1) <= 0)
        return 0;
    const char *id = strstr(text, "mnt_id:");
    return id ? strtoul(id + strlen("mnt_id:"), NULL, 10) : 0;
}

/* Asked of nobody but the kernel: of the table of mounts, unless it is the same as last time. */
static enum mount kind_of_mount(int32_t pid, int fd)
{
    static unsigned long last; /* that was local */
    char path[32];
    AUTO_FREE char *line = NULL;
    size_t room = 0;
    const char *type = NULL;
    unsigned long mount = mount_of(fd);
    if (mount != 0 && mount == last)
        return MOUNT_LOCAL;
    snprintf(path, sizeof(path), "/proc/%d/mountinfo", pid);
    FILE *mounts = fopen(path, "re");
    while (mounts && !type && getline(&line, &room, mounts) > 0)
        type = type_in(line, mount);
    if (mounts)
        fclose(mounts);
    enum mount kind = type ? kind_of(type) : MOUNT_REMOTE;
    last = kind == MOUNT_LOCAL ? mount : 0;
    return kind;
}

static void go_to(int fd, int position)
{
    lseek(fd, position, SEEK_SET);
}

static bool is_here(int at)
{
    return kept.window.area && at >= kept.before && at - kept.before < (int)kept.window.count;
}

/* The window in which an entry is, after those before it. @return 0 or -errno */
static long seek_window(int fd, int at)
{
    char after[sizeof(((struct dirent *)0)->d_name)] = "";
    kept.before = 0;
    for (;;) {
        kept.window = (struct window){.area = area, .size = AREA};
        go_to(fd, 0);
        long result = window_read(&kept.window, list_by_kernel, fd, after[0] ? after : NULL, true);
        if (result < 0)
            kept.window.area = NULL;
        if (result < 0 || kept.window.complete || is_here(at))
            return result;
        const char *last = window_entry(&kept.window, kept.window.count - 1)->d_name;
        memcpy(after, last, strlen(last) + 1);
        kept.before += (int)kept.window.count;
    }
}

/* As many entries as there is room for. @return bytes, -EINVAL: not even one */
static long pack(int at, char *buf, size_t len, int *position)
{
    size_t used = 0;
    uint32_t first = (uint32_t)(at - kept.before);
    for (uint32_t i = first; is_here(at) && i < kept.window.count; i++) {
        const struct dirent *entry = window_entry(&kept.window, i);
        if (used + entry->d_reclen > len)
            return used > 0 ? (long)used : -EINVAL;
        memcpy(buf + used, entry, entry->d_reclen);
        *position = window_position(&kept.window, kept.before, i);
        ((struct dirent *)(void *)(buf + used))->d_off = *position;
        used += entry->d_reclen;
    }
    return (long)used;
}

static long give(struct question *q, int fd, int at)
{
    static char buf[PIECE] __attribute__((aligned(8)));
    size_t len = (uint32_t)q->args[2] < sizeof(buf) ? (uint32_t)q->args[2] : sizeof(buf);
    int position = WINDOW_END;
    long n = pack(at, buf, len, &position);
    int error = n > 0 ? guest_write(q, q->args[1], buf, (size_t)n) : (int)n;
    go_to(fd, error ? at : position);
    if (n > 0 && error)
        return supervisor_unreachable(q, error);
    return n;
}

/* One that is begun anew is read anew. */
static long list(struct question *q, int fd, const struct stat *st, int at)
{
    int32_t pid = (int32_t)q->request->pid;
    bool same = kept.pid == pid && kept.dev == st->st_dev && kept.ino == st->st_ino;
    long result = at > 0 && same && is_here(at) ? 0 : seek_window(fd, at);
    kept.pid = pid;
    kept.dev = st->st_dev;
    kept.ino = st->st_ino;
    if (result == 0)
        return give(q, fd, at);
    go_to(fd, at);
    return result;
}

long answer_getdents64(struct question *q)
{
    struct stat st;
    if (supervisor_is_real(q, DETRUN_DIRS) || !(q->m->params.flags & DETRUN_FLAG_TRAP_GETDENTS))
        return ANSWER_CONTINUE;
    AUTO_CLOSE int fd = guest_copy_descriptor((int32_t)q->process->real_pid, (int)q->args[0]);
    if (fd == -EBADF)
        return ANSWER_CONTINUE;
    enum mount kind = fd < 0 ? MOUNT_REMOTE : kind_of_mount((int32_t)q->request->pid, fd);
    if (kind == MOUNT_REMOTE)
        supervisor_gap(q, DETRUN_GAP_DIRS_KERNEL);
    if (kind != MOUNT_LOCAL)
        return ANSWER_CONTINUE;
    off_t at = lseek(fd, 0, SEEK_CUR);
    if (fstat(fd, &st) != 0 || !S_ISDIR(st.st_mode) || at < 0 || at > WINDOW_END)
        return ANSWER_CONTINUE;
    return at == WINDOW_END ? 0 : list(q, fd, &st, (int)at);
}
