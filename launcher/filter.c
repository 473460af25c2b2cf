/* SPDX-License-Identifier: MIT */
#include "filter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* WAIT_KILLABLE_RECV: otherwise a signal that arrives while the supervisor answers repeats the
 * call, and with it the answer (Go's preemption sends thousands). Linux 5.19 and later. */
#define FLAGS (SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW)

static int install(const struct sock_fprog *program, unsigned flags)
{
    long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);
    return fd < 0 ? -errno : (int)fd;
}

static int install_known_flags(const struct sock_fprog *program)
{
    int fd = install(program, FLAGS | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
    return fd == -EINVAL ? install(program, FLAGS) : fd;
}

int filter_install(unsigned options, bool *no_privs)
{
    const struct filter_program *source = &filter_programs[options];
    struct sock_fprog program = {
        .len = (unsigned short)source->count,
        .filter = (struct sock_filter *)(size_t)source->code,
    };
    int fd = install_known_flags(&program);
    *no_privs = false;
    if (fd != -EACCES)
        return fd;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -errno;
    *no_privs = true;
    return install_known_flags(&program);
}
