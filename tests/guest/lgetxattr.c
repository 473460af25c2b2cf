/* SPDX-License-Identifier: MIT */
#include <sys/xattr.h>

#include "guest_procfs.h"

/* That there are none is an answer about a file that is there. */
static int by_symbol(const char *path)
{
    char value[256];
    ssize_t n = lgetxattr(path, "user.detrun", value, sizeof(value));
    return n >= 0 || errno == ENODATA || errno == EOPNOTSUPP ? 0 : -1;
}

static int by_number(const char *path)
{
    char value[256];
    ssize_t n = syscall(SYS_lgetxattr, path, "user.detrun", value, sizeof(value));
    return n >= 0 || errno == ENODATA || errno == EOPNOTSUPP ? 0 : -1;
}

/* seed: same */
int main(void)
{
    check_proc_paths(by_symbol);
    check_proc_paths(by_number);
    FAILS(EFAULT, by_symbol(bad_pointer()));
    FAILS(EFAULT, by_number(bad_pointer()));
    return guest_end();
}
