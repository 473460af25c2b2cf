/* SPDX-License-Identifier: MIT */
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "detrun/abi.h"

/* Where memfd_create is refused: a file without a name. */
static int open_nameless(void)
{
    static const char *const folders[] = {"/dev/shm", "/run", "/tmp", "/var/tmp"};
    int fd = memfd_create("detrun", MFD_CLOEXEC);
    for (size_t i = 0; fd < 0 && i < sizeof(folders) / sizeof(folders[0]); i++)
        fd = open(folders[i], O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    return fd;
}

/* Beyond that limit the kernel sends SIGXFSZ. */
static bool may_be_as_large(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= sizeof(struct detrun_memory);
}

int memory_open(void)
{
    if (!may_be_as_large())
        return -EFBIG;
    int fd = open_nameless();
    if (fd >= 0 && ftruncate(fd, sizeof(struct detrun_memory)) == 0)
        return fd;
    int error = -errno;
    if (fd >= 0)
        close(fd);
    return error;
}
