/* SPDX-License-Identifier: MIT */
/*
 * Filters act on a call that every profile allows, told from others by a word in an argument that
 * it does not have.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "listener.h"
#include "nested.h"
#include "probe.h"
#include "real.h"

#define MARK        0x70726f62U
#define ANSWER      4242
#define ERROR       77
#define PATIENCE    3000
#define TRIPS       500
#define WARM_UP     50
/* For a signal to arrive; on a slow machine it shows nothing, but tells no untruth. */
#define SIGNAL_TIME 20000000

static long ask(void)
{
    long result = syscall(SYS_getppid, 0L, 0L, 0L, 0L, 0L, (long)MARK);
    return result < 0 ? -errno : result;
}

/* @return what seccomp(2) does, or -errno */
static long install(unsigned action, unsigned flags)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MARK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    return result < 0 ? -errno : result;
}

static long install_anyhow(unsigned action, unsigned flags)
{
    long result = install(action, flags);
    if (result != -EACCES)
        return result;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return install(action, flags);
}

void probe_filter(struct probe_result *result)
{
    long error = install_anyhow(SECCOMP_RET_ERRNO | ERROR, 0);
    if (error < 0)
        probe_say(result, PROBE_MISSING, "refused: %s", strerror((int)-error));
    else if (ask() != -ERROR)
        probe_say(result, PROBE_MISSING, "accepted, and without effect");
    else
        probe_say(result, PROBE_OK, "takes effect");
}

static int listen_here(struct probe_result *result)
{
    long fd = install_anyhow(SECCOMP_RET_USER_NOTIF, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    if (fd == -EBUSY && nested_in_a_job())
        probe_say(result, PROBE_OK, "this is inside a job, whose supervisor answers");
    else if (fd == -EBUSY)
        probe_say(result, PROBE_MISSING, "taken: a sandbox or tracer around this has one already");
    else if (fd < 0)
        probe_say(result, PROBE_MISSING, "refused: %s", strerror((int)-fd));
    return (int)fd;
}

static bool receive(int listener, struct seccomp_notif *request)
{
    struct pollfd pollfd = {.fd = listener, .events = POLLIN};
    memset(request, 0, sizeof(*request));
    return poll(&pollfd, 1, PATIENCE) == 1 && (pollfd.revents & POLLIN) &&
           ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, request) == 0;
}

static bool answer(int listener)
{
    struct seccomp_notif request;
    if (!receive(listener, &request))
        return false;
    struct seccomp_notif_resp response = {.id = request.id, .val = ANSWER};
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) == 0;
}

void probe_listener(struct probe_result *result)
{
    int listener = listen_here(result);
    if (listener < 0)
        return;
    int pid = probe_fork();
    if (pid == 0)
        _exit(ask() == ANSWER ? 0 : 1);
    bool answered = answer(listener);
    close(listener);
    if (answered && probe_wait(pid) == 0)
        probe_say(result, PROBE_OK, "answers a call of another process");
    else
        probe_say(result, PROBE_MISSING, "accepted, but calls are not answered");
}

/* What depends on a listener, and there is none here to try it on. */
static int listen_for(struct probe_result *result)
{
    int listener = listen_here(result);
    if (listener < 0 && result->state == PROBE_MISSING)
        result->state = PROBE_UNKNOWN;
    return listener;
}

static bool hand_over(int listener, int fd)
{
    struct seccomp_notif request;
    if (!receive(listener, &request))
        return false;
    struct seccomp_notif_addfd add = {
        .id = request.id, .flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = (__u32)fd};
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) >= 0;
}

static _Noreturn void read_what_comes(const int ends[2])
{
    char byte = 0;
    close(ends[0]);
    close(ends[1]);
    long fd = ask();
    _exit(fd >= 0 && read((int)fd, &byte, 1) == 1 && byte == 'x' ? 0 : 1);
}

