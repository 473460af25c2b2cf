/* SPDX-License-Identifier: MIT */
#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "release_target.h"

#define RELEASES 1000
#define SIGNALS  1000

/* What the target counts, in numbers[]. */
enum { EVENTS, TIME_OUTS, INTERRUPTED, HANDLED, WRONG };

static struct target *here; /* for the signal handler */

static void count(struct target *t, int what)
{
    atomic_fetch_add(&t->numbers[what], 1);
}

static void count_result(struct target *t, long value, long time_out, long event)
{
    if (value == time_out)
        count(t, TIME_OUTS);
    else if (value == -EINTR)
        count(t, INTERRUPTED);
    else if (value != event)
        count(t, WRONG);
}

static void take_event(struct target *t)
{
    uint64_t one;
    if (read(t->descriptors[0], &one, sizeof(one)) == sizeof(one))
        count(t, EVENTS);
}

static void run_polls(struct target *t)
{
    while (!t->stop) {
        struct pollfd fd = {t->descriptors[0], POLLIN, 0};
        long value = result_of(syscall(SYS_poll, &fd, 1, LONG_WAIT_S * 1000));
        count_result(t, value, 0, 1);
        if (value == 1)
            take_event(t);
    }
}

static void run_epolls(struct target *t)
{
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(epoll, EPOLL_CTL_ADD, t->descriptors[0], &event);
    while (!t->stop) {
        long value = result_of(syscall(SYS_epoll_wait, epoll, &event, 1, LONG_WAIT_S * 1000));
        count_result(t, value, 0, 1);
        if (value == 1)
            take_event(t);
    }
}

static bool send_by_eventfd(struct target *t)
{
    uint64_t one = 1;
    return write(t->descriptors[0], &one, sizeof(one)) == sizeof(one);
}

static void run_futexes(struct target *t)
{
    const struct timespec limit = {LONG_WAIT_S, 0};
    while (!t->stop) {
        long value = result_of(syscall(SYS_futex, &t->word, FUTEX_WAIT, 0, &limit, NULL, 0));
        count_result(t, value, -ETIMEDOUT, 0);
        if (value == 0)
            count(t, EVENTS);
    }
}

static bool send_by_futex(struct target *t)
{
    return syscall(SYS_futex, &t->word, FUTEX_WAKE, 1, NULL, NULL, 0) == 1;
}

struct race {
    void (*run)(struct target *t);
    bool (*send)(struct target *t);
    long number;
    long result;
};

static const struct race races[] = {
    {run_polls, send_by_eventfd, SYS_poll, 0},
    {run_epolls, send_by_eventfd, SYS_epoll_wait, 0},
    {run_futexes, send_by_futex, SYS_futex, -ETIMEDOUT},
};

struct sender {
    struct target *target;
    bool (*send)(struct target *t);
    _Atomic int stop;
    int sent;
};

static void *send_events(void *data)
{
    struct sender *sender = data;
    unsigned random = 1;
    while (!sender->stop) {
        random = random * 1103515245 + 12345;
        real_pause((random >> 16) % 100000);
        if (sender->send(sender->target))
            sender->sent++;
    }
    return NULL;
}

static int release_many(const struct race *race, struct target *t)
{
    int done = 0;
    while (done < RELEASES) {
        enum release_end end = release_wait(t->tid, race->number, race->result);
        ck_assert_int_ne(end, RELEASE_REFUSED);
        done += end == RELEASE_DONE;
    }
    return done;
}

/* Until it no longer waits, which may need several. @return how many releases */
static int release_last(const struct race *race, struct target *t)
{
    int done = 0;
    t->stop = 1;
    while (!t->over)
        done += release_wait(t->tid, race->number, race->result) == RELEASE_DONE;
    return done;
}

START_TEST(no_event_is_lost_and_no_result_made_up)
{
    const struct race *race = &races[_i / 2];
    struct target *t = target_new();
    t->descriptors[0] = eventfd(0, EFD_SEMAPHORE);
    target_start(t, race->run, _i % 2);
    target_await_call(t, race->number);
    struct sender sender = {.target = t, .send = race->send};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, send_events, &sender), 0);
    int done = release_many(race, t);
    sender.stop = 1;
    pthread_join(thread, NULL);
    while (t->numbers[EVENTS] != sender.sent)
        sched_yield();
    done += release_last(race, t);
    ck_assert_int_eq(target_end(t), 0);
    ck_assert_int_eq(t->numbers[TIME_OUTS], done);
    ck_assert_int_eq(t->numbers[INTERRUPTED], 0);
    ck_assert_int_eq(t->numbers[WRONG], 0);
    ck_assert_int_eq(t->numbers[EVENTS], sender.sent);
}
END_TEST

