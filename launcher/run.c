/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "channel.h"
#include "descriptors.h"
#include "filter.h"
#include "kill.h"
#include "lineage.h"
#include "nested.h"
#include "outside.h"
#include "process.h"
#include "real.h"
#include "room.h"
#include "stopped.h"
#include "supervisor.h"
#include "timers.h"

#define SECOND        INT64_C(1000000000)
#define KILL_AFTER_NS (2 * SECOND)

struct run {
    struct job *job;
    pid_t parent;
    pid_t command;
    pid_t supervisor;
    int channel;
    int listener;
    unsigned restarts;
    struct supervisor_timers *timers;
    uint64_t watched; /**< signals */
    uint64_t old_mask;
    struct sigaction old_child_action;
    uint64_t deadline_ns; /**< real; 0: none */
    bool timed_out;
    bool ending; /**< all of the job have been asked to */
};

/* The launcher has to hear of its children even where its caller ignores SIGCHLD; the command
 * gets mask and dispositions as they were. */
static void take_signals(struct run *r)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    r->watched = UINT64_MAX;
    for (size_t i = 0; i < sizeof(own_faults) / sizeof(own_faults[0]); i++)
        r->watched &= ~REAL_SIGNAL(own_faults[i]);
    sigaction(SIGCHLD, &action, &r->old_child_action);
    real_sigmask(SIG_BLOCK, r->watched, &r->old_mask);
}

static void give_signals_back(const struct run *r)
{
    sigaction(SIGCHLD, &r->old_child_action, NULL);
    real_sigmask(SIG_SETMASK, r->old_mask, NULL);
}

static unsigned filter_options(const struct options *o)
{
    return (o->trap_open ? CALLS_WITH_OPEN : 0U) | (o->trap_getdents ? CALLS_WITH_GETDENTS : 0U) |
           (o->network != NETWORK_HOST ? CALLS_WITH_NETWORK : 0U);
}

static int install_filter(struct job *job)
{
    bool no_privs;
    if (!process_has_own_proc())
        return JOB_FOREIGN_PROC;
    int fd = filter_install(filter_options(job->options), &no_privs);
    if (fd >= 0 && no_privs)
        job->memory->params.flags |= DETRUN_FLAG_NO_PRIVS;
    return fd;
}

static void ask_for_supervisor(struct run *r, const struct detrun_task *root)
{
    const struct options *o = r->job->options;
    struct channel_message message = {.kind = CHANNEL_REFUSED};
    int listener = -1;
    if (r->job->inside) {
        channel_send(r->channel, (struct channel_message){CHANNEL_INSIDE, 0}, -1);
        return;
    }
    if (!o->no_supervisor)
        listener = install_filter(r->job);
    if (listener >= 0)
        message.kind = CHANNEL_LISTENER;
    else
        message.error = o->no_supervisor ? 0 : listener;
    if (listener < 0 && options_that_need_supervisor(o))
        message.kind = CHANNEL_NEEDED;
    else if (listener < 0)
        job_add_context(r->job, root);
    channel_send(r->channel, message, listener);
    if (message.kind == CHANNEL_NEEDED)
        _exit(DETRUN_EXIT_FAILED);
    if (listener >= 0)
        close(listener);
}

