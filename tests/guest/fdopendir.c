/* SPDX-License-Identifier: MIT */
#include "guest_listing.h"

static void look(const char *path, struct ids *ids)
{
    int fd = open(path, O_RDONLY);
    DIR *dir = fdopendir(fd);
    CHECK(fd >= 0 && dir && dirfd(dir) == fd);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        add_name(ids, entry->d_name);
    CHECK(closedir(dir) == 0);
}

int main(void)
{
    check_listings(look);
    errno = 0;
    CHECK(fdopendir(-1) == NULL && errno == EBADF);
    show("pid", getpid());
    return guest_end();
}
