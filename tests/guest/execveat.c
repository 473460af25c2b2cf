/* SPDX-License-Identifier: MIT */
#include <fcntl.h>

#include "guest_child.h"

static char *const arguments[] = {(char *)"guest", (char *)"child", NULL};
static char *const empty[] = {NULL};
/* NULL: ourselves. */
static int execute(const char *path)
{
    return execveat(AT_FDCWD, path ? path : own_path(), arguments, empty, 0);
}

static int execute_by_number(const char *path)
{
    errno = (int)-by(BY_SYSCALL, SYS_execveat, AT_FDCWD, (long)(path ? path : own_path()),
                     (long)arguments, (long)empty, 0);
    return -1;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return child_image();
    check_exec(execute);
    return check_exec(execute_by_number);
}
