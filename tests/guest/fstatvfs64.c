/* SPDX-License-Identifier: MIT */
#include "guest_statfs.h"

#include <fcntl.h>
#include <sys/statvfs.h>

/* seed: same */
int main(void)
{
    struct statvfs64 *st = guarded(sizeof(*st));
    int fd = open(".", O_RDONLY | O_DIRECTORY);
    CHECK(fd >= 0 && fstatvfs64(fd, st) == 0 && guard_holds(st));
    check_space(st->f_frsize, st->f_blocks, st->f_bfree, st->f_bavail);
    check_files(st->f_files, st->f_ffree);
    FAILS(EBADF, fstatvfs64(-1, st));
    return guest_end();
}
