/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest.h"

int main(void)
{
    char name[65];
    memset(name, 'x', sizeof(name));
    CHECK(gethostname(name, sizeof(name)) == 0);
    size_t n = strnlen(name, sizeof(name));
    CHECK(n > 0 && n < sizeof(name));
    if (under_detrun())
        CHECK(strcmp(name, "localhost") == 0);
    char *exact = guarded(n + 1);
    CHECK(gethostname(exact, n + 1) == 0 && strcmp(exact, name) == 0 && guard_holds(exact));
    char *small = guarded(n);
    FAILS(ENAMETOOLONG, gethostname(small, n));
    CHECK(memcmp(small, name, n) == 0 && guard_holds(small));
    return guest_end();
}
