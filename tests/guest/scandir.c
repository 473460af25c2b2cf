/* SPDX-License-Identifier: MIT */
#include "guest_listing.h"

static void look(const char *path, struct ids *ids)
{
    struct dirent **names;
    int n = scandir(path, &names, NULL, NULL);
    CHECK(n >= 0);
    for (int i = 0; i < n; i++) {
        add_name(ids, names[i]->d_name);
        free(names[i]);
    }
    free(names);
}

int main(void)
{
    struct dirent **names;
    check_listings(look);
    FAILS(ENOENT, scandir(text("/proc/%d", NOBODY), &names, NULL, NULL));
    show("pid", getpid());
    return guest_end();
}
