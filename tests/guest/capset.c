/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <linux/capability.h>

#include "guest_ids.h"

extern int capget(void *header, void *data);
extern int capset(void *header, const void *data);

static struct __user_cap_data_struct data[2];

static long by_libc(pid_t pid)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, pid};
    return result_of(capset(&header, data));
}

static long by_number(pid_t pid)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, pid};
    return by(BY_SYSCALL, SYS_capset, (long)&header, (long)data);
}

/* Only a process's own, by 0 or by its id. */
int main(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    CHECK(capget(&header, data) == 0);
    CHECK(by_libc(0) == 0 && by_libc(getpid()) == 0 && by_libc(getppid()) == -EPERM);
    CHECK(by_number(0) == 0 && by_number(getpid()) == 0 && by_number(getppid()) == -EPERM);
    return guest_end();
}
