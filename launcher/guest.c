/* SPDX-License-Identifier: MIT */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cleanup.h"

#define PAGE 4096

long guest_read_some(int32_t tid, uint64_t address, void *buf, size_t len)
{
    size_t room = PAGE - address % PAGE;
    struct iovec local = {buf, len < room ? len : room};
    struct iovec remote = {(void *)(uintptr_t)address, local.iov_len};
    ssize_t n = process_vm_readv(tid, &local, 1, &remote, 1, 0);
    return n < 0 ? -errno : n;
}

int guest_read(int32_t tid, uint64_t address, void *buf, size_t len)
{
    struct iovec local = {buf, len};
    struct iovec remote = {(void *)(uintptr_t)address, len};
    ssize_t n = process_vm_readv(tid, &local, 1, &remote, 1, 0);
    if (n < 0)
        return -errno;
    return (size_t)n == len ? 0 : -EFAULT;
}

long guest_write_some(const struct question *q, uint64_t address, const void *buf, size_t len)
{
    struct iovec local = {(void *)(uintptr_t)buf, len};
    struct iovec remote = {(void *)(uintptr_t)address, len};
    if (!supervisor_still_asked(q))
        return -ESRCH;
    ssize_t n = process_vm_writev((pid_t)q->request->pid, &local, 1, &remote, 1, 0);
    return n < 0 ? -errno : n;
}

int guest_write(const struct question *q, uint64_t address, const void *buf, size_t len)
{
    long n = guest_write_some(q, address, buf, len);
    if (n < 0)
        return (int)n;
    return (size_t)n == len ? 0 : -EFAULT;
}

int guest_patch(const struct question *q, int mem, uint64_t address, const void *buf, size_t len)
{
    if (!supervisor_still_asked(q))
        return -ESRCH;
    ssize_t n = pwrite(mem, buf, len, (off_t)address);
    if (n < 0)
        return -errno;
    return (size_t)n == len ? 0 : -EIO;
}

int guest_open_memory(const struct question *q)
{
    char path[32];
    snprintf(path, sizeof(path), "/proc/%u/mem", q->request->pid);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (supervisor_still_asked(q))
        return fd;
    close(fd);
    return -ESRCH;
}

long guest_read_file(int32_t tid, const char *name, void *buf, size_t len)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/%s", tid, name);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    ssize_t n = read(fd, buf, len);
    return n < 0 ? -errno : n;
}
