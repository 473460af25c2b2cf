/* SPDX-License-Identifier: MIT */
#include "guest_listing.h"

static void look(const char *path, struct ids *ids)
{
    struct dirent **names;
    int dir = open(path[0] == '/' ? "/" : ".", O_PATH);
    int n = scandirat(dir, path[0] == '/' ? path + 1 : path, &names, NULL, NULL);
    CHECK(n >= 0 && close(dir) == 0);
    for (int i = 0; i < n; i++) {
        add_name(ids, names[i]->d_name);
        free(names[i]);
    }
    free(names);
}

static void check_from_proc(void)
{
    static struct ids ids;
    struct dirent **names;
    int proc = open("/proc", O_PATH);
    int n = scandirat(proc, text("%d/task", getpid()), &names, NULL, NULL);
    CHECK(n == 3 && close(proc) == 0);
    for (int i = 0; i < n; i++) {
        add_name(&ids, names[i]->d_name);
        free(names[i]);
    }
    free(names);
    CHECK(ids.n == 1 && ids.id[0] == getpid());
}

int main(void)
{
    struct dirent **names;
    check_from_proc();
    check_listings(look);
    FAILS(EBADF, scandirat(-1, "x", &names, NULL, NULL));
    show("pid", getpid());
    return guest_end();
}