void probe_descriptor(struct probe_result *result)
{
    int ends[2];
    int listener = listen_for(result);
    if (listener < 0)
        return;
    if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1)
        return;
    int pid = probe_fork();
    if (pid == 0)
        read_what_comes(ends);
    bool sent = hand_over(listener, ends[0]);
    int error = errno;
    close(listener);
    if (sent && probe_wait(pid) == 0)
        probe_say(result, PROBE_OK, "a descriptor arrives in another process");
    else
        probe_say(result, PROBE_MISSING, "%s", sent ? "no descriptor arrives" : strerror(error));
}

void probe_wake_up(struct probe_result *result)
{
    __u64 flags = SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP;
    int listener = listen_for(result);
    if (listener < 0)
        return;
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, flags) == 0)
        probe_say(result, PROBE_OK, "accepted");
    else
        probe_say(result, PROBE_NOTE, "refused: %s", strerror(errno));
}

static void on_signal(int signal_number)
{
    (void)signal_number;
}

static _Noreturn void ask_through_signal(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    _exit(ask() == ANSWER ? 0 : 1);
}

/* Does a call that was received outlast a signal? */
static bool outlasts_signal(int listener, int pid)
{
    struct seccomp_notif request;
    if (!receive(listener, &request) || kill(pid, SIGUSR1) != 0)
        return false;
    real_pause(SIGNAL_TIME);
    struct seccomp_notif_resp response = {.id = request.id, .val = ANSWER};
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) == 0;
}

void probe_killable(struct probe_result *result)
{
    int flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    int listener = (int)install_anyhow(SECCOMP_RET_USER_NOTIF, (unsigned)flags);
    if (listener == -EINVAL)
        probe_say(result, PROBE_NOTE, "refused: %s", strerror(EINVAL));
    else if (listener < 0)
        listen_for(result);
    if (listener < 0)
        return;
    int pid = probe_fork();
    if (pid == 0)
        ask_through_signal();
    bool lasted = outlasts_signal(listener, pid);
    close(listener);
    if (lasted && probe_wait(pid) == 0)
        probe_say(result, PROBE_OK, "a call outlasts a signal");
    else
        probe_say(result, PROBE_NOTE, "accepted, and without effect");
}

void probe_privileges(struct probe_result *result)
{
    long error = install(SECCOMP_RET_ALLOW, 0);
    if (error == -EACCES)
        probe_say(result, PROBE_NOTE, "needed for a filter by this user");
    else if (error < 0)
        probe_say(result, PROBE_UNKNOWN, "no filter: %s", strerror((int)-error));
    else if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
        probe_say(result, PROBE_NOTE, "set already by whoever started this");
    else
        probe_say(result, PROBE_OK, "not needed: setuid programs keep their privileges");
}

static _Noreturn void ask_often(void)
{
    for (int i = 0; i < WARM_UP + TRIPS; i++)
        if (ask() != ANSWER)
            _exit(1);
    _exit(0);
}

static uint64_t serve(int listener)
{
    uint64_t start = 0;
    for (int i = 0; i < WARM_UP + TRIPS; i++) {
        if (!answer(listener))
            return 0;
        if (i == WARM_UP)
            start = real_now_ns();
    }
    return (real_now_ns() - start) / TRIPS;
}

static uint64_t ask_supervisor(void)
{
    uint64_t start = real_now_ns();
    for (int i = 0; i < TRIPS; i++)
        syscall(SYS_getppid, 0L, 0L, 0L, 0L, 0L, 0L);
    return (real_now_ns() - start) / TRIPS;
}

void probe_round_trip(struct probe_result *result)
{
    __u64 flags = SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP;
    int listener = listen_for(result);
    uint64_t ns = 0;
    if (listener < 0 && result->state != PROBE_OK)
        return;
    if (listener < 0) {
        ns = ask_supervisor();
    } else {
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, flags);
        int pid = probe_fork();
        if (pid == 0)
            ask_often();
        ns = serve(listener);
        close(listener);
        probe_wait(pid);
    }
    if (ns != 0)
        probe_say(result, PROBE_OK, "%.1f us", (double)ns / 1000);
    else
        probe_say(result, PROBE_UNKNOWN, "calls are not answered");
}
