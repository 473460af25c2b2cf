/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"

static int open_program(const char *path)
{
    return access(path, X_OK) == 0 ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
}

static int open_in_path(const char *name)
{
    const char *folder = getenv("PATH");
    if (!folder)
        folder = "/bin:/usr/bin";
    for (int fd = -1;; folder++) {
        char path[PATH_MAX];
        int length = (int)strcspn(folder, ":");
        int n = snprintf(path, sizeof(path), "%.*s%s%s", length, folder, length ? "/" : "", name);
        if (n > 0 && n < (int)sizeof(path))
            fd = open_program(path);
        folder += length;
        if (fd >= 0 || !*folder)
            return fd;
    }
}

bool command_is_foreign(const char *name)
{
    unsigned char head[EI_CLASS + 1];
    AUTO_CLOSE int fd = strchr(name, '/') ? open_program(name) : open_in_path(name);
    return fd >= 0 && read(fd, head, sizeof(head)) == (ssize_t)sizeof(head) &&
           memcmp(head, ELFMAG, SELFMAG) == 0 && head[EI_CLASS] != ELFCLASS64;
}
