/* SPDX-License-Identifier: MIT */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>

#include "release_target.h"

#define NOBODY 65534

static int open_pipe(struct target *t)
{
    return pipe(t->descriptors);
}

static void run_compute(struct target *t)
{
    while (!t->stop)
        t->word++;
}

START_TEST(a_computing_thread_notices_nothing)
{
    struct target *t = target_new();
    target_start(t, run_compute, _i);
    while (t->word == 0)
        sched_yield();
    for (int tries = 0; tries < 20; tries++)
        ck_assert_int_eq(release_wait(t->tid, SYS_poll, 0), RELEASE_NOT_WAITING);
    t->stop = 1;
    ck_assert_int_eq(target_end(t), 0);
}
END_TEST

static void run_read(struct target *t)
{
    char letter = 0;
    t->value = result_of(read(t->descriptors[0], &letter, 1));
    t->sound = letter == 'x';
}

static void run_epoll(struct target *t)
{
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(epoll, EPOLL_CTL_ADD, t->descriptors[0], &event);
    t->value = result_of(epoll_wait(epoll, &event, 1, LONG_WAIT_S * 1000));
}

struct other {
    void (*run)(struct target *t);
    long number;
};

static const struct other others[] = {{run_read, SYS_read}, {run_epoll, SYS_epoll_wait}};

/* An ignored signal interrupts as well while the thread is held: SIGWINCH, sent all the time. */
START_TEST(another_call_gets_its_event_later)
{
    struct target *t = target_new();
    ck_assert_int_eq(open_pipe(t), 0);
    target_start(t, others[_i].run, false);
    target_await_call(t, others[_i].number);
    pid_t signals = fork();
    while (signals == 0)
        if (kill(t->pid, SIGWINCH) != 0)
            _exit(0);
    for (int tries = 0; tries < 300; tries++)
        ck_assert_int_eq(release_wait(t->tid, SYS_poll, 0), RELEASE_NOT_WAITING);
    ck_assert(!t->over);
    ck_assert_int_eq(write(t->descriptors[1], "x", 1), 1);
    ck_assert_int_eq(target_end(t), 0);
    ck_assert_int_eq(t->value, 1);
    ck_assert(t->sound);
    kill(signals, SIGKILL);
}
END_TEST

/* Ignores SIGCHLD, as the supervisor does. */
static pid_t start_tracer(struct target *t, long number)
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid != 0)
        return pid;
    signal(SIGCHLD, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (!t->stop) {
        release_wait(t->tid, number, 0);
        atomic_fetch_add(&t->word, 1);
    }
    _exit(0);
}

static void run_poll(struct target *t)
{
    struct pollfd fd = {t->descriptors[0], POLLIN, 0};
    t->value = result_of(poll(&fd, 1, LONG_WAIT_S * 1000));
}

START_TEST(one_killed_while_held_is_waited_for_by_its_parent)
{
    for (int round = 0; round < 100; round++) {
        struct target *t = target_new();
        ck_assert_int_eq(open_pipe(t), 0);
        target_start(t, run_epoll, round % 2);
        target_await_call(t, SYS_epoll_wait);
        pid_t tracer = start_tracer(t, SYS_poll);
        while (t->word < 3)
            sched_yield();
        kill(t->pid, SIGKILL);
        int status = target_end(t);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        ck_assert_int_eq(release_wait(t->tid, SYS_epoll_wait, 0), RELEASE_NOT_WAITING);
        t->stop = 1;
        waitpid(tracer, NULL, 0);
        close(t->descriptors[0]);
        close(t->descriptors[1]);
        munmap(t, sizeof(*t));
    }
}
END_TEST

