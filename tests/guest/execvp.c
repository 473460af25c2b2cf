/* SPDX-License-Identifier: MIT */
#include "guest_child.h"

static char *const arguments[] = {(char *)"guest", (char *)"child", NULL};
/* NULL: ourselves. */
static int execute(const char *path)
{
    return execvp(path ? path : own_name(), arguments);
}

int main(int argc, char **argv)
{
    (void)argv;
    return argc > 1 ? child_image() : check_exec(execute);
}
