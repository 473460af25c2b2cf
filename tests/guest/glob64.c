/* SPDX-License-Identifier: MIT */
#include <glob.h>

#include "guest_listing.h"

/* It sorts by name, not by number. */
static void look(const char *path, struct ids *ids)
{
    glob64_t found = {0};
    CHECK(glob64(text("%s/[0-9]*", path), 0, NULL, &found) == 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        add_name(ids, strrchr(found.gl_pathv[i], '/') + 1);
    globfree64(&found);
    sort_ids(ids);
}

int main(void)
{
    glob64_t found = {0};
    check_listings(look);
    CHECK(glob64(text("/proc/%d/exe", getpid()), 0, NULL, &found) == 0 && found.gl_pathc == 1);
    CHECK(strcmp(found.gl_pathv[0], text("/proc/%d/exe", getpid())) == 0);
    globfree64(&found);
    CHECK(glob64(text("/proc/%d/*", NOBODY), 0, NULL, &found) == GLOB_NOMATCH);
    show("pid", getpid());
    return guest_end();
}
