/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_removed.h"

static void make_folder(const char *path)
{
    CHECK(mkdir(path, 0700) == 0);
}

int main(void)
{
    takes_away("file", remove, make_one);
    takes_away("folder", remove, make_folder);
    return guest_end();
}
