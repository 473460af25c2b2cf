/* SPDX-License-Identifier: MIT */
#include "guest_child.h"

/* NULL: ourselves. */
static int execute(const char *path)
{
    return execl(path ? path : own_path(), "guest", "child", (char *)NULL);
}

int main(int argc, char **argv)
{
    (void)argv;
    return argc > 1 ? child_image() : check_exec(execute);
}
