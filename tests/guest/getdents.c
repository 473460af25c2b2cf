/* SPDX-License-Identifier: MIT */
/* seed: same */
/* By number alone: the older form of an entry, whose type is its last byte. */
#include "guest_sorted.h"

struct older {
    unsigned long ino;
    unsigned long off;
    unsigned short length;
    char name[];
};

static char type_of(const struct older *entry)
{
    return ((const char *)entry)[entry->length - 1];
}

static void list(int fd, size_t room, struct names *names)
{
    char buf[4096] __attribute__((aligned(8)));
    long n;
    while ((n = syscall(SYS_getdents, fd, buf, room)) > 0)
        for (long at = 0; at < n;) {
            const struct older *entry = (const void *)(buf + at);
            at += entry->length;
            CHECK(entry->ino != 0 && type_of(entry) == (is_dot(entry->name) ? DT_DIR : DT_REG));
            add_sorted_name(names, entry->name);
        }
    CHECK(n == 0);
}

int main(void)
{
    struct names names = {0};
    char buf[64];
    int fd = open(make_folder(FILES), O_RDONLY | O_DIRECTORY);
    list(fd, 4096, &names);
    check_names(&names, FILES);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    names.n = 0;
    list(fd, 48, &names);
    check_names(&names, FILES);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    FAILS(EINVAL, syscall(SYS_getdents, fd, buf, 8));
    FAILS(EFAULT, syscall(SYS_getdents, fd, bad_pointer(), 4096));
    FAILS(EBADF, syscall(SYS_getdents, -1, buf, sizeof(buf)));
    remove_folder(FILES);
    return guest_end();
}
