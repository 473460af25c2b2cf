/* SPDX-License-Identifier: MIT */
#include <asm/prctl.h>
#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "cleanup.h"
#include "job.h"
#include "probe.h"
#include "process.h"

#define ADDRESSES_TEXT   128
#define GETPID_32        20
#define IO_URING_ENTRIES 1

void probe_proc(struct probe_result *result)
{
    char path[PATH_MAX];
    if (readlink("/proc/self/exe", path, sizeof(path)) < 0)
        probe_say(result, PROBE_MISSING, "not there: %s", strerror(errno));
    else if (!process_has_own_proc())
        probe_say(result, PROBE_MISSING, "it is another pid namespace's");
    else
        probe_say(result, PROBE_OK, "shows this process");
}

void probe_library(struct probe_result *result)
{
    char library[DETRUN_PATH_SIZE];
    char error[256];
    if (job_find_library(library, error, sizeof(error)) == 0)
        probe_say(result, PROBE_OK, "%.200s", library);
    else
        probe_say(result, PROBE_MISSING, "%s", error);
}

int probe_print_addresses(void)
{
    int here;
    void *mapped = mmap(NULL, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%p %p %p %#lx\n", (void *)&here, mapped, sbrk(0), getauxval(AT_SYSINFO_EHDR));
    return 0;
}

/* Where things lie in a new image of this program. */
static bool look(char *text)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    int pid = probe_fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl("/proc/self/exe", "detrun", "doctor-addresses", (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], text, ADDRESSES_TEXT - 1);
    close(ends[0]);
    text[n > 0 ? n : 0] = '\0';
    return probe_wait(pid) == 0 && n > 0;
}

static bool are_equal_in_all_images(bool *looked)
{
    char first[ADDRESSES_TEXT];
    char other[ADDRESSES_TEXT];
    bool equal = true;
    *looked = look(first);
    for (int i = 0; i < 3 && *looked && equal; i++) {
        *looked = look(other);
        equal = strcmp(first, other) == 0;
    }
    return equal;
}

void probe_addresses(struct probe_result *result)
{
    bool looked;
    int before = personality(0xffffffff);
    int error = before < 0 ? errno : 0;
    if (before >= 0 && personality((unsigned long)before | ADDR_NO_RANDOMIZE) < 0)
        error = errno;
    bool equal = are_equal_in_all_images(&looked);
    if (!looked)
        probe_say(result, PROBE_UNKNOWN, "this program cannot be run again");
    else if (equal)
        probe_say(result, PROBE_OK, "the same in every image%s",
                  error ? " (nobody randomizes them here)" : "");
    else if (error)
        probe_say(result, PROBE_MISSING, "personality is refused: %s", strerror(error));
    else
        probe_say(result, PROBE_MISSING, "personality is accepted, and without effect");
}

static sigjmp_buf caught;

static void on_fault(int signal_number)
{
    (void)signal_number;
    siglongjmp(caught, 1);
}

/* @return whether the instruction raised a signal */
static bool traps(void (*instruction)(void))
{
    struct sigaction action = {.sa_handler = on_fault};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    if (sigsetjmp(caught, 1) != 0)
        return true;
    instruction();
    return false;
}

static void say_trapped(struct probe_result *result, long error, bool trapped)
{
    if (error < 0)
        probe_say(result, PROBE_NOTE, "cannot be trapped: %s", strerror((int)-error));
    else if (trapped)
        probe_say(result, PROBE_NOTE, "can be trapped, which no job does");
    else
        probe_say(result, PROBE_NOTE, "cannot be trapped: accepted, and without effect");
}

static void read_tsc(void)
{
    (void)__rdtsc();
}

void probe_tsc(struct probe_result *result)
{
    long error = prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0 ? 0 : -errno;
    say_trapped(result, error, error == 0 && traps(read_tsc));
}

static void read_cpuid(void)
{
    unsigned a, b, c, d;
    __cpuid(0, a, b, c, d);
    (void)a, (void)b, (void)c, (void)d;
}

void probe_cpuid(struct probe_result *result)
{
    long error = syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0L) == 0 ? 0 : -errno;
    say_trapped(result, error, error == 0 && traps(read_cpuid));
}

void probe_rings(struct probe_result *result)
{
    uint32_t parameters[64] = {0}; /* struct io_uring_params and room for a later one */
    long fd = syscall(SYS_io_uring_setup, IO_URING_ENTRIES, parameters);
    if (fd >= 0)
        probe_say(result, PROBE_OK, "work here; a job answers ENOSYS");
    else
        probe_say(result, PROBE_OK, "none here: %s", strerror(errno));
}

static int answer_32;

static void ask_32(void)
{
    __asm__ volatile("int $0x80" : "=a"(answer_32) : "a"(GETPID_32) : "memory");
}

void probe_foreign(struct probe_result *result)
{
    if (traps(ask_32) || answer_32 <= 0)
        probe_say(result, PROBE_OK, "cannot run here");
    else
        probe_say(result, PROBE_NOTE, "can run here");
}
