/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Random devices: what must hold for every way to open and to read one.
 */
#ifndef DETRUN_GUEST_DEVICE_H
#define DETRUN_GUEST_DEVICE_H

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "guest.h"

static inline int device_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    CHECK(fd >= 0);
    return fd;
}

/** A descriptor of /dev/urandom: the kernel's in every respect but its bytes, which are shown. */
static inline void check_device(int fd)
{
    struct stat st;
    unsigned char bytes[2][16];
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    CHECK(fd >= 0);
    CHECK(fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 9));
    CHECK(poll(&ready, 1, 0) == 1 && ready.revents == POLLIN);
    for (int i = 0; i < 2; i++) {
        CHECK(read(fd, bytes[i], 16) == 16);
        show_bytes("device", bytes[i], 16);
    }
    CHECK(memcmp(bytes[0], bytes[1], 16) != 0);
}

typedef ssize_t (*device_reader)(int fd, void *buf, size_t len);

static inline void check_big_read(device_reader reader, int fd)
{
    static unsigned char big[1 << 20];
    CHECK(reader(fd, big, sizeof(big)) == (ssize_t)sizeof(big));
    CHECK(memcmp(big, big + sizeof(big) / 2, 256) != 0);
    show_bytes("big", big + sizeof(big) - 16, 16);
}

static inline void check_uuid_file(device_reader reader)
{
    char text[2][64];
    for (int i = 0; i < 2; i++) {
        int fd = device_open("/proc/sys/kernel/random/uuid");
        CHECK(reader(fd, text[i], sizeof(text[i])) == 37);
        CHECK(text[i][14] == '4' && text[i][36] == '\n');
        printf("uuid %.36s\n", text[i]);
        close(fd);
    }
    CHECK(memcmp(text[0], text[1], 36) != 0);
    for (int i = 0; i < 2; i++) {
        int fd = device_open("/proc/sys/kernel/random/boot_id");
        CHECK(reader(fd, text[i], sizeof(text[i])) == 37);
        close(fd);
    }
    CHECK(memcmp(text[0], text[1], 37) == 0);
    printf("boot id %.36s\n", text[0]);
}

/** Every way to read: lengths, bad addresses, bad descriptors, ordinary files. */
static inline void check_reader(device_reader reader)
{
    int fd = device_open("/dev/urandom");
    int writable = open("/dev/urandom", O_WRONLY);
    unsigned char *edge = guarded(100);
    CHECK(reader(fd, edge, 100) == 100);
    show_bytes("first", edge, 100);
    CHECK(guard_holds(edge));
    CHECK(reader(fd, edge, 5000) == 100);
    CHECK(guard_holds(edge));
    CHECK(reader(fd, edge, 0) == 0);
    FAILS(EFAULT, reader(fd, bad_pointer(), 1));
    FAILS(EBADF, reader(writable, edge, 1));
    FAILS(EBADF, reader(-1, edge, 1));
    check_big_read(reader, fd);
    check_uuid_file(reader);
    close(fd);
    fd = device_open("/dev/zero");
    CHECK(reader(fd, edge, 100) == 100 && edge[0] == 0 && edge[99] == 0);
    close(fd);
}

#endif
