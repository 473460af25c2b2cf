/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"
#include "guest_statfs.h"

#include <sys/statfs.h>

static void check(const struct statfs *st)
{
    CHECK(guard_holds(st));
    check_space((unsigned long long)st->f_frsize, st->f_blocks, st->f_bfree, st->f_bavail);
    check_files(st->f_files, st->f_ffree);
}

static int by_symbol(const char *path)
{
    struct statfs *st = guarded(sizeof(*st));
    int result = statfs(path, st);
    if (result == 0)
        check(st);
    return result;
}

static int by_number(const char *path)
{
    struct statfs st;
    return (int)syscall(SYS_statfs, path, &st);
}

/* seed: same */
int main(void)
{
    struct statfs *st = guarded(sizeof(*st));
    check_proc_paths(by_symbol);
    check_proc_paths(by_number);
    CHECK(by_symbol(".") == 0 && syscall(SYS_statfs, ".", st) == 0);
    check(st);
    FAILS(EFAULT, statfs(bad_pointer(), st));
    FAILS(EFAULT, by_number(bad_pointer()));
    return guest_end();
}
