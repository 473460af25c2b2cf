/* SPDX-License-Identifier: MIT */
#include "guest_statfs.h"

#include <fcntl.h>
#include <sys/statfs.h>

static void check(const struct statfs *st)
{
    CHECK(guard_holds(st));
    check_space((unsigned long long)st->f_frsize, st->f_blocks, st->f_bfree, st->f_bavail);
    check_files(st->f_files, st->f_ffree);
}

/* seed: same */
int main(void)
{
    struct statfs *st = guarded(sizeof(*st));
    int fd = open(".", O_RDONLY | O_DIRECTORY);
    CHECK(fd >= 0 && fstatfs(fd, st) == 0);
    check(st);
    CHECK(syscall(SYS_fstatfs, fd, st) == 0);
    check(st);
    FAILS(EBADF, fstatfs(-1, st));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_fstatfs, fd, (long)st) == 0 && guard_holds(st));
        CHECK(by(door, SYS_fstatfs, fd, (long)bad_pointer()) == -EFAULT);
        CHECK(by(door, SYS_fstatfs, -1, (long)st) == -EBADF);
    }
    return guest_end();
}
