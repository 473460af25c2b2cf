/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cleanup.h"
#include "privilege.h"

/* As the kernel: how much of the first line it reads, and how many scripts in a row it follows. */
#define SCRIPT_LINE  255
#define SCRIPT_DEPTH 5

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

static int open_command(const char *name)
{
    return strchr(name, '/') ? open_program(name) : open_in_path(name);
}

bool command_is_foreign(const char *name)
{
    unsigned char head[EI_CLASS + 1];
    AUTO_CLOSE int fd = open_command(name);
    return fd >= 0 && read(fd, head, sizeof(head)) == (ssize_t)sizeof(head) &&
           memcmp(head, ELFMAG, SELFMAG) == 0 && head[EI_CLASS] != ELFCLASS64;
}

/* @return -1 when it is no script, or its interpreter cannot be had */
static int open_interpreter(int script)
{
    char line[SCRIPT_LINE + 1] = "";
    if (pread(script, line, SCRIPT_LINE, 0) < 2 || line[0] != '#' || line[1] != '!')
        return -1;
    char *name = line + 2 + strspn(line + 2, " \t");
    name[strcspn(name, " \t\n")] = '\0';
    return open_program(name);
}

/* What the kernel loads. */
static int open_image(const char *name)
{
    int fd = open_command(name);
    for (int depth = 0; fd >= 0 && depth < SCRIPT_DEPTH; depth++) {
        int next = open_interpreter(fd);
        if (next < 0)
            break;
        close(fd);
        fd = next;
    }
    return fd;
}

static bool is_static(int fd)
{
    Elf64_Ehdr e;
    Elf64_Phdr p;
    if (pread(fd, &e, sizeof(e), 0) != (ssize_t)sizeof(e) ||
        memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 || e.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    for (unsigned i = 0; i < e.e_phnum; i++) {
        off_t at = (off_t)(e.e_phoff + i * sizeof(p));
        if (pread(fd, &p, sizeof(p), at) != (ssize_t)sizeof(p) || p.p_type == PT_INTERP)
            return false;
    }
    return true;
}

enum command_kind command_kind(const char *name)
{
    char path[32];
    AUTO_CLOSE int fd = open_image(name);
    if (fd < 0)
        return COMMAND_DYNAMIC;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 && privilege_given(path, geteuid(), getegid()))
        return COMMAND_PRIVILEGED;
    return is_static(fd) ? COMMAND_STATIC : COMMAND_DYNAMIC;
}
