/* SPDX-License-Identifier: MIT */
#include <ftw.h>

#include "guest_listing.h"
#include "guest_walk.h"

static struct ids *seen;
static size_t depth;

static int visit(const char *path, const struct stat *st, int type, struct FTW *place)
{
    (void)st;
    (void)place;
    size_t n = 0;
    for (const char *at = path; *at != '\0'; at++)
        n += *at == '/';
    if (n == depth + 1 && type == FTW_D)
        add_name(seen, strrchr(path, '/') + 1);
    return n > depth ? FTW_SKIP_SUBTREE : FTW_CONTINUE;
}

static void look(const char *path, struct ids *ids)
{
    seen = ids;
    depth = 0;
    for (const char *at = path; *at != '\0'; at++)
        depth += *at == '/';
    CHECK(nftw(path, visit, 16, FTW_PHYS | FTW_ACTIONRETVAL) == 0);
    sort_ids(ids);
}

static void *in_thread(void *argument)
{
    (void)argument;
    static struct ids ids;
    look(text("/proc/%d/task", getpid()), &ids);
    CHECK(ids.n == 2 && count_id(&ids, getpid()) == 1 && count_id(&ids, gettid()) == 1);
    return NULL;
}

static int tell(const char *path, const struct stat *st, int type, struct FTW *place)
{
    (void)type;
    (void)place;
    check_walked(path, st->st_ino, st->st_mtim.tv_sec);
    return 0;
}

int main(void)
{
    CHECK(nftw(make_walked(), tell, 16, FTW_PHYS) == 0 && walked == 4);
    static struct ids ids;
    pthread_t thread;
    look("/proc/self/task", &ids);
    CHECK(ids.n == 1 && ids.id[0] == getpid());
    CHECK(pthread_create(&thread, NULL, in_thread, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    show("pid", getpid());
    return guest_end();
}
