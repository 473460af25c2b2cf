/* SPDX-License-Identifier: MIT */
/* seed: same */
/* A stream that was read in part is closed; the next one under its number begins anew. */
#include "guest_sorted.h"

#define MANY 1500

static void read_some(int n)
{
    DIR *dir = opendir(sorted_folder);
    CHECK(dir);
    for (int i = 0; i < n; i++)
        CHECK(readdir(dir));
    CHECK(closedir(dir) == 0);
}

int main(void)
{
    static struct names names;
    const struct dirent *entry;
    CHECK(make_folder(MANY));
    for (int i = 0; i < 10; i++)
        read_some(1 + i);
    CHECK(unlink(file_of(7)) == 0);
    DIR *dir = opendir(sorted_folder);
    while ((entry = readdir(dir)))
        add_sorted_name(&names, entry->d_name);
    CHECK(names.n == MANY + 1 && times_named(&names, "f7") == 0 && times_named(&names, "f8") == 1);
    CHECK(closedir(dir) == 0);
    remove_folder(MANY);
    return guest_end();
}
