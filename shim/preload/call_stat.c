/* SPDX-License-Identifier: MIT */
/*
 * The stat family: paths that name processes by virtual ids, and the times that filetime.h makes of
 * the files'. To look at them is no read of the clock. Symbols go on to the next definition (there
 * may be other libraries that answer them), numbers to the kernel.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "calls.h"
#include "clock.h"
#include "filetime.h"
#include "init.h"
#include "inodes.h"
#include "loaded.h"
#include "procfs.h"
#include "raw.h"
#include "real.h"
#include "task.h"
#include "timespec.h"
#include "tracing.h"
#include "written.h"

#include "poison.h"

/* What statx is asked for beside what the program asks for. */
#define MASK        (STATX_CTIME | STATX_INO | STATX_NLINK | STATX_TYPE | STATX_SIZE | STATX_BLOCKS)
#define LAST_SECOND INT64_C(9000000000) /* beyond it nanoseconds would not fit */

/* What programs built before glibc 2.33 call; later headers do not declare it. */
int __xstat(int version, const char *path, struct stat *st);
int __lxstat(int version, const char *path, struct stat *st);
int __fxstat(int version, int fd, struct stat *st);
int __fxstatat(int version, int dir, const char *path, struct stat *st, int flags);

/* libc's own call, inside one of its symbols that is answered here, comes by the LATE site when
 * that is armed: what it says is to be shown once. */
static __thread unsigned inside;

static long left(long result)
{
    inside--;
    return result;
}

#define INSIDE(call) (inside++, left(call))

/* Whose file times are answered? NULL: nobody's. Those of a real clock are never in its future. */
static const struct detrun_task *answering(void)
{
    const struct detrun_task *t = task_self();
    return t && !task_leaves_real(DETRUN_MTIMES) && !task_leaves_real(DETRUN_WALL) ? t : NULL;
}

static bool is_usual(int64_t seconds)
{
    return seconds > 0 && seconds < LAST_SECOND;
}

/* What is the same for all times of one file. */
struct shown_file {
    int64_t now;
    int64_t changed;
    int64_t written;
};

/* Of what the job has changed by ways that are not seen, directories among them, the only time that
 * does not hang on the machine's speed is that of its start. */
static int64_t written_time(uint64_t dev, uint64_t ino, int64_t changed)
{
    const struct detrun_params *p = &shim.memory->params;
    if (shim.alone)
        return FILETIME_MOVED;
    int64_t written = changed >= p->file_start_ns ? written_at(shim.memory, dev, ino) : 0;
    return written != 0 ? written : p->epoch_ns;
}

static struct shown_file shown_file(const struct detrun_task *t, uint64_t dev, uint64_t ino,
                                    int64_t changed)
{
    return (struct shown_file){
        .now = clock_view(shim.memory, t, DETRUN_FAMILY_WALL),
        .changed = changed,
        .written = written_time(dev, ino, changed),
    };
}

static void show_time(const struct shown_file *file, struct timespec *time)
{
    if (is_usual(time->tv_sec))
        *time = timespec_of(filetime_shown(&shim.memory->params, timespec_ns(time), file->changed,
                                           file->now, file->written));
}

static bool is_python_source(const char *path)
{
    size_t n = path ? strlen(path) : 0;
    return n > 3 && memcmp(path + n - 3, ".py", 3) == 0;
}

/* Its interpreter, in the program or in a library, perhaps one that is loaded later. */
static bool runs_python(void)
{
    static bool found;
    struct loaded object;
    const struct link_map *o = loaded_objects(init_environment());
    for (; o && !__atomic_load_n(&found, __ATOMIC_RELAXED); o = o->l_next)
        if (o->l_ld && loaded_open(&object, o->l_addr, o->l_ld) &&
            loaded_symbol(&object, "PyImport_ImportModule"))
            __atomic_store_n(&found, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&found, __ATOMIC_RELAXED);
}

/* Python keeps a source's time in the byte code it makes of it, and makes that anew when the two
 * differ: for it sources have the same time inside and outside of jobs. For others (make) they have
 * their place among all files. A path that was looked up is readable. */
static bool keeps_time(const char *path)
{
    return is_python_source(path) && runs_python();
}

static void show_times(const struct detrun_task *t, struct stat *st)
{
    struct shown_file file = shown_file(t, st->st_dev, st->st_ino, timespec_ns(&st->st_ctim));
    show_time(&file, &st->st_atim);
    show_time(&file, &st->st_mtim);
    show_time(&file, &st->st_ctim);
}

static void show_state(struct file_name name, struct stat *st)
{
    struct file_state file = {st->st_dev,
                              st->st_ino,
                              st->st_nlink,
                              (uint64_t)st->st_size,
                              (uint64_t)st->st_blocks,
                              (uint64_t)st->st_blksize,
                              st->st_mode};
    if (!inodes_show(&name, &file))
        return;
    st->st_dev = file.dev;
    st->st_ino = file.ino;
    st->st_blocks = (blkcnt_t)file.blocks;
    st->st_blksize = (blksize_t)file.block_size;
}

static long shown(long result, int dir, const char *path, int flags, struct stat *st)
{
    const struct detrun_task *t = result == 0 ? answering() : NULL;
    if (t && !keeps_time(path))
        show_times(t, st);
    if (result == 0)
        show_state((struct file_name){dir, path, !(flags & AT_SYMLINK_NOFOLLOW)}, st);
    if (result == 0 && tracing_is_on())
        tracing_put_state(path, st->st_mode, (uint64_t)st->st_size, timespec_ns(&st->st_mtim));
    return result;
}

