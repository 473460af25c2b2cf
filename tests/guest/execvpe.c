/* SPDX-License-Identifier: MIT */
#include "guest_child.h"

static char *const arguments[] = {(char *)"guest", (char *)"child", NULL};
static char *const empty[] = {NULL};
/* NULL: ourselves. */
static int execute(const char *path)
{
    return execvpe(path ? path : own_name(), arguments, empty);
}

int main(int argc, char **argv)
{
    (void)argv;
    return argc > 1 ? child_image() : check_exec(execute);
}
