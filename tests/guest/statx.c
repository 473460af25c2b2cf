/* SPDX-License-Identifier: MIT */
#include <sys/sysmacros.h>

#include "guest_procfs.h"
#include "guest_stat.h"

static int at(int dir, const char *path)
{
    struct statx st;
    return statx(dir, path, 0, STATX_BASIC_STATS, &st);
}

static int by_number(int dir, const char *path)
{
    struct statx st;
    return (int)syscall(SYS_statx, dir, path, 0, STATX_BASIC_STATS, &st);
}

static int here(const char *path)
{
    return at(AT_FDCWD, path);
}

static struct timespec time_of(struct statx_timestamp stamp)
{
    return (struct timespec){.tv_sec = stamp.tv_sec, .tv_nsec = stamp.tv_nsec};
}

static int as_stat(const struct statx *x, struct stat *out)
{
    *out = (struct stat){
        .st_mode = x->stx_mode,
        .st_nlink = x->stx_nlink,
        .st_dev = makedev(x->stx_dev_major, x->stx_dev_minor),
        .st_ino = x->stx_ino,
        .st_size = (off_t)x->stx_size,
        .st_blocks = (blkcnt_t)x->stx_blocks,
        .st_blksize = (blksize_t)x->stx_blksize,
        .st_atim = time_of(x->stx_atime),
        .st_mtim = time_of(x->stx_mtime),
        .st_ctim = time_of(x->stx_ctime),
    };
    return 0;
}

static int times_by_symbol(int fd, struct stat *out)
{
    struct statx x;
    (void)fd;
    CHECK(statx(AT_FDCWD, "file", 0, STATX_BASIC_STATS, &x) == 0);
    return as_stat(&x, out);
}

/* The time of the last change is not asked for. */
static int times_by_number(int fd, struct stat *out)
{
    struct statx x;
    unsigned mask = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_SIZE | STATX_MTIME | STATX_ATIME |
                    STATX_INO | STATX_BLOCKS;
    CHECK(syscall(SYS_statx, fd, "", AT_EMPTY_PATH, mask, &x) == 0);
    CHECK((x.stx_mask & mask) == mask);
    return as_stat(&x, out);
}

static void check_creation(void)
{
    struct statx x;
    CHECK(statx(AT_FDCWD, ".", 0, STATX_BTIME, &x) == 0);
    CHECK(!(x.stx_mask & STATX_BTIME) || stat_ns(time_of(x.stx_btime)) <= clock_ns(CLOCK_REALTIME));
}

static void check_failures(enum door door)
{
    struct statx *x = guarded(sizeof(*x));
    long dot = (long)".";
    CHECK(by(door, SYS_statx, AT_FDCWD, dot, 0, STATX_BASIC_STATS, (long)x) == 0 && guard_holds(x));
    CHECK(S_ISDIR(x->stx_mode));
    CHECK(by(door, SYS_statx, AT_FDCWD, dot, 0, STATX_TYPE, (long)bad_pointer()) == -EFAULT);
    CHECK(by(door, SYS_statx, AT_FDCWD, dot, 0, STATX__RESERVED, (long)x) == -EINVAL);
    CHECK(by(door, SYS_statx, AT_FDCWD, dot, 0x40000000, STATX_TYPE, (long)x) == -EINVAL);
    CHECK(by(door, SYS_statx, AT_FDCWD, (long)"nothing", 0, STATX_TYPE, (long)x) == -ENOENT);
}

/* seed: same */
int main(void)
{
    check_proc_paths(here);
    check_proc_at(at);
    check_proc_at(by_number);
    FAILS(EFAULT, here(bad_pointer()));
    FAILS(EFAULT, by_number(AT_FDCWD, bad_pointer()));
    state_of_files(times_by_symbol);
    state_of_files(times_by_number);
    check_creation();
    check_failures(BY_SYSCALL);
    check_failures(BY_INSTRUCTION);
    return guest_end();
}
