/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/resource.h>

#include "guest_ids.h"

static long by_libc(pid_t pid)
{
    struct rlimit old = {0, 0};
    long result = result_of(prlimit(pid, RLIMIT_NOFILE, NULL, &old));
    return result ? result : (long)old.rlim_cur;
}

int main(void)
{
    check_takes_pid(by_libc);
    return guest_end();
}
