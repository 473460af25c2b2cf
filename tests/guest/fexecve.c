/* SPDX-License-Identifier: MIT */
#include <fcntl.h>

#include "guest_child.h"

static char *const arguments[] = {(char *)"guest", (char *)"child", NULL};
static char *const empty[] = {NULL};
/* NULL: ourselves. */
static int execute(const char *path)
{
    int fd = open(path ? path : own_path(), O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -1 : fexecve(fd, arguments, empty);
}

int main(int argc, char **argv)
{
    (void)argv;
    return argc > 1 ? child_image() : check_exec(execute);
}
