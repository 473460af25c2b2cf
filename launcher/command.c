/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <elf.h>
#include <errno.h>
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

/* Not on the stack, of which the caller may allow little. */
static char place[PATH_MAX];

static bool next_place(struct command_file *c)
{
    while (c->rest) {
        const char *folder = c->rest;
        int length = (int)strcspn(folder, ":");
        int n =
            snprintf(place, sizeof(place), "%.*s%s%s", length, folder, length ? "/" : "", c->name);
        c->rest = folder[length] ? folder + length + 1 : NULL;
        c->path = place;
        if (n >= 0 && n < (int)sizeof(place))
            return true;
    }
    return false;
}

static void start(struct command_file *c, const char *name)
{
    const char *path = getenv("PATH");
    bool is_path = strchr(name, '/') || !*name;
    c->name = name;
    c->path = name;
    c->rest = is_path ? NULL : path ? path : "/bin:/usr/bin";
    next_place(c);
}

void command_find(struct command_file *c, const char *name)
{
    start(c, name);
    while (access(c->path, X_OK) != 0)
        if (!next_place(c)) {
            start(c, name);
            return;
        }
}

static int open_program(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

bool command_is_foreign(const struct command_file *c)
{
    unsigned char head[EI_CLASS + 1];
    AUTO_CLOSE int fd = open_program(c->path);
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
static int open_image(const char *path)
{
    int fd = open_program(path);
    for (int depth = 0; fd >= 0 && depth < SCRIPT_DEPTH; depth++) {
        int next = open_interpreter(fd);
        if (next < 0)
            break;
        close(fd);
        fd = next;
    }
    return fd;
}

/* @return false: it is none that the kernel would load here */
static bool find_loader(int fd, Elf64_Phdr *p)
{
    Elf64_Ehdr e;
    if (pread(fd, &e, sizeof(e), 0) != (ssize_t)sizeof(e) ||
        memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 || e.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    for (unsigned i = 0; i < e.e_phnum; i++) {
        off_t at = (off_t)(e.e_phoff + i * sizeof(*p));
        if (pread(fd, p, sizeof(*p), at) != (ssize_t)sizeof(*p))
            return false;
        if (p->p_type == PT_INTERP)
            return true;
    }
    p->p_type = PT_NULL;
    return true;
}

static bool is_static(int fd)
{
    Elf64_Phdr p;
    return find_loader(fd, &p) && p.p_type == PT_NULL;
}

int command_open(const struct command_file *c)
{
    return open_program(c->path);
}

int command_open_loader(const struct command_file *c)
{
    char path[PATH_MAX] = "";
    Elf64_Phdr p;
    AUTO_CLOSE int fd = open_image(c->path);
    if (fd < 0 || !find_loader(fd, &p) || p.p_type != PT_INTERP || p.p_filesz >= sizeof(path) ||
        pread(fd, path, p.p_filesz, (off_t)p.p_offset) != (ssize_t)p.p_filesz)
        return -1;
    return open_program(path);
}

enum command_kind command_kind(const struct command_file *c)
{
    char path[32];
    AUTO_CLOSE int fd = open_image(c->path);
    if (fd < 0)
        return COMMAND_DYNAMIC;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 && privilege_given(path, geteuid(), getegid()))
        return COMMAND_PRIVILEGED;
    return is_static(fd) ? COMMAND_STATIC : COMMAND_DYNAMIC;
}

/* A file without a magic number is a script. */
static int exec_shell(const char *path, char *const *argv, char *const *environment)
{
    size_t n = 0;
    while (argv[n])
        n++;
    AUTO_FREE const char **words = calloc(n + 2, sizeof(*words));
    if (!words)
        return -ENOMEM;
    words[0] = "/bin/sh";
    words[1] = path;
    for (size_t i = 1; i < n; i++)
        words[i + 1] = argv[i];
    execve(words[0], (char *const *)words, environment);
    return -errno;
}

static int exec_one(const char *path, char *const *argv, char *const *environment)
{
    execve(path, argv, environment);
    return errno == ENOEXEC ? exec_shell(path, argv, environment) : -errno;
}

/* The next folder may hold a file that can be run. */
static bool goes_on(int error)
{
    static const int errors[] = {-EACCES, -ENOENT, -ENOTDIR, -ESTALE, -ENODEV, -ETIMEDOUT};
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
        if (error == errors[i])
            return true;
    return false;
}

int command_exec(struct command_file *c, char *const *argv, char *const *environment)
{
    bool refused = false;
    int error;
    do {
        error = exec_one(c->path, argv, environment);
        refused = refused || error == -EACCES;
    } while (goes_on(error) && next_place(c));
    return goes_on(error) && refused ? -EACCES : error;
}