static void show_stamp(const struct shown_file *file, struct statx_timestamp *stamp)
{
    struct timespec ts = {.tv_sec = stamp->tv_sec, .tv_nsec = stamp->tv_nsec};
    show_time(file, &ts);
    stamp->tv_sec = ts.tv_sec;
    stamp->tv_nsec = (uint32_t)ts.tv_nsec;
}

static void show_stamps(const struct detrun_task *t, struct statx *st)
{
    int64_t changed = st->stx_ctime.tv_sec * TIMESPEC_SECOND + st->stx_ctime.tv_nsec;
    uint64_t dev = makedev(st->stx_dev_major, st->stx_dev_minor);
    struct shown_file file = shown_file(t, dev, st->stx_ino, changed);
    show_stamp(&file, &st->stx_atime);
    show_stamp(&file, &st->stx_ctime);
    show_stamp(&file, &st->stx_mtime);
    if (file.written != FILETIME_MOVED)
        file.written = shim.memory->params.epoch_ns; /* later writes do not change it */
    show_stamp(&file, &st->stx_btime);
}

static void show_state_x(struct file_name name, struct statx *st)
{
    struct file_state file = {makedev(st->stx_dev_major, st->stx_dev_minor),
                              st->stx_ino,
                              st->stx_nlink,
                              st->stx_size,
                              st->stx_blocks,
                              st->stx_blksize,
                              st->stx_mode};
    if (!inodes_show(&name, &file))
        return;
    st->stx_dev_major = major(file.dev);
    st->stx_dev_minor = minor(file.dev);
    st->stx_ino = file.ino;
    st->stx_blocks = file.blocks;
    st->stx_blksize = (uint32_t)file.block_size;
}

static long shown_x(long result, int dir, const char *path, int flags, struct statx *st)
{
    const struct detrun_task *t = result == 0 ? answering() : NULL;
    if (t && !keeps_time(path))
        show_stamps(t, st);
    if (result == 0)
        show_state_x((struct file_name){dir, path, !(flags & AT_SYMLINK_NOFOLLOW)}, st);
    if (result == 0 && tracing_is_on())
        tracing_put_state(path, st->stx_mode, st->stx_size,
                          st->stx_mtime.tv_sec * TIMESPEC_SECOND + st->stx_mtime.tv_nsec);
    return result;
}

long libc_stat(const char *restrict path, struct stat *restrict st)
{
    PROCFS_ASK(result, AT_FDCWD, path, INSIDE(real_result(REAL_LIBC(stat)(path, st))));
    return shown(result, AT_FDCWD, path, 0, st);
}

long libc_lstat(const char *restrict path, struct stat *restrict st)
{
    PROCFS_ASK(result, AT_FDCWD, path, INSIDE(real_result(REAL_LIBC(lstat)(path, st))));
    return shown(result, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, st);
}

long libc_fstat(int fd, struct stat *st)
{
    return shown(INSIDE(real_result(REAL_LIBC(fstat)(fd, st))), fd, NULL, 0, st);
}

long libc_fstatat(int dir, const char *restrict path, struct stat *restrict st, int flags)
{
    PROCFS_ASK(result, dir, path, INSIDE(real_result(REAL_LIBC(fstatat)(dir, path, st, flags))));
    return shown(result, dir, path, flags, st);
}

/* Which times the job itself has set only the time of the change tells. */
long libc_statx(int dir, const char *restrict path, int flags, unsigned mask,
                struct statx *restrict st)
{
    mask |= MASK;
    PROCFS_ASK(result, dir, path,
               INSIDE(real_result(REAL_LIBC(statx)(dir, path, flags, mask, st))));
    return shown_x(result, dir, path, flags, st);
}

long libc___xstat(int version, const char *path, struct stat *st)
{
    PROCFS_ASK(result, AT_FDCWD, path, INSIDE(real_result(REAL_LIBC(__xstat)(version, path, st))));
    return shown(result, AT_FDCWD, path, 0, st);
}

long libc___lxstat(int version, const char *path, struct stat *st)
{
    PROCFS_ASK(result, AT_FDCWD, path, INSIDE(real_result(REAL_LIBC(__lxstat)(version, path, st))));
    return shown(result, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, st);
}

long libc___fxstat(int version, int fd, struct stat *st)
{
    return shown(INSIDE(real_result(REAL_LIBC(__fxstat)(version, fd, st))), fd, NULL, 0, st);
}

long libc___fxstatat(int version, int dir, const char *path, struct stat *st, int flags)
{
    PROCFS_ASK(result, dir, path,
               INSIDE(real_result(REAL_LIBC(__fxstatat)(version, dir, path, st, flags))));
    return shown(result, dir, path, flags, st);
}

long call_stat(const char *path, struct stat *st)
{
    return call_newfstatat(AT_FDCWD, path, st, 0);
}

long call_lstat(const char *path, struct stat *st)
{
    return call_newfstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

long call_fstat(int fd, struct stat *st)
{
    return shown(raw3(SYS_fstat, fd, (long)st, 0), fd, NULL, 0, st);
}

long call_newfstatat(int dir, const char *path, struct stat *st, int flags)
{
    PROCFS_ASK(result, dir, path, raw4(SYS_newfstatat, dir, (long)path, (long)st, flags));
    return inside > 0 ? result : shown(result, dir, path, flags, st);
}

long call_statx(int dir, const char *path, int flags, unsigned mask, struct statx *st)
{
    mask |= MASK;
    PROCFS_ASK(result, dir, path, raw6(SYS_statx, dir, (long)path, flags, mask, (long)st, 0));
    return shown_x(result, dir, path, flags, st);
}
