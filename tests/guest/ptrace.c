/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "guest_ids.h"

static volatile long secret = 4711;

static void *show_thread(void *argument)
{
    show("thread", gettid());
    return argument;
}

/* Forks, starts a thread, and says which ids it got. */
static void be_traced(void)
{
    pthread_t thread;
    raise(SIGSTOP);
    check_exit(child_that_exits(3), 3);
    CHECK(pthread_create(&thread, NULL, show_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
    _exit(5);
}

static pid_t traced_child(void)
{
    pid_t child = fork();
    if (child == 0)
        be_traced();
    int status;
    CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    CHECK(ptrace(PTRACE_SEIZE, child, NULL,
                 PTRACE_O_TRACEFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXIT) == 0);
    CHECK(kill(child, SIGCONT) == 0);
    return child;
}

struct seen {
    pid_t ids[8];
    int stops[8];
    int count;
};

/* Which of the tracees this is, in the order of their coming. */
static int place_of(struct seen *seen, pid_t id)
{
    int i = 0;
    while (i < seen->count && seen->ids[i] != id)
        i++;
    CHECK(i < 8);
    seen->ids[i] = id;
    seen->count += i == seen->count;
    return i;
}

static void check_event(struct seen *seen, pid_t id, int event)
{
    unsigned long message = 0;
    CHECK(ptrace(PTRACE_GETEVENTMSG, id, NULL, &message) == 0);
    if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_CLONE)
        place_of(seen, (pid_t)message);
}

static bool go_on(struct seen *seen, pid_t id, int status)
{
    if (!WIFSTOPPED(status))
        return false;
    int event = status >> 16;
    check_event(seen, id, event);
    bool plain = event == 0 && WSTOPSIG(status) != SIGTRAP;
    CHECK(ptrace(PTRACE_CONT, id, NULL, (long)(plain ? WSTOPSIG(status) : 0)) == 0);
    return true;
}

/* Until the first tracee has ended. Fork's child and the thread come up under one id each. */
static void follow(pid_t first)
{
    struct seen seen = {{first}, {0}, 1};
    for (;;) {
        int status;
        pid_t id = waitpid(-1, &status, __WALL);
        CHECK(id > 0);
        seen.stops[place_of(&seen, id)]++;
        if (!go_on(&seen, id, status) && id == first)
            break;
    }
    /* Nobody but a supervisor names a thread that has not said a word yet. */
    CHECK(seen.count == 3 || (under_detrun() && !supervised()));
    if (seen.count != 3)
        return;
    for (int i = 0; i < 3; i++) {
        CHECK(seen.stops[i] >= 2);
        show("tracee", seen.ids[i]);
    }
}

/* A stop's siginfo names who sent the signal. */
static void check_sender(void)
{
    pid_t child = child_that_waits();
    siginfo_t info;
    int status = 0;
    CHECK(ptrace(PTRACE_SEIZE, child, NULL, NULL) == 0);
    CHECK(kill(child, SIGUSR1) == 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFSTOPPED(status) && WSTOPSIG(status) == SIGUSR1);
    CHECK(ptrace(PTRACE_GETSIGINFO, child, NULL, &info) == 0);
    CHECK(info.si_signo == SIGUSR1 && info.si_pid == getpid());
    errno = 0;
    CHECK(ptrace(PTRACE_PEEKDATA, child, (void *)&secret, NULL) == 4711 && errno == 0);
    CHECK(by(BY_SYSCALL, SYS_ptrace, PTRACE_PEEKDATA, child, (long)&secret, (long)&status) == 0);
    CHECK(ptrace(PTRACE_DETACH, child, NULL, NULL) == 0);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

int main(void)
{
    follow(traced_child());
    check_sender();
    FAILS(ESRCH, ptrace(PTRACE_CONT, 999999999, NULL, NULL));
    CHECK(by(BY_SYSCALL, SYS_ptrace, PTRACE_CONT, 999999999, 0, 0) == -ESRCH);
    return guest_end();
}
