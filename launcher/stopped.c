/* SPDX-License-Identifier: MIT */
#include "stopped.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "real.h"

#define LOOK_NS    20000000
#define WAIT_LOOKS 50 /* a process group without a parent outside does not stop */

/* 0 without /proc, or for a process that is gone: nothing is known of it. */
static bool is_stopped(pid_t pid)
{
    char state = process_state(pid);
    return state == 'T' || state == 't';
}

/* In a session of its own: what stops or continues the others does not reach it. */
static _Noreturn void watch(pid_t launcher, pid_t command)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    for (int looks = 0; looks < WAIT_LOOKS && !is_stopped(launcher); looks++)
        real_pause(LOOK_NS);
    while (is_stopped(launcher) && is_stopped(command))
        real_pause(LOOK_NS);
    if (is_stopped(launcher))
        kill(launcher, SIGCONT);
    _exit(0);
}

pid_t stopped_watch(pid_t command)
{
    pid_t launcher = real_getpid();
    pid_t pid = fork();
    if (pid == 0)
        watch(launcher, command);
    return pid;
}

void stopped_no_more(pid_t watch, pid_t command)
{
    if (watch > 0) {
        kill(watch, SIGKILL);
        waitpid(watch, NULL, 0);
    }
    if (is_stopped(command) || process_state(command) == 0)
        kill(command, SIGCONT);
}