START_TEST(one_killed_while_held_by_its_parent_is_not_reaped)
{
    for (int round = 0; round < 200; round++) {
        struct target *t = target_new();
        target_start(t, run_compute, round % 2);
        while (t->word == 0)
            sched_yield();
        pid_t killer = fork();
        if (killer == 0) {
            real_pause((unsigned)round * 2000);
            _exit(kill(t->pid, SIGKILL));
        }
        while (process_is_alive(t->pid))
            release_wait(t->tid, SYS_poll, 0);
        int status = target_end(t);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        waitpid(killer, NULL, 0);
        munmap(t, sizeof(*t));
    }
}
END_TEST

static void run_exec(struct target *t)
{
    (void)t;
    execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
    _exit(1);
}

START_TEST(an_execve_while_held_goes_on)
{
    for (int round = 0; round < 30; round++) {
        struct target *t = target_new();
        target_start(t, run_exec, _i);
        while (t->tid == 0)
            sched_yield();
        pid_t tracer = start_tracer(t, SYS_poll);
        int status = target_end(t);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        t->stop = 1;
        waitpid(tracer, NULL, 0);
        munmap(t, sizeof(*t));
    }
}
END_TEST

START_TEST(one_that_is_traced_is_refused)
{
    struct target *t = target_new();
    ck_assert_int_eq(open_pipe(t), 0);
    target_start(t, run_poll, false);
    target_await_call(t, SYS_poll);
    ck_assert_int_eq(ptrace(PTRACE_SEIZE, t->tid, 0, 0), 0);
    ck_assert_int_eq(release_wait(t->tid, SYS_poll, 0), RELEASE_REFUSED);
    ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, t->tid, 0, 0), 0);
    ck_assert_int_eq(waitpid(t->tid, NULL, __WALL), t->tid);
    ck_assert_int_eq(ptrace(PTRACE_DETACH, t->tid, 0, 0), 0);
    ck_assert_int_eq(release_wait(t->tid, SYS_poll, 0), RELEASE_DONE);
    ck_assert_int_eq(target_end(t), 0);
    ck_assert_int_eq(t->value, 0);
}
END_TEST

static void run_hidden(struct target *t)
{
    prctl(PR_SET_DUMPABLE, 0);
    run_poll(t);
}

static int release_as_nobody(struct target *t)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(getuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) != 0
                  ? 77
                  : (int)release_wait(t->tid, SYS_poll, 0));
    int status = -1;
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

START_TEST(one_that_may_not_be_traced_is_refused)
{
    struct target *t = target_new();
    ck_assert_int_eq(open_pipe(t), 0);
    target_start(t, run_hidden, false);
    while (t->tid == 0 || process_state(t->tid) != 'S')
        sched_yield();
    ck_assert_int_eq(release_as_nobody(t), RELEASE_REFUSED);
    ck_assert_int_eq(write(t->descriptors[1], "x", 1), 1);
    ck_assert_int_eq(target_end(t), 0);
    ck_assert_int_eq(t->value, 1);
}
END_TEST

static void run_vfork(struct target *t)
{
    char letter;
    pid_t child = vfork();
    if (child == 0)
        _exit(read(t->descriptors[0], &letter, 1) == 1 ? 5 : 6);
    int status = 0;
    t->sound = waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5;
}

START_TEST(one_in_vfork_is_refused_and_goes_on)
{
    struct target *t = target_new();
    ck_assert_int_eq(open_pipe(t), 0);
    target_start(t, run_vfork, _i);
    while (t->tid == 0 || process_state(t->tid) != 'D')
        real_pause(LOOK_NS);
    ck_assert_int_eq(release_wait(t->tid, SYS_vfork, 0), RELEASE_REFUSED);
    ck_assert_int_eq(release_wait(t->tid, SYS_poll, 0), RELEASE_REFUSED);
    ck_assert_int_eq(write(t->descriptors[1], "x", 1), 1);
    ck_assert_int_eq(target_end(t), 0);
    ck_assert(t->sound);
}
END_TEST

static void *poll_in_thread(void *data)
{
    struct target *t = data;
    t->numbers[0] = (int)syscall(SYS_gettid);
    run_poll(t);
    _exit(0);
}

