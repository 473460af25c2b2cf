/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"
#include "guest_statfs.h"

#include <sys/statvfs.h>

static int by_symbol(const char *path)
{
    struct statvfs64 *st = guarded(sizeof(*st));
    int result = statvfs64(path, st);
    if (result != 0)
        return result;
    CHECK(guard_holds(st));
    check_space(st->f_frsize, st->f_blocks, st->f_bfree, st->f_bavail);
    check_files(st->f_files, st->f_ffree);
    return 0;
}

/* seed: same */
int main(void)
{
    check_proc_paths(by_symbol);
    CHECK(by_symbol(".") == 0);
    FAILS(ENOENT, by_symbol("nothing"));
    return guest_end();
}
