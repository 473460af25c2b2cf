/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <fts.h>

#include "guest_sorted.h"

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
    return guest_end();
}
