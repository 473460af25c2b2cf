/* SPDX-License-Identifier: MIT */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cleanup.h"

#define PAGE 4096

/* process_vm_readv and writev may be refused where the file is not, as in older profiles of
 * Docker's.
 */
static bool is_refused(ssize_t n)
{
    return n < 0 && (errno == EPERM || errno == ENOSYS);
}

static int open_memory(int32_t tid, int flags)
{
    char path[32];
    snprintf(path, sizeof(path), "/proc/%d/mem", tid);
    int fd = open(path, flags | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static long file_error(void)
{
    return errno == EIO ? -EFAULT : -errno;
}

static long read_through_file(int32_t tid, uint64_t address, void *buf, size_t len)
{
    AUTO_CLOSE int fd = open_memory(tid, O_RDONLY);
    if (fd < 0)
        return fd;
    ssize_t n = pread(fd, buf, len, (off_t)address);
    return n < 0 ? file_error() : n;
}

static long read_memory(int32_t tid, uint64_t address, void *buf, size_t len)
{
    struct iovec local = {buf, len};
    struct iovec remote = {(void *)(uintptr_t)address, len};
    ssize_t n = process_vm_readv(tid, &local, 1, &remote, 1, 0);
    if (is_refused(n))
        return read_through_file(tid, address, buf, len);
    return n < 0 ? -errno : n;
}

long guest_read_some(int32_t tid, uint64_t address, void *buf, size_t len)
{
    size_t room = PAGE - address % PAGE;
    return read_memory(tid, address, buf, len < room ? len : room);
}

int guest_read(int32_t tid, uint64_t address, void *buf, size_t len)
{
    long n = read_memory(tid, address, buf, len);
    if (n < 0)
        return (int)n;
    return (size_t)n == len ? 0 : -EFAULT;
}

static long write_through_file(const struct question *q, uint64_t address, const void *buf,
                               size_t len)
{
    AUTO_CLOSE int fd = guest_open_memory(q);
    if (fd < 0)
        return fd;
    ssize_t n = pwrite(fd, buf, len, (off_t)address);
    return n < 0 ? file_error() : n;
}

long guest_write_some(const struct question *q, uint64_t address, const void *buf, size_t len)
{
    struct iovec local = {(void *)(uintptr_t)buf, len};
    struct iovec remote = {(void *)(uintptr_t)address, len};
    if (!supervisor_still_asked(q))
        return -ESRCH;
    ssize_t n = process_vm_writev((pid_t)q->request->pid, &local, 1, &remote, 1, 0);
    if (is_refused(n))
        return write_through_file(q, address, buf, len);
    return n < 0 ? -errno : n;
}

int guest_write(const struct question *q, uint64_t address, const void *buf, size_t len)
{
    long n = guest_write_some(q, address, buf, len);
    if (n < 0)
        return (int)n;
    return (size_t)n == len ? 0 : -EFAULT;
}

void guest_clear(int32_t tid, uint64_t address, size_t len)
{
    char zero[64] = {0};
    struct iovec local = {zero, len < sizeof(zero) ? len : sizeof(zero)};
    struct iovec remote = {(void *)(uintptr_t)address, local.iov_len};
    process_vm_writev(tid, &local, 1, &remote, 1, 0);
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

long guest_read_text(int32_t tid, uint64_t address, char *text, size_t room)
{
    for (size_t used = 0; used < room;) {
        long n = guest_read_some(tid, address + used, text + used, room - used);
        if (n <= 0)
            return n ? n : -EFAULT;
        const char *end = memchr(text + used, '\0', (size_t)n);
        if (end)
            return end - text;
        used += (size_t)n;
    }
    return -ENAMETOOLONG;
}

int guest_open_memory(const struct question *q)
{
    int fd = open_memory((int32_t)q->request->pid, O_RDWR);
    if (fd < 0 || supervisor_still_asked(q))
        return fd;
    close(fd);
    return -ESRCH;
}

int guest_copy_descriptor(int32_t pid, int fd)
{
    AUTO_CLOSE int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    long copy = pidfd < 0 ? -1 : syscall(SYS_pidfd_getfd, pidfd, fd, 0);
    return copy < 0 ? -errno : (int)copy;
}

long guest_read_file(int32_t tid, const char *name, void *buf, size_t len)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/%s", tid, name);
    /* Nobody is started meanwhile, and musl makes two calls of O_CLOEXEC. */
    AUTO_CLOSE int fd = open(path, O_RDONLY);
    if (fd < 0)
        return -errno;
    ssize_t n = read(fd, buf, len);
    return n < 0 ? -errno : n;
}
