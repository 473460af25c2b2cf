/* SPDX-License-Identifier: MIT */
/* A program without libc (-nostdlib -nostartfiles): nothing of it is there for a shim to use, and
 * no thread pointer is ever set. Its status says what failed. */
#include <stddef.h>
#include <sys/syscall.h>

typedef struct {
    long seconds, ns;
} timespec;

static long ask(long nr, long a, long b, long c)
{
    long result;
    register long r10 __asm__("r10") = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

static void end(long status)
{
    for (;;)
        ask(SYS_exit_group, status, 0, 0);
}

static void check(int holds, long status)
{
    if (!holds)
        end(status);
}

static void check_clocks(void)
{
    timespec real, mono, later;
    timespec ms = {0, 1000000};
    check(ask(SYS_clock_gettime, 0, (long)&real, 0) == 0, 10);
    check(ask(SYS_clock_gettime, 1, (long)&mono, 0) == 0, 11);
    check(ask(SYS_nanosleep, (long)&ms, 0, 0) == 0, 12);
    check(ask(SYS_clock_gettime, 1, (long)&later, 0) == 0, 13);
    check(later.seconds * 1000000000 + later.ns - mono.seconds * 1000000000 - mono.ns >= ms.ns, 14);
    check(ask(SYS_time, 0, 0, 0) - real.seconds < 100 && real.seconds != mono.seconds, 15);
}

static void check_bytes(void)
{
    unsigned long a[4] = {0}, b[4] = {0};
    check(ask(SYS_getrandom, (long)a, sizeof(a), 0) == sizeof(a), 20);
    check(ask(SYS_getrandom, (long)b, sizeof(b), 0) == sizeof(b), 21);
    check(a[0] != b[0] && a[1] != b[1] && a[0] != a[1] && a[0] != 0, 22);
}

static void check_child(void)
{
    int status = 0;
    long parent = ask(SYS_getpid, 0, 0, 0);
    long child = ask(SYS_fork, 0, 0, 0);
    if (child == 0)
        end(ask(SYS_getppid, 0, 0, 0) == parent && ask(SYS_getpid, 0, 0, 0) != parent ? 5 : 6);
    check(child > 0 && ask(SYS_wait4, -1, (long)&status, 0) > 0, 30);
    check(status == 5 << 8, 31);
}

__attribute__((used)) static void run(void)
{
    static const char done[] = "EXIT-SUCCESS\n";
    check_clocks();
    check_bytes();
    check_child();
    ask(SYS_write, 1, (long)done, sizeof(done) - 1);
    end(0);
}

__asm__(".globl _start\n_start: xorl %ebp, %ebp\n\tandq $-16, %rsp\n\tcall run\n");
