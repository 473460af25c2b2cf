/* SPDX-License-Identifier: MIT */
#include <ftw.h>

#include "guest_listing.h"
#include "guest_walk.h"

static int first;

/* It follows every link, those to the root too: the first one is enough. */
static int visit(const char *path, const struct stat *st, int type)
{
    (void)st;
    first = atoi(strrchr(path, '/') + 1);
    return type == FTW_D && first > 0;
}

static int tell(const char *path, const struct stat *st, int type)
{
    (void)type;
    check_walked(path, st->st_ino, st->st_mtim.tv_sec);
    return 0;
}

int main(void)
{
    CHECK(ftw(make_walked(), tell, 16) == 0 && walked == 4);
    CHECK(ftw("/proc/self/task", visit, 16) == 1 && first == getpid());
    CHECK(ftw(text("/proc/%d/task", getpid()), visit, 16) == 1 && first == getpid());
    FAILS(ENOENT, ftw(text("/proc/%d", NOBODY), visit, 16));
    show("pid", getpid());
    return guest_end();
}
