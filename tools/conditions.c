/* SPDX-License-Identifier: MIT */
#include "conditions.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLACES_MAX 16

/* The first run is as the caller has it. */
static bool is_varied(const struct iteration *i)
{
    return i->number > 1;
}

/* Process ids in use are passed over: so many more are. */
static void move_pids(uint64_t n)
{
    for (uint64_t k = 0; k < n; k++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(0);
        while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
}

/* Files that come and go: those made next get other numbers, and places in their folder. */
static void move_inodes(uint64_t n)
{
    const char *folder = getenv("TMPDIR");
    char path[PLACES_MAX][256];
    unsigned made = 0;
    for (; made < n % PLACES_MAX; made++) {
        snprintf(path[made], sizeof(path[made]), "%s/detrun-%d-%u",
                 folder && *folder ? folder : "/tmp", getpid(), made);
        int fd = open(path[made], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0)
            break;
        close(fd);
    }
    for (unsigned k = 0; k < made; k++)
        if (k % 2 == 0 || n % 2 == 0)
            unlink(path[k]);
    for (unsigned k = 1; k < made && n % 2 != 0; k += 2)
        unlink(path[k]);
}

static _Noreturn void compute(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    signal(SIGTERM, SIG_DFL);
    for (volatile unsigned n = 0;; n++)
        ;
}

void conditions_before(struct conditions *c, const struct iteration *i)
{
    if (!is_varied(i))
        return;
    move_pids(3 * i->number);
    move_inodes(i->number);
    if (i->number % 2 != 0 || c->load != 0)
        return;
    c->load = fork();
    if (c->load == 0)
        compute();
}

void conditions_after(struct conditions *c)
{
    if (c->load > 0) {
        kill(c->load, SIGKILL);
        while (waitpid(c->load, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    c->load = 0;
}

static void take_another_host_name(uint64_t number)
{
    char name[32];
    snprintf(name, sizeof(name), "host-%" PRIu64, number);
    if (unshare(CLONE_NEWUTS) == 0 && sethostname(name, strlen(name)) != 0)
        _exit(DETRUN_EXIT_FAILED);
}

/* The number-th of those that it may run on. */
static void take_one_processor(uint64_t number)
{
    cpu_set_t all;
    cpu_set_t one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof(all), &all) != 0)
        return;
    uint64_t left = number % (uint64_t)CPU_COUNT(&all);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && left-- == 0)
            CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof(one), &one);
}

void conditions_inside(const struct iteration *i)
{
    if (!is_varied(i))
        return;
    take_another_host_name(i->number);
    if (i->number % 3 == 0)
        take_one_processor(i->number);
}

static bool may_unshare(void)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(unshare(CLONE_NEWUTS) != 0);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && status == 0;
}

void conditions_put(FILE *out)
{
    fputs("[\"process ids\",\"inodes\",\"load\",\"processors\"", out);
    if (may_unshare())
        fputs(",\"host name\"", out);
    fputc(']', out);
}
