/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <spawn.h>

#include "guest_child.h"

static char *const arguments[] = {(char *)"guest", (char *)"child", NULL};

static void check_spawn(const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const *envp)
{
    pid_t pid;
    CHECK(posix_spawnp(&pid, own_name(), actions, attributes, arguments, envp) == 0);
    check_exit(pid, 0);
    show("spawned", pid);
}

static void check_group(posix_spawnattr_t *attributes, pid_t group)
{
    pid_t pid;
    CHECK(posix_spawnattr_setpgroup(attributes, group) == 0);
    CHECK(posix_spawnp(&pid, own_name(), NULL, attributes, arguments, environ) == 0);
    CHECK(getpgid(pid) == (group ? group : pid));
    check_exit(pid, 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return child_image();
    static char *const empty[] = {NULL};
    static char *const built[] = {(char *)"A=b", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    check_spawn(NULL, NULL, environ);
    check_spawn(NULL, NULL, empty);
    check_spawn(&actions, NULL, built);
    check_spawn(&actions, &attributes, empty);
    check_group(&attributes, 0);
    check_group(&attributes, getpgrp());
    pid_t pid = -7;
    CHECK(posix_spawnp(&pid, own_proc_path(), NULL, NULL, arguments, empty) == 0);
    check_exit(pid, 0);
    show("spawned", pid);
    CHECK(posix_spawnp(&pid, "/nonexistent", NULL, NULL, arguments, environ) == ENOENT);
    CHECK(posix_spawnp(NULL, own_name(), NULL, NULL, arguments, environ) == 0);
    int status;
    CHECK(wait(&status) > 0 && status == 0);
    return guest_end();
}
