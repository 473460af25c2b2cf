/* SPDX-License-Identifier: MIT */
#include "probe.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT_SECONDS 10

void probe_say(struct probe_result *result, enum probe_state state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->detail, sizeof(result->detail), format, arguments);
    va_end(arguments);
    result->state = state;
}

int probe_fork(void)
{
    int pid = fork();
    if (pid == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    return pid;
}

int probe_wait(int pid)
{
    int status;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return 255;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static _Noreturn void run_in_child(probe_function *probe, struct probe_result *result)
{
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGALRM, SIG_DFL);
    alarm(LIMIT_SECONDS);
    probe(result);
    _exit(0);
}

void probe_run(probe_function *probe, struct probe_result *result)
{
    *result = (struct probe_result){.state = PROBE_UNKNOWN};
    struct probe_result *shared =
        mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        probe_say(result, PROBE_UNKNOWN, "no memory");
        return;
    }
    *shared = *result;
    int pid = probe_fork();
    if (pid == 0)
        run_in_child(probe, shared);
    int status = probe_wait(pid);
    *result = *shared;
    munmap(shared, sizeof(*shared));
    if (status == 128 + SIGALRM)
        probe_say(result, PROBE_UNKNOWN, "no answer in %d s", LIMIT_SECONDS);
    else if (status > 128)
        probe_say(result, PROBE_MISSING, "whoever tries is killed: %s", strsignal(status - 128));
    else if (status != 0)
        probe_say(result, PROBE_UNKNOWN, "no process to try it in");
}
