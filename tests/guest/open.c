/* SPDX-License-Identifier: MIT */
#include "guest_device.h"
#include "guest_proc_text.h"

static int closed(int fd)
{
    return fd < 0 ? fd : close(fd);
}

static int by_symbol(const char *path)
{
    return closed(open(path, O_RDONLY));
}

static int by_number(const char *path)
{
    return closed((int)syscall(SYS_open, path, O_RDONLY | O_DIRECTORY));
}

static int descriptor(const char *path, int flags)
{
    return open(path, flags);
}

static int descriptor_by_number(const char *path, int flags)
{
    return (int)syscall(SYS_open, path, flags);
}

static void read_text(const char *path, char buf[8192])
{
    int fd = open(path, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, buf, 8191);
    CHECK(n >= 0 && close(fd) == 0);
    buf[n] = '\0';
}

int main(void)
{
    check_device(open("/dev/urandom", O_RDONLY));
    FAILS(ENOENT, open("/nonexistent", O_RDONLY));
    FAILS(EFAULT, open(bad_pointer(), O_RDONLY));
    FAILS(EISDIR, open("/", O_RDWR));
    /* The lowest free number, as natively. */
    int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    CHECK(close(fd) == 0);
    CHECK(open("/dev/random", O_RDONLY | O_NONBLOCK) == fd);
    CHECK(fcntl(fd, F_GETFD) == 0 && close(fd) == 0);
    /* A mode is handed on. */
    char path[64];
    struct stat st;
    snprintf(path, sizeof(path), "open-guest-%ld", (long)syscall(SYS_getuid));
    unlink(path);
    umask(0);
    fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0640);
    CHECK(fd >= 0 && fstat(fd, &st) == 0 && (st.st_mode & 07777) == 0640 && unlink(path) == 0);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_open, (long)"/nonexistent", O_RDONLY) == -ENOENT);
        fd = (int)by(door, SYS_open, (long)"/dev/urandom", O_RDONLY);
        check_device(fd);
    }
    check_proc_paths(by_symbol);
    check_proc_paths(by_number);
    check_proc_texts(read_text);
    check_text_descriptor(descriptor);
    check_text_descriptor(descriptor_by_number);
    return guest_end();
}
