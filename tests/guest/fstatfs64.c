/* SPDX-License-Identifier: MIT */
#include "guest_statfs.h"

#include <fcntl.h>
#include <sys/statfs.h>

/* seed: same */
int main(void)
{
    struct statfs64 *st = guarded(sizeof(*st));
    int fd = open(".", O_RDONLY | O_DIRECTORY);
    CHECK(fd >= 0 && fstatfs64(fd, st) == 0 && guard_holds(st));
    check_space((unsigned long long)st->f_frsize, st->f_blocks, st->f_bfree, st->f_bavail);
    check_files(st->f_files, st->f_ffree);
    FAILS(EBADF, fstatfs64(-1, st));
    return guest_end();
}