static void handle(int signal_number)
{
    (void)signal_number;
    count(here, HANDLED);
}

/* A handler may run at any moment. */
static void run_interrupted_polls(struct target *t)
{
    here = t;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGRTMIN, &action, NULL);
    run_polls(t);
}

static void run_interrupted_epolls(struct target *t)
{
    here = t;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGRTMIN, &action, NULL);
    run_epolls(t);
}

/* A handler runs in ppoll alone: each runs in one that returns EINTR, which may be for several. */
static void run_masked_polls(struct target *t)
{
    here = t;
    sigset_t blocked, open;
    sigemptyset(&open);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGRTMIN, &action, NULL);
    while (!t->stop || t->numbers[HANDLED] < SIGNALS) {
        struct timespec limit = {LONG_WAIT_S, 0};
        int before = t->numbers[HANDLED];
        long value = result_of(syscall(SYS_ppoll, NULL, 0, &limit, &open, 8));
        count_result(t, value, 0, -EINTR);
        if ((value == -EINTR) != (t->numbers[HANDLED] > before))
            count(t, WRONG);
    }
}

static const struct race interrupted[] = {
    {run_interrupted_polls, NULL, SYS_poll, 0},
    {run_interrupted_epolls, NULL, SYS_epoll_wait, 0},
    {run_masked_polls, NULL, SYS_ppoll, 0},
};

static pid_t start_signals(struct target *t)
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    for (int sent = 0; pid == 0 && sent < SIGNALS; sent++) {
        real_pause((unsigned)sent * 7919 % 50000);
        while (sigqueue(t->pid, SIGRTMIN, (union sigval){0}) != 0)
            sched_yield();
    }
    if (pid == 0)
        _exit(0);
    return pid;
}

START_TEST(no_signal_is_lost)
{
    const struct race *race = &interrupted[_i];
    struct target *t = target_new();
    t->descriptors[0] = eventfd(0, EFD_SEMAPHORE);
    target_start(t, race->run, false);
    target_await_call(t, race->number);
    pid_t signals = start_signals(t);
    int done = release_many(race, t);
    waitpid(signals, NULL, 0);
    while (t->numbers[HANDLED] != SIGNALS)
        sched_yield();
    done += release_last(race, t);
    ck_assert_int_eq(target_end(t), 0);
    ck_assert_int_eq(t->numbers[TIME_OUTS], done);
    ck_assert_int_eq(t->numbers[WRONG], 0);
    ck_assert_int_gt(t->numbers[INTERRUPTED], 0);
}
END_TEST

/* Natively a handler gives each epoll_wait EINTR; one that is held for another call has it too. */
START_TEST(a_handler_still_interrupts_one_that_is_not_meant)
{
    struct target *t = target_new();
    t->descriptors[0] = eventfd(0, EFD_SEMAPHORE);
    target_start(t, run_interrupted_epolls, false);
    for (int round = 1; round <= 300; round++) {
        target_await_call(t, SYS_epoll_wait);
        kill(t->pid, SIGRTMIN);
        while (t->numbers[INTERRUPTED] < round)
            ck_assert_int_eq(release_wait(t->tid, SYS_poll, 0), RELEASE_NOT_WAITING);
        ck_assert_int_eq(t->numbers[INTERRUPTED], round);
    }
    ck_assert_int_eq(t->numbers[HANDLED], 300);
    ck_assert_int_eq(t->numbers[TIME_OUTS], 0);
    target_kill(t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("release races");
    TCase *tests = tcase_create("races");
    suite_add_tcase(suite, tests);
    tcase_add_loop_test(tests, no_event_is_lost_and_no_result_made_up, 0, 6);
    tcase_add_loop_test(tests, no_signal_is_lost, 0, 3);
    tcase_add_test(tests, a_handler_still_interrupts_one_that_is_not_meant);
    return target_run(suite);
}
