/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <fts.h>

#include "guest_sorted.h"
#include "guest_walk.h"

static void check_told(void)
{
    char folder[] = "walked";
    char *paths[] = {folder, NULL};
    make_walked();
    FTS *walk = fts_open(paths, FTS_PHYSICAL, NULL);
    CHECK(walk);
    for (FTSENT *entry; (entry = fts_read(walk));)
        if (entry->fts_info == FTS_F || entry->fts_info == FTS_D)
            check_walked(entry->fts_accpath, entry->fts_statp->st_ino,
                         entry->fts_statp->st_mtim.tv_sec);
    CHECK(walked == 4 && fts_close(walk) == 0);
}

int main(void)
{
    static struct names names;
    char *paths[] = {sorted_folder, NULL};
    CHECK(make_folder(FILES));
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    CHECK(walk);
    for (FTSENT *entry; (entry = fts_read(walk));)
        if (entry->fts_info == FTS_F)
            add_sorted_name(&names, entry->fts_name);
    CHECK(names.n == FILES && fts_close(walk) == 0);
    check_names(&names, FILES);
    char *none[] = {NULL};
    CHECK(!fts_open(none, 0x10000, NULL) && errno == EINVAL);
    remove_folder(FILES);
    check_told();
    return guest_end();
}