static void run_leader_that_ends(struct target *t)
{
    pthread_t thread;
    pthread_create(&thread, NULL, poll_in_thread, t);
    pthread_exit(NULL);
}

START_TEST(a_leader_that_has_ended_is_not_waiting)
{
    struct target *t = target_new();
    ck_assert_int_eq(open_pipe(t), 0);
    target_start(t, run_leader_that_ends, false);
    while (t->tid == 0 || process_state(t->tid) != 'Z' || t->numbers[0] == 0)
        real_pause(LOOK_NS);
    ck_assert_int_eq(release_wait(t->tid, SYS_poll, 0), RELEASE_NOT_WAITING);
    t->tid = t->numbers[0];
    target_await_call(t, SYS_poll);
    ck_assert_int_eq(release_wait(t->tid, SYS_poll, 0), RELEASE_DONE);
    ck_assert_int_eq(target_end(t), 0);
    ck_assert_int_eq(t->value, 0);
}
END_TEST

/* Each poll is a notification. The listener goes to the test by the descriptor table. */
static void run_filtered(struct target *t)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_poll, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(code) / sizeof(*code), code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    t->numbers[0] = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                 SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    struct pollfd fd = {t->descriptors[0], POLLIN, 0};
    t->value = result_of(syscall(SYS_poll, &fd, 1, LONG_WAIT_S * 1000));
}

static int listener_of(struct target *t)
{
    int pidfd = (int)syscall(SYS_pidfd_open, t->pid, 0);
    int listener = (int)syscall(SYS_pidfd_getfd, pidfd, t->numbers[0], 0);
    close(pidfd);
    return listener;
}

/* One that was interrupted is ENOENT, and comes again. */
static void let_begin(int listener)
{
    struct seccomp_notif notif;
    struct seccomp_notif_resp answer;
    do {
        do
            memset(&notif, 0, sizeof(notif));
        while (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notif) != 0);
        answer =
            (struct seccomp_notif_resp){.id = notif.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    } while (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) != 0);
}

START_TEST(a_call_held_by_a_filter_has_not_begun)
{
    struct target *t = target_new();
    ck_assert_int_eq(open_pipe(t), 0);
    target_start(t, run_filtered, false);
    target_await_call(t, SYS_poll);
    for (int tries = 0; tries < 3; tries++)
        ck_assert_int_eq(release_wait(t->tid, SYS_poll, 0), RELEASE_NOT_WAITING);
    int listener = listener_of(t);
    ck_assert_int_ge(listener, 0);
    enum release_end end;
    do
        let_begin(listener);
    while ((end = release_wait(t->tid, SYS_poll, 0)) == RELEASE_NOT_WAITING);
    ck_assert_int_eq(end, RELEASE_DONE);
    ck_assert_int_eq(target_end(t), 0);
    ck_assert_int_eq(t->value, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("release apart");
    TCase *tests = tcase_create("apart");
    suite_add_tcase(suite, tests);
    tcase_add_loop_test(tests, a_computing_thread_notices_nothing, 0, 2);
    tcase_add_loop_test(tests, another_call_gets_its_event_later, 0, 2);
    tcase_add_test(tests, one_killed_while_held_is_waited_for_by_its_parent);
    tcase_add_test(tests, one_killed_while_held_by_its_parent_is_not_reaped);
    tcase_add_loop_test(tests, an_execve_while_held_goes_on, 0, 2);
    tcase_add_test(tests, one_that_is_traced_is_refused);
    tcase_add_test(tests, one_that_may_not_be_traced_is_refused);
    tcase_add_loop_test(tests, one_in_vfork_is_refused_and_goes_on, 0, 2);
    tcase_add_test(tests, a_leader_that_has_ended_is_not_waiting);
    tcase_add_test(tests, a_call_held_by_a_filter_has_not_begun);
    return target_run(suite);
}
