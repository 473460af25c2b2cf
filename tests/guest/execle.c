/* SPDX-License-Identifier: MIT */
#include "guest_child.h"

static char *const empty[] = {NULL};
/* NULL: ourselves. */
static int execute(const char *path)
{
    return execle(path ? path : own_path(), "guest", "child", (char *)NULL, empty);
}

int main(int argc, char **argv)
{
    (void)argv;
    return argc > 1 ? child_image() : check_exec(execute);
}
