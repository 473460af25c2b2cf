/* SPDX-License-Identifier: MIT */
#include "privilege.h"

#include <stddef.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>

/* S_ISGID without the group's execute bit is a mark for locks. */
static bool changes_ids(const struct stat *st, uint64_t user, uint64_t group)
{
    bool for_group = (st->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP);
    return (st->st_mode & S_ISUID && st->st_uid != user) || (for_group && st->st_gid != group);
}

/* Root has all of them anyway. */
static bool has_capabilities(const char *program, uint64_t user)
{
    return user != 0 && getxattr(program, "security.capability", NULL, 0) > 0;
}

bool privilege_given(const char *program, uint64_t user, uint64_t group)
{
    struct stat st;
    struct statvfs mounted;
    if (stat(program, &st) != 0)
        return false;
    if (!changes_ids(&st, user, group) && !has_capabilities(program, user))
        return false;
    return statvfs(program, &mounted) == 0 && !(mounted.f_flag & ST_NOSUID);
}