static _Noreturn void become_command(struct run *r)
{
    ask_for_supervisor(r, job_bind_command(r->job));
    give_signals_back(r);
    /* `timeout -s KILL` of detrun must not leave the command behind. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    room_give_back();
    profile_apply_limits(r->job->options->profile);
    int error = command_exec(&r->job->program, r->job->command, r->job->environment);
    channel_send(r->channel, (struct channel_message){CHANNEL_NOT_RUN, error}, -1);
    _exit(DETRUN_EXIT_FAILED);
}

static void fork_supervisor(struct run *r)
{
    if (!r->timers)
        r->timers = timers_open();
    r->supervisor = fork();
    if (r->supervisor == 0)
        supervisor_run(r->job->memory, r->listener, r->job->memory_fd, r->timers, r->restarts);
}

static void not_run(struct run_result *result, const char *name, int error)
{
    result->status = error == -ENOENT ? DETRUN_EXIT_NOT_FOUND : DETRUN_EXIT_CANNOT_RUN;
    snprintf(result->error, sizeof(result->error), "%s: %s", *name ? name : "\"\", an empty name",
             strerror(-error));
}

/* Nobody sees what the command starts, but what it is itself can be seen. */
static void count_uncontrolled(const struct job *job)
{
    enum command_kind kind = command_kind(&job->program);
    if (kind != COMMAND_DYNAMIC)
        lineage_count_gap(job->memory, DETRUN_GAP_NO_SHIM);
    if (kind == COMMAND_PRIVILEGED)
        lineage_count_gap(job->memory, DETRUN_GAP_SETUID);
}

/* Until the exec: @return 0, or -errno with the result filled in */
static int hear_command(struct run *r, struct run_result *result)
{
    struct channel_message message;
    int fd;
    int n;
    while ((n = channel_receive(r->channel, &message, &fd)) > 0 || n == -EINTR) {
        if (n < 0)
            continue;
        if (message.kind == CHANNEL_NOT_RUN) {
            not_run(result, r->job->command[0], message.error);
            return message.error;
        }
        if (message.kind == CHANNEL_NEEDED) {
            snprintf(result->error, sizeof(result->error),
                     "%s needs the supervisor, which cannot be had here: %s",
                     options_that_need_supervisor(r->job->options), job_refusal(message.error));
            return message.error;
        }
        r->job->supervised = message.kind != CHANNEL_REFUSED;
        r->job->refusal = message.error;
        if (!r->job->supervised)
            count_uncontrolled(r->job);
        r->listener = fd;
    }
    return 0;
}

/* @return 0, or -errno with the result filled in */
static int start_supervisor(struct run *r, struct run_result *result)
{
    if (r->listener < 0)
        return 0;
    fork_supervisor(r);
    if (r->supervisor > 0)
        return 0;
    snprintf(result->error, sizeof(result->error), "cannot start the supervisor: %s%s",
             strerror(errno), room_advice(-errno));
    kill(r->command, SIGKILL);
    return -EAGAIN;
}

/* Nobody must wait for the launcher where it would not wait for the command: it keeps standard
 * error for its own messages and nothing else of the caller's, and the supervisor not even that. */
static void let_go_of_descriptors(const struct run *r)
{
    outside_note_inherited();
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
    }
    int records = r->job->memory->params.record_fd;
    int trace = r->job->memory->params.trace_fd;
    descriptors_close_except(
        (int[]){r->listener, r->job->memory_fd, records ? records : -1, trace ? trace : -1}, 4);
}

static void raise_default(int signal_number)
{
    real_sigdefault(signal_number);
    kill(real_getpid(), signal_number);
    real_sigmask(SIG_UNBLOCK, REAL_SIGNAL(signal_number), NULL);
}

/* Our caller sees its child stop as it would have seen the command. */
static void stop_like(const struct run *r, int signal_number)
{
    pid_t watch = stopped_watch(r->command);
    raise_default(signal_number);
    real_sigmask(SIG_BLOCK, r->watched, NULL);
    stopped_no_more(watch, r->command);
}

/* @return true when the command has ended */
static bool reap(struct run *r, struct run_result *result)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
        if (pid == r->supervisor && !WIFSTOPPED(status)) {
            r->supervisor = 0;
            if (WIFEXITED(status))
                continue;
            lineage_count_gap(r->job->memory, DETRUN_GAP_SUPERVISOR_RESTARTED);
            r->restarts++;
            fork_supervisor(r);
        }
        if (pid != r->command)
            continue;
        if (WIFSTOPPED(status)) {
            if (r->deadline_ns == 0 || WSTOPSIG(status) != SIGSTOP)
                stop_like(r, WSTOPSIG(status));
            continue;
        }
        result->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
        result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        return true;
    }
    return false;
}

/* What the terminal sends reaches the command without us: it is in the same group. */
static void pass_on(const struct run *r, const siginfo_t *info)
{
    if (info->si_code != SI_KERNEL)
        kill(r->command, info->si_signo);
}

static struct kill_scope scope_of(const struct run *r)
{
    return (struct kill_scope){r->job->memory, r->supervisor};
}

static void end_job(struct run *r)
{
    struct kill_scope scope = scope_of(r);
    kill_job(&scope, r->command, r->ending ? SIGKILL : SIGTERM);
    kill_job(&scope, r->command, SIGCONT); /* who is stopped hears it too, as from timeout(1) */
    r->deadline_ns = r->ending ? 0 : real_now_ns() + KILL_AFTER_NS;
    r->ending = true;
}

