/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Calls that change what paths mean: they stay the kernel's, and detrun goes on answering after.
 */
#ifndef DETRUN_GUEST_MOUNT_H
#define DETRUN_GUEST_MOUNT_H

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "guest_child.h"

/** What is asked after the change, by whoever went through it. */
static inline void still_answered(void)
{
    unsigned char bytes[8];
    CHECK(getrandom(bytes, sizeof(bytes), 0) == 8);
    show_bytes("random", bytes, 8);
    show("pid", getpid());
    show("time", time(NULL));
}

/** body runs in a child with mounts of its own, an empty folder at hand; not without the rights. */
static inline void with_own_mounts(void (*body)(const char *folder))
{
    char folder[] = "guest-mount-XXXXXX";
    CHECK(mkdtemp(folder));
    pid_t pid = fork();
    if (pid == 0) {
        if (unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
            body(folder);
        still_answered();
        _exit(0);
    }
    check_exit(pid, 0);
    CHECK(rmdir(folder) == 0);
    still_answered();
}

#endif
