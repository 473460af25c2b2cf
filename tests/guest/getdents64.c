/* SPDX-License-Identifier: MIT */
#include "guest_listing.h"

static size_t room;
static ssize_t (*get)(int fd, void *buf, size_t len);

static ssize_t by_number(int fd, void *buf, size_t len)
{
    return syscall(SYS_getdents64, fd, buf, len);
}

static void look(const char *path, struct ids *ids)
{
    char buf[4096] __attribute__((aligned(8)));
    int fd = open(path, O_RDONLY | O_DIRECTORY);
    ssize_t n;
    CHECK(fd >= 0);
    while ((n = get(fd, buf, room)) > 0) {
        CHECK((size_t)n <= room && n % 8 == 0);
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *entry = (const void *)(buf + at);
            CHECK(entry->d_reclen % 8 == 0 && entry->d_reclen >= 20 + strlen(entry->d_name));
            CHECK(atoi(entry->d_name) != getpid() ||
                  (entry->d_type == DT_DIR && entry->d_ino != 0));
            at += entry->d_reclen;
            add_name(ids, entry->d_name);
        }
    }
    CHECK(n == 0 && get(fd, buf, room) == 0 && close(fd) == 0);
}

/* The kernel's errors, at the end of a listing as at its beginning. */
static void check_errors(void)
{
    char buf[4096] __attribute__((aligned(8)));
    int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY);
    FAILS(EINVAL, get(fd, buf, 8));
    FAILS(EFAULT, get(fd, bad_pointer(), 4096));
    CHECK(get(fd, buf, 48) == 48);
    FAILS(EINVAL, get(fd, buf, 8));
    FAILS(EFAULT, get(fd, bad_pointer(), 4096));
    char *tight = guarded(32);
    CHECK(get(fd, tight, 32) > 0 && guard_holds(tight));
    CHECK(get(fd, tight, 32) == 0 && close(fd) == 0);
    FAILS(EBADF, get(-1, buf, sizeof(buf)));
    FAILS(ENOTDIR, get(0, buf, sizeof(buf)));
}

int main(void)
{
    get = getdents64;
    check_errors();
    room = 48;
    check_threads(look);
    room = 4096;
    check_listings(look);
    get = by_number;
    check_errors();
    room = 1024;
    check_listings(look);
    show("pid", getpid());
    return guest_end();
}
