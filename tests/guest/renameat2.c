/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_removed.h"

static int by_symbol(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

static int by_number(const char *from, const char *to)
{
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* Both files stay. */
static void check_exchange(void)
{
    make_one("old");
    make_one("new");
    long long old = number_of("old");
    long long new = number_of("new");
    CHECK(renameat2(AT_FDCWD, "new", AT_FDCWD, "old", RENAME_EXCHANGE) == 0);
    CHECK(number_of("old") == new &&number_of("new") == old);
    FAILS(EEXIST, renameat2(AT_FDCWD, "new", AT_FDCWD, "old", RENAME_NOREPLACE));
    CHECK(number_of("old") == new &&number_of("new") == old);
    CHECK(unlink("old") == 0 && unlink("new") == 0);
}

int main(void)
{
    takes_the_place(by_symbol);
    takes_the_place(by_number);
    check_exchange();
    return guest_end();
}
