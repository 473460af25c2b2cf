/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/utsname.h>

#include "guest.h"

static void check(const struct utsname *u)
{
    CHECK(strcmp(u->sysname, "Linux") == 0 && strcmp(u->machine, "x86_64") == 0);
    CHECK(u->release[0] >= '2' && u->nodename[0] != '\0');
}

int main(void)
{
    struct utsname *u = guarded(sizeof(*u));
    CHECK(uname(u) == 0 && guard_holds(u));
    check(u);
    if (under_detrun())
        CHECK(strcmp(u->nodename, "localhost") == 0 && strcmp(u->domainname, "(none)") == 0);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_uname, (long)u) == 0 && guard_holds(u));
        check(u);
        if (under_detrun() && answered(door))
            CHECK(strcmp(u->nodename, "localhost") == 0);
        CHECK(by(door, SYS_uname, (long)bad_pointer()) == -EFAULT);
    }
    return guest_end();
}
