/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/resource.h>

#include "guest_ids.h"

static long by_libc(pid_t pid)
{
    struct rlimit64 old = {0, 0};
    long result = result_of(prlimit64(pid, RLIMIT_NOFILE, NULL, &old));
    return result ? result : (long)old.rlim_cur;
}

static long by_number(pid_t pid)
{
    struct rlimit64 old = {0, 0};
    long result = by(BY_SYSCALL, SYS_prlimit64, pid, RLIMIT_NOFILE, 0, (long)&old);
    return result ? result : (long)old.rlim_cur;
}

static long by_instruction(pid_t pid)
{
    struct rlimit64 old = {0, 0};
    long result = by(BY_INSTRUCTION, SYS_prlimit64, pid, RLIMIT_NOFILE, 0, (long)&old);
    return result ? result : (long)old.rlim_cur;
}

int main(void)
{
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    check_instruction(by_instruction, false);
    return guest_end();
}
