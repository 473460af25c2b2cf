/* SPDX-License-Identifier: MIT */
/*
 * exec: the environment of the new image is completed on the caller's stack (it may be a vfork
 * child), and the process's record goes on to the next image.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "clock.h"
#include "environment.h"
#include "image.h"
#include "poison.h"
#include "procfs.h"
#include "raw.h"
#include "real.h"
#include "task.h"

extern char **environ __attribute__((weak));

/* ld.so would say on stderr that it looked in vain. A look costs a system call, which is made only
 * where somebody changed what lies under /, or where nobody would know. */
static bool library_is_here(void)
{
    if (!shim.memory)
        return true;
    bool differs =
        atomic_load_explicit(&shim.memory->shared.roots_differ, memory_order_acquire) != 0;
    return (!differs && !shim.alone) ||
           raw3(SYS_access, (long)shim.memory->params.library, R_OK, 0) == 0;
}

bool image_may_take_shim(void)
{
    return !shim.sandboxed && library_is_here();
}

static bool may_be_foreign(void)
{
    return !task_self() || (shim.memory->params.flags & DETRUN_FLAG_FOREIGN);
}

static bool takes_shim(long fd)
{
    unsigned char head[EI_CLASS + 1] = {0};
    long n = raw4(SYS_pread64, fd, (long)head, sizeof(head), 0);
    bool elf = n == (long)sizeof(head) && head[EI_MAG0] == ELFMAG0 && head[EI_MAG1] == ELFMAG1;
    if (!elf || head[EI_CLASS] == ELFCLASS64)
        return true;
    if (shim.memory)
        lineage_count_gap(shim.memory, DETRUN_GAP_FOREIGN_ARCH);
    return false;
}

static bool file_takes_shim(int dir, const char *path)
{
    long fd = raw4(SYS_openat, dir, (long)path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (fd < 0)
        return true;
    bool takes = takes_shim(fd);
    raw3(SYS_close, fd, 0, 0);
    return takes;
}

bool image_takes_shim(int dir, const char *path)
{
    if (!image_may_take_shim())
        return false;
    if (!path || !may_be_foreign())
        return true;
    return *path ? file_takes_shim(dir, path) : takes_shim(dir); /* "": AT_EMPTY_PATH */
}

/* @return bytes of the path of this name in the first folder of a list, or 0: too long */
static size_t join(char path[PROCFS_PATH], const char *folder, size_t length, const char *name)
{
    size_t n = strlen(name) + 1;
    if (length + 1 + n > PROCFS_PATH)
        return 0;
    memcpy(path, folder, length);
    path[length] = '/';
    memcpy(path + length + 1, name, n);
    return length + 1 + n;
}

/* As libc looks: the first that may be executed. */
static bool found_takes_shim(const char *name)
{
    char path[PROCFS_PATH];
    const char *folder = environment_get(environ, "PATH");
    while (folder && *folder) {
        size_t length = 0;
        while (folder[length] && folder[length] != ':')
            length++;
        if (length > 0 && join(path, folder, length, name) > 0 &&
            raw3(SYS_access, (long)path, X_OK, 0) == 0)
            return file_takes_shim(AT_FDCWD, path);
        folder += length + (folder[length] == ':');
    }
    return true;
}

bool image_named_takes_shim(const char *name)
{
    if (!image_may_take_shim())
        return false;
    if (!name || !may_be_foreign())
        return true;
    for (const char *at = name; *at; at++)
        if (*at == '/')
            return file_takes_shim(AT_FDCWD, name);
    return found_takes_shim(name);
}

/* The new image runs as the process's first thread, whoever of them called exec. */
static struct detrun_task *leave_image(struct detrun_task *t)
{
    struct detrun_task *process = lineage_process(shim.memory, t);
    if (process != t)
        clock_join(process, t);
    lineage_next_image(process);
    return process;
}

static long stay(struct detrun_task *process, long error)
{
    lineage_keep_image(process);
    return error;
}

long libc_execve(const char *path, char *const *argv, char *const *envp)
{
    struct detrun_task *t = task_self();
    if (!t)
        return real_result(REAL_LIBC(execve)(path, argv, envp));
    struct detrun_task *process = leave_image(t);
    ENVIRONMENT_ON_STACK(complete, envp, process, image_takes_shim(AT_FDCWD, path), path, argv);
    PROCFS_ASK(error, AT_FDCWD, path, real_result(REAL_LIBC(execve)(path, argv, complete)));
    return stay(process, error);
}

long libc_execv(const char *path, char *const *argv)
{
    return libc_execve(path, argv, environ);
}

long libc_execvp(const char *file, char *const *argv)
{
    return libc_execvpe(file, argv, environ);
}

long libc_execvpe(const char *file, char *const *argv, char *const *envp)
{
    struct detrun_task *t = task_self();
    if (!t)
        return real_result(REAL_LIBC(execvpe)(file, argv, envp));
    struct detrun_task *process = leave_image(t);
    ENVIRONMENT_ON_STACK(complete, envp, process, image_named_takes_shim(file), file, argv);
    PROCFS_ASK(error, AT_FDCWD, file, real_result(REAL_LIBC(execvpe)(file, argv, complete)));
    return stay(process, error);
}

long libc_fexecve(int fd, char *const *argv, char *const *envp)
{
    struct detrun_task *t = task_self();
    if (!t)
        return real_result(REAL_LIBC(fexecve)(fd, argv, envp));
    struct detrun_task *process = leave_image(t);
    ENVIRONMENT_ON_STACK(complete, envp, process, image_takes_shim(fd, ""), "", argv);
    return stay(process, real_result(REAL_LIBC(fexecve)(fd, argv, complete)));
}

long libc_execveat(int dir, const char *path, char *const *argv, char *const *envp, int flags)
{
    struct detrun_task *t = task_self();
    if (!t)
        return raw6(SYS_execveat, dir, (long)path, (long)argv, (long)envp, flags, 0);
    struct detrun_task *process = leave_image(t);
    ENVIRONMENT_ON_STACK(complete, envp, process, image_takes_shim(dir, path), path, argv);
    PROCFS_ASK(error, dir, path,
               raw6(SYS_execveat, dir, (long)path, (long)argv, (long)complete, flags, 0));
    return stay(process, error);
}
