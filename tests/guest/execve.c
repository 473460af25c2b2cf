/* SPDX-License-Identifier: MIT */
#include "guest_child.h"

static char *const arguments[] = {(char *)"guest", (char *)"child", NULL};
static char *const empty[] = {NULL};
/* NULL: ourselves. */
static int execute(const char *path)
{
    return execve(path ? path : own_path(), arguments, empty);
}

static int execute_by_number(const char *path)
{
    errno = (int)-by(BY_SYSCALL, SYS_execve, (long)(path ? path : own_path()), (long)arguments,
                     (long)empty);
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
