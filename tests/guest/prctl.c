/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/random.h>

#include "guest.h"

#ifndef PR_GET_AUXV
#define PR_GET_AUXV 0x41555856
#endif

/* Where the kernel knows the call, it tells the same 16 bytes as libc. */
static void check_auxv(void)
{
    Elf64_auxv_t entries[64];
    long size = prctl(PR_GET_AUXV, entries, sizeof(entries), 0, 0);
    CHECK(size > 0 || errno == EINVAL);
    for (int i = 0; i < size / (long)sizeof(entries[0]) && i < 64; i++)
        CHECK(entries[i].a_type != AT_RANDOM || entries[i].a_un.a_val == getauxval(AT_RANDOM));
}

/* A filter of the program's own that allows everything. */
static void check_filter(void)
{
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = 1, .filter = &allow};
    pid_t pid = getpid();
    unsigned char bytes[16];
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0);
    CHECK(getpid() == pid && getrandom(bytes, 16, 0) == 16);
    show_bytes("random", bytes, 16);
}

int main(void)
{
    char name[16] = "";
    int signal_number = 0;
    CHECK(prctl(PR_SET_NAME, "guest-name") == 0 && prctl(PR_GET_NAME, name) == 0);
    CHECK(strcmp(name, "guest-name") == 0);
    CHECK(prctl(PR_SET_PDEATHSIG, SIGHUP) == 0 && prctl(PR_GET_PDEATHSIG, &signal_number) == 0);
    CHECK(signal_number == SIGHUP && prctl(PR_SET_PDEATHSIG, 0) == 0);
    FAILS(EINVAL, prctl(99999, 0, 0, 0, 0));
    FAILS(EFAULT, prctl(PR_GET_NAME, bad_pointer()));
    check_auxv();
    check_filter();
    show("pid", getpid());
    return guest_end();
}
