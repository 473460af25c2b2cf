/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/uio.h>

#include "guest_ids.h"

static long shared = 4711;

static long by_libc(pid_t pid)
{
    long word = 4711;
    struct iovec own = {&word, sizeof(word)};
    struct iovec other = {&shared, sizeof(shared)};
    ssize_t n = process_vm_readv(pid ? pid : getpid(), &own, 1, &other, 1, 0);
    return n < 0 ? -errno : word + n;
}

static long by_number(pid_t pid)
{
    long word = 4711;
    struct iovec own = {&word, sizeof(word)};
    struct iovec other = {&shared, sizeof(shared)};
    long n = by(BY_SYSCALL, SYS_process_vm_readv, pid ? pid : getpid(), (long)&own, 1, (long)&other,
                1, 0);
    return n < 0 ? n : word + n;
}

int main(void)
{
    check_takes_pid(by_libc);
    check_takes_pid(by_number);
    struct iovec none = {bad_pointer(), 8};
    struct iovec own = {&shared, sizeof(shared)};
    FAILS(EFAULT, process_vm_readv(getpid(), &own, 1, &none, 1, 0));
    FAILS(EINVAL, process_vm_readv(getpid(), &own, 1, &own, 1, 1));
    return guest_end();
}
