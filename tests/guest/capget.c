/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <linux/capability.h>

#include "guest_ids.h"

extern int capget(void *header, void *data);

static long by_libc(pid_t pid)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, pid};
    struct __user_cap_data_struct data[2];
    long result = result_of(capget(&header, data));
    return result ? result : (long)data[0].permitted;
}

static long by_number(pid_t pid)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, pid};
    struct __user_cap_data_struct data[2];
    long result = by(BY_SYSCALL, SYS_capget, (long)&header, (long)data);
    return result ? result : (long)data[0].permitted;
}

int main(void)
{
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    struct __user_cap_header_struct old = {1, 0};
    CHECK(capget(&old, NULL) == 0 && old.version == _LINUX_CAPABILITY_VERSION_3);
    FAILS(EFAULT, capget(NULL, NULL));
    return guest_end();
}
