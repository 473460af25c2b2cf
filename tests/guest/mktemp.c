/* SPDX-License-Identifier: MIT */
#include <sys/stat.h>

#include "guest.h"

int main(void)
{
    char name[32];
    CHECK(mktemp(strcpy(name, "name-XXXXXX")) == name && strlen(name) == strlen("name-XXXXXX"));
    CHECK(access(name, F_OK) == -1 && strchr(name, 'X') != name + 5);
    puts(under_detrun() ? name : "");
    CHECK(mktemp(strcpy(name, "name-XXXXX"))[0] == '\0' && errno == EINVAL);
    return guest_end();
}
