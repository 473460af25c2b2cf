/* SPDX-License-Identifier: MIT */
#include <sys/stat.h>

#include "guest.h"

int main(void)
{
    char name[32];
    struct stat st;
    CHECK(mkdtemp(strcpy(name, "folder-XXXXXX")) == name && stat(name, &st) == 0);
    CHECK(S_ISDIR(st.st_mode) && (st.st_mode & 0777) == 0700);
    puts(under_detrun() ? name : "");
    CHECK(rmdir(name) == 0);
    CHECK(mkdtemp(strcpy(name, "folder-XXXXX")) == NULL && errno == EINVAL);
    CHECK(mkdtemp(strcpy(name, "none/f-XXXXXX")) == NULL && errno == ENOENT);
    return guest_end();
}