static void time_is_up(struct run *r)
{
    r->timed_out = r->timed_out || !r->ending;
    end_job(r);
}

/* Whoever starts us may have asked for it: prctl(PR_SET_PDEATHSIG). */
static bool tells_of_parents_death(const struct run *r)
{
    int signal_number = 0;
    return prctl(PR_GET_PDEATHSIG, &signal_number, 0, 0, 0) == 0 && signal_number == SIGTERM &&
           getppid() != r->parent;
}

static bool asks_for_end(const struct run *r, const siginfo_t *info)
{
    if (info->si_signo != SIGTERM)
        return false;
    if (info->si_code == SI_QUEUE)
        return info->si_value.sival_int == RUN_END_JOB;
    return tells_of_parents_death(r);
}

static int next_signal(const struct run *r, siginfo_t *info)
{
    if (r->deadline_ns == 0)
        return real_sigwait(r->watched, info, NULL);
    uint64_t now = real_now_ns();
    uint64_t left = r->deadline_ns > now ? r->deadline_ns - now : 0;
    struct timespec wait = {(time_t)(left / SECOND), (long)(left % SECOND)};
    return real_sigwait(r->watched, info, &wait);
}

static void stay_until_end(struct run *r, struct run_result *result)
{
    siginfo_t info;
    for (;;) {
        int signal_number = next_signal(r, &info);
        if (signal_number == SIGCHLD) {
            if (reap(r, result))
                return;
        } else if (signal_number > 0 && asks_for_end(r, &info)) {
            if (!r->ending)
                end_job(r);
        } else if (signal_number > 0) {
            pass_on(r, &info);
        } else if (errno == EAGAIN) {
            time_is_up(r);
        }
    }
}

/* The command is over; what it left in the background may need a KILL yet. */
static void finish_ending(struct run *r, struct run_result *result)
{
    struct kill_scope scope = scope_of(r);
    if (!r->ending)
        return;
    kill_rest(&scope, r->deadline_ns);
    if (!r->timed_out)
        return;
    result->timed_out = true;
    result->status = DETRUN_EXIT_FAILED;
    result->signal = 0;
    snprintf(result->error, sizeof(result->error), "%s: ended after its --timeout of %.9g s",
             r->job->options->command[0], (double)r->job->options->timeout_ns / 1e9);
}

static int start(struct run *r, struct run_result *result)
{
    int ends[2];
    int error = channel_open(ends);
    take_signals(r);
    /* The launcher stands still until the exec, in the same memory, and then hears what was said.
     */
    r->command = error ? -1 : vfork();
    if (r->command < 0) {
        error = error ? error : -errno;
        snprintf(result->error, sizeof(result->error), "cannot start a process: %s%s",
                 strerror(-error), room_advice(error));
        return -EAGAIN;
    }
    r->channel = ends[r->command == 0];
    close(ends[r->command != 0]);
    if (r->command == 0)
        become_command(r);
    signal(SIGPIPE, SIG_IGN);
    error = hear_command(r, result);
    close(r->channel);
    if (error)
        return error;
    let_go_of_descriptors(r);
    return start_supervisor(r, result);
}

void run_job(struct job *job, struct run_result *result)
{
    struct run r = {.job = job, .listener = -1, .parent = getppid()};
    *result = (struct run_result){.status = DETRUN_EXIT_FAILED};
    if (job->options->timeout_ns)
        r.deadline_ns = real_now_ns() + job->options->timeout_ns;
    if (start(&r, result) != 0)
        return;
    stay_until_end(&r, result);
    finish_ending(&r, result);
}

void run_untouched(char **command, struct run_result *result)
{
    struct command_file program;
    *result = (struct run_result){0};
    room_give_back();
    command_find(&program, command[0]);
    not_run(result, command[0], command_exec(&program, command, environ));
}

_Noreturn void run_end_like(const struct run_result *result)
{
    struct rlimit no_core = {0, 0};
    if (result->signal != 0) {
        setrlimit(RLIMIT_CORE, &no_core);
        raise_default(result->signal);
    }
    _exit(result->signal != 0 ? 128 + result->signal : result->status);
}
