/* SPDX-License-Identifier: MIT */
#include "guest_listing.h"

static int by_symbol(const char *path)
{
    DIR *dir = opendir(path);
    return dir ? closedir(dir) : -1;
}

static void look(const char *path, struct ids *ids)
{
    DIR *dir = opendir(path);
    CHECK(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        add_name(ids, entry->d_name);
    CHECK(closedir(dir) == 0);
}

int main(void)
{
    check_proc_paths(by_symbol);
    FAILS(ENOTDIR, by_symbol("/proc/self/stat"));
    check_listings(look);
    show("pid", getpid());
    return guest_end();
}
