/* SPDX-License-Identifier: MIT */
/**
 * @file
 * For guests of the stat family: files whose times are checked, and what must hold of them.
 */
#ifndef DETRUN_GUEST_STAT_H
#define DETRUN_GUEST_STAT_H

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "guest.h"

/** One way to ask. The file is "file", its descriptor fd. */
typedef int (*stat_way)(int fd, struct stat *out);

static inline long long stat_ns(struct timespec ts)
{
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static inline struct stat stat_by(stat_way way, int fd)
{
    struct stat *out = guarded(sizeof(*out));
    CHECK(way(fd, out) == 0 && guard_holds(out));
    return *out;
}

static inline int make_file(void)
{
    unlink("file");
    int fd = open("file", O_RDWR | O_CREAT | O_EXCL, 0644);
    CHECK(fd >= 0 && write(fd, "x", 1) == 1);
    return fd;
}

/** Two reads of the clock are one step apart, whatever files were looked at in between. */
static inline void looks_move_no_clock(stat_way way, int fd)
{
    long long before = clock_ns(CLOCK_REALTIME);
    long long step = clock_ns(CLOCK_REALTIME) - before;
    struct stat first = stat_by(way, fd);
    struct stat second = stat_by(way, fd);
    CHECK(!under_detrun() || clock_ns(CLOCK_REALTIME) - before == 2 * step);
    CHECK(stat_ns(first.st_mtim) == stat_ns(second.st_mtim));
}

/** A kernel's stamp may be a tick of its coarse clock behind. */
static inline void fresh_file_is_not_of_the_future(stat_way way, int fd)
{
    struct stat st = stat_by(way, fd);
    long long now = clock_ns(CLOCK_REALTIME);
    CHECK(stat_ns(st.st_mtim) <= now && stat_ns(st.st_atim) <= now && stat_ns(st.st_ctim) <= now);
    if (supervised())
        show("written", stat_ns(st.st_mtim));
    CHECK(st.st_size == 1 && S_ISREG(st.st_mode) && st.st_nlink == 1);
}

static inline void reads_back(stat_way way, int fd, long long ns)
{
    struct timespec times[2] = {timespec_ns(ns - 1000), timespec_ns(ns)};
    CHECK(futimens(fd, times) == 0);
    struct stat st = stat_by(way, fd);
    CHECK(stat_ns(st.st_mtim) == ns && stat_ns(st.st_atim) == ns - 1000);
}

/** 2001, 2024, the clock's now; and a copy of what is shown, as cp -p makes it. */
static inline void what_is_set_reads_back(stat_way way)
{
    int fd = make_file();
    long long fresh = stat_ns(stat_by(way, fd).st_mtim);
    reads_back(way, fd, 978307200123456789LL);
    reads_back(way, fd, 1717200000000000001LL);
    reads_back(way, fd, clock_ns(CLOCK_REALTIME));
    reads_back(way, fd, fresh);
    close(fd);
}

/** A file changed later is later: ticks of the kernel's clock are waited for, which under detrun
 * moves when it is read. */
static inline void order_is_kept(stat_way way)
{
    int fd = make_file();
    long long last = stat_ns(stat_by(way, fd).st_mtim);
    long long mtime = last;
    for (int i = 0; i < 100000 && mtime == last; i++) {
        clock_ns(CLOCK_REALTIME);
        CHECK(write(fd, "y", 1) == 1);
        mtime = stat_ns(stat_by(way, fd).st_mtim);
    }
    CHECK(mtime > last && mtime - last < 1000000000);
    close(fd);
}

/** libc's own calls come another way once a program has listed /proc: no time moves twice. */
static inline void proc_changes_nothing(stat_way way, int fd)
{
    struct stat before = stat_by(way, fd);
    DIR *proc = opendir("/proc");
    CHECK(proc && closedir(proc) == 0);
    struct stat after = stat_by(way, fd);
    CHECK(stat_ns(before.st_mtim) == stat_ns(after.st_mtim));
    CHECK(stat_ns(before.st_atim) == stat_ns(after.st_atim));
    CHECK(stat_ns(before.st_ctim) == stat_ns(after.st_ctim));
}

static inline void times_of_files(stat_way way)
{
    int fd = make_file();
    fresh_file_is_not_of_the_future(way, fd);
    looks_move_no_clock(way, fd);
    proc_changes_nothing(way, fd);
    close(fd);
    what_is_set_reads_back(way);
    order_is_kept(way);
    CHECK(unlink("file") == 0);
}

static inline ino_t entry_number(const char *name)
{
    DIR *dir = opendir(".");
    struct dirent *entry;
    CHECK(dir);
    while ((entry = readdir(dir)) && strcmp(entry->d_name, name) != 0)
        ;
    CHECK(entry);
    ino_t number = entry->d_ino;
    CHECK(closedir(dir) == 0);
    return number;
}

/** A file has one number, whichever way it is found, and no other file has it. */
static inline void numbers_of_files(stat_way way)
{
    unlink("linked");
    unlink("moved");
    unlink("pointing");
    int fd = make_file();
    ino_t number = stat_by(way, fd).st_ino;
    CHECK(link("file", "linked") == 0 && symlink("file", "pointing") == 0);
    struct stat here;
    CHECK(stat(".", &here) == 0 && stat_by(way, fd).st_dev == here.st_dev);
    CHECK(entry_number("file") == number && entry_number("linked") == number);
    CHECK(entry_number("pointing") != number && unlink("pointing") == 0);
    CHECK(rename("file", "moved") == 0 && entry_number("moved") == number);
    int other = open("file", O_RDWR | O_CREAT | O_EXCL, 0644);
    CHECK(stat_by(way, other).st_ino != number && stat_by(way, other).st_nlink == 1);
    CHECK(rename("moved", "file") == 0 && stat_by(way, fd).st_ino == number);
    CHECK(unlink("file") == 0 && rename("linked", "file") == 0);
    CHECK(stat_by(way, fd).st_ino == number && close(fd) == 0 && close(other) == 0);
    if (supervised()) {
        show("number", (long long)number);
        show("device", (long long)here.st_dev);
    }
}

static inline void sizes_of_files(stat_way way)
{
    int fd = make_file();
    struct stat st = stat_by(way, fd);
    CHECK(!supervised() || (st.st_blocks == 8 && st.st_blksize == 4096));
    CHECK(ftruncate(fd, 1 << 24) == 0);
    CHECK(stat_by(way, fd).st_blocks * 512 < 1 << 20); /* holes are seen */
    close(fd);
}

static inline void state_of_files(stat_way way)
{
    times_of_files(way);
    numbers_of_files(way);
    sizes_of_files(way);
    CHECK(unlink("file") == 0);
}

#endif
