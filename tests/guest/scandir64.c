/* SPDX-License-Identifier: MIT */
#include "guest_listing.h"

static void look(const char *path, struct ids *ids)
{
    struct dirent64 **names;
    int n = scandir64(path, &names, NULL, NULL);
    CHECK(n >= 0);
    for (int i = 0; i < n; i++) {
        add_name(ids, names[i]->d_name);
        free(names[i]);
    }
    free(names);
}

int main(void)
{
    struct dirent64 **names;
    check_listings(look);
    FAILS(ENOENT, scandir64(text("/proc/%d", NOBODY), &names, NULL, NULL));
    show("pid", getpid());
    return guest_end();
}
