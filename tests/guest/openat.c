/* SPDX-License-Identifier: MIT */
#include "guest_device.h"
#include "guest_procfs.h"

static int by_symbol(int dir, const char *path)
{
    int fd = openat(dir, path, O_RDONLY);
    return fd < 0 ? fd : close(fd);
}

static int by_number(int dir, const char *path)
{
    int fd = (int)syscall(SYS_openat, dir, path, O_PATH);
    return fd < 0 ? fd : close(fd);
}

int main(void)
{
    int dev = openat(AT_FDCWD, "/dev", O_RDONLY | O_DIRECTORY);
    CHECK(dev >= 0);
    check_device(openat(dev, "urandom", O_RDONLY));
    check_device(openat(AT_FDCWD, "/dev/urandom", O_RDONLY));
    FAILS(ENOENT, openat(dev, "nonexistent", O_RDONLY));
    FAILS(EBADF, openat(-1, "urandom", O_RDONLY));
    FAILS(EFAULT, openat(dev, bad_pointer(), O_RDONLY));
    struct stat st;
    umask(0);
    int fd = openat(AT_FDCWD, ".", O_TMPFILE | O_RDWR, 0604);
    CHECK(fd < 0 || (fstat(fd, &st) == 0 && (st.st_mode & 07777) == 0604));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_openat, dev, (long)"nonexistent", O_RDONLY) == -ENOENT);
        check_device((int)by(door, SYS_openat, dev, (long)"urandom", O_RDONLY));
    }
    check_proc_at(by_symbol);
    check_proc_at(by_number);
    return guest_end();
}
