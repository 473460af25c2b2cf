/* SPDX-License-Identifier: MIT */
/* sandboxed kill|errno|trap WHAT: behind a filter that lists what WHAT natively calls, and refuses
 * all else, does WHAT.  sandboxed strict|listener: asks for these. Lines that begin with "r " come
 * from the seed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <linux/seccomp.h>
#include <seccomp.h>

#define MAX_CALLS 24

static int do_nothing(void)
{
    return 0;
}

static int do_ids(void)
{
    printf("r %d\n", (int)getpid());
    return 0;
}

static int do_random(void)
{
    unsigned random;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        return 1;
    printf("r %x\n", random);
    return 0;
}

static int do_sleep(void)
{
    struct timespec ms = {0, 1000000};
    return nanosleep(&ms, NULL) != 0 || poll(NULL, 0, 1) != 0;
}

static void *sleeper(void *unused)
{
    do_sleep();
    return unused;
}

static int do_threads(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, sleeper, NULL) != 0)
            return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static int do_fork(void)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        printf("child %d\n", time(NULL) > 1000);
        fflush(stdout);
        _exit(4);
    }
    pid_t waited = waitpid(child, &status, 0);
    printf("r %d\nwaited %d %d\n", (int)child, waited == child, WEXITSTATUS(status));
    return 0;
}

static int do_device(void)
{
    unsigned char bytes[4];
    int fd = open("/dev/urandom", O_RDONLY);
    if (fd < 0 || read(fd, bytes, sizeof bytes) != sizeof bytes)
        return 1;
    printf("r %02x%02x%02x%02x\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    return close(fd);
}

static int do_exec(void)
{
    fflush(stdout);
    execl("/bin/echo", "echo", "another image", (char *)NULL);
    return 1;
}

/* natively refused: what the program gets is what it would have got */
static int do_refused(void)
{
    errno = 0;
    long result = syscall(SYS_getuid);
    printf("getuid %ld %d\n", result, errno);
    return 0;
}

#define BASE                                                                                       \
    SYS_read, SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_newfstatat, SYS_brk,      \
        SYS_mmap, SYS_munmap, SYS_futex

static const struct deed {
    const char *name;
    int (*run)(void);
    int calls[MAX_CALLS]; /* 0, which is read, ends it: it comes first */
} deeds[] = {
    {"nothing", do_nothing, {BASE}},
    {"ids", do_ids, {BASE, SYS_getpid}},
    {"random", do_random, {BASE, SYS_getrandom}},
    {"sleep", do_sleep, {BASE, SYS_nanosleep, SYS_clock_nanosleep, SYS_poll}},
    {"threads",
     do_threads,
     {BASE, SYS_clone3, SYS_clone, SYS_set_robust_list, SYS_rseq, SYS_rt_sigprocmask,
      SYS_rt_sigaction, SYS_mprotect, SYS_madvise, SYS_nanosleep, SYS_clock_nanosleep, SYS_poll}},
    {"fork", do_fork, {BASE, SYS_clone, SYS_wait4, SYS_set_robust_list}},
    {"device", do_device, {BASE, SYS_openat, SYS_close}},
    {"exec",
     do_exec,
     {BASE, SYS_execve, SYS_access, SYS_openat, SYS_close, SYS_pread64, SYS_arch_prctl,
      SYS_set_tid_address, SYS_set_robust_list, SYS_rseq, SYS_mprotect, SYS_prlimit64,
      SYS_getrandom}},
    {"refused", do_refused, {BASE}},
};

static void on_sigsys(int signal, siginfo_t *info, void *context)
{
    char line[64];
    int n = snprintf(line, sizeof line, "SIGSYS %d\n", info->si_syscall);
    if (write(STDOUT_FILENO, line, (size_t)n) == n)
        ((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = -ENOSYS;
    (void)signal;
}

static int confine(uint32_t otherwise, const int *calls)
{
    scmp_filter_ctx filter = seccomp_init(otherwise);
    struct sigaction action = {.sa_sigaction = on_sigsys, .sa_flags = SA_SIGINFO};
    sigaction(SIGSYS, &action, NULL);
    for (int i = 0; i == 0 || calls[i] != 0; i++)
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
    return seccomp_load(filter);
}

static int say(const char *what, int result)
{
    char line[64];
    int n = snprintf(line, sizeof line, "%s %d\n", what, result);
    return write(STDOUT_FILENO, line, (size_t)n) == n ? 0 : 1;
}

static void ask_for_strict_mode(void)
{
    int result = prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    syscall(SYS_exit, say("strict", result));
}

static int ask_for_listener(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    seccomp_rule_add(filter, SCMP_ACT_NOTIFY, SYS_uname, 0);
    return say("listener", seccomp_load(filter) == 0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        uint32_t action;
    } ways[] = {
        {"kill", SCMP_ACT_KILL_PROCESS},
        {"errno", SCMP_ACT_ERRNO(EPERM)},
        {"trap", SCMP_ACT_TRAP},
    };
    if (argc > 1 && strcmp(argv[1], "strict") == 0)
        ask_for_strict_mode();
    if (argc > 1 && strcmp(argv[1], "listener") == 0)
        return ask_for_listener();
    const struct deed *deed = NULL;
    for (size_t i = 0; argc > 2 && i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(argv[2], deeds[i].name) == 0)
            deed = &deeds[i];
    for (size_t i = 0; deed && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0 && confine(ways[i].action, deed->calls) != 0)
            return 77;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%ld\n", (long)time(NULL));
    int result = deed ? deed->run() : 2;
    fflush(stdout);
    return result;
}
