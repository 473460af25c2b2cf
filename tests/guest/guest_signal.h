/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Handlers with a siginfo: what must hold however they were installed.
 */
#ifndef DETRUN_GUEST_SIGNAL_H
#define DETRUN_GUEST_SIGNAL_H

#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sys/stat.h>

#include "guest_child.h"

typedef void siginfo_handler(int number, siginfo_t *info, void *context);

#define BY_DEFAULT ((siginfo_handler *)(uintptr_t)SIG_DFL)
#define IGNORED    ((siginfo_handler *)(uintptr_t)SIG_IGN)

struct disposition {
    siginfo_handler *handler;
    int flags;
    int masked; /**< one signal more that is blocked meanwhile, 0: none */
};

/** sigaction() by one door or another. @return 0 or -errno; old may be NULL */
typedef int disposition_setter(int number, const struct disposition *new, struct disposition *old);

#define RESTORER 0x04000000

static inline int set_by_libc(int number, const struct disposition *new, struct disposition *old)
{
    struct sigaction action = {0};
    struct sigaction before;
    if (new) {
        action.sa_sigaction = new->handler;
        action.sa_flags = new->flags;
        if (new->masked)
            sigaddset(&action.sa_mask, new->masked);
    }
    if (sigaction(number, new ? &action : NULL, old ? &before : NULL) != 0)
        return -errno;
    for (int i = 1; old && i < 65; i++)
        if (sigismember(&before.sa_mask, i))
            old->masked = i;
    if (old) {
        old->handler = before.sa_sigaction;
        old->flags = before.sa_flags & ~RESTORER;
    }
    return 0;
}

static disposition_setter *set_disposition = set_by_libc;

static volatile sig_atomic_t taken;
static siginfo_t taken_info;
static int taken_number;
static void *taken_stack;

static inline void take(int number, siginfo_t *info, void *context)
{
    CHECK(context != NULL);
    taken_number = number;
    taken_info = *info;
    taken_stack = __builtin_frame_address(0);
    taken++;
}

static inline void install(int number, siginfo_handler *handler, int flags)
{
    struct disposition d = {handler, flags | SA_SIGINFO, 0};
    CHECK(set_disposition(number, &d, NULL) == 0);
}

static inline void check_taken(int number, int code, pid_t sender)
{
    CHECK(taken == 1 && taken_number == number);
    CHECK(taken_info.si_signo == number && taken_info.si_code == code);
    CHECK(taken_info.si_pid == sender && taken_info.si_uid == getuid());
    taken = 0;
}

static inline void block(int how, int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    CHECK(sigprocmask(how, &set, NULL) == 0);
}

static inline bool is_blocked(int number)
{
    sigset_t set;
    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &set) == 0);
    return sigismember(&set, number);
}

static inline void check_own_signals(void)
{
    union sigval value = {.sival_int = 4242};
    install(SIGUSR1, take, 0);
    CHECK(kill(getpid(), SIGUSR1) == 0);
    check_taken(SIGUSR1, SI_USER, getpid());
    show("own", taken_info.si_pid);
    CHECK(raise(SIGUSR1) == 0);
    check_taken(SIGUSR1, SI_TKILL, getpid());
    CHECK(pthread_kill(pthread_self(), SIGUSR1) == 0);
    check_taken(SIGUSR1, SI_TKILL, getpid());
    CHECK(sigqueue(getpid(), SIGUSR1, value) == 0);
    CHECK(taken_info.si_value.sival_int == 4242);
    check_taken(SIGUSR1, SI_QUEUE, getpid());
    CHECK(pthread_sigqueue(pthread_self(), SIGUSR1, value) == 0);
    CHECK(taken_info.si_value.sival_int == 4242);
    check_taken(SIGUSR1, SI_QUEUE, getpid());
}

/** A child of ours whose own child sends us a signal and is gone before we take it. */
static inline pid_t signal_of_grandchild(int number)
{
    pid_t target = getpid();
    pid_t grandchild;
    int ends[2];
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        grandchild = fork();
        if (grandchild == 0)
            _exit(kill(target, number));
        CHECK(write(ends[1], &grandchild, sizeof(grandchild)) == sizeof(grandchild));
        check_exit(grandchild, 0);
        _exit(0);
    }
    check_exit(child, 0);
    CHECK(read(ends[0], &grandchild, sizeof(grandchild)) == sizeof(grandchild));
    close(ends[0]);
    close(ends[1]);
    return grandchild;
}

static inline void check_others_signals(void)
{
    install(SIGUSR1, take, 0);
    install(SIGCHLD, take, SA_NOCLDSTOP);
    block(SIG_BLOCK, SIGCHLD);
    block(SIG_BLOCK, SIGUSR1);
    pid_t sender = signal_of_grandchild(SIGUSR1);
    block(SIG_UNBLOCK, SIGUSR1);
    check_taken(SIGUSR1, SI_USER, sender);
    show("gone sender", taken_info.si_pid);
    block(SIG_UNBLOCK, SIGCHLD);
    CHECK(taken == 1 && taken_info.si_code == CLD_EXITED);
    taken = 0;
    block(SIG_BLOCK, SIGCHLD);
    pid_t child = child_that_exits(7);
    check_exit(child, 7);
    block(SIG_UNBLOCK, SIGCHLD);
    CHECK(taken_info.si_status == 7);
    CHECK(!under_detrun() || (taken_info.si_utime == 0 && taken_info.si_stime == 0));
    check_taken(SIGCHLD, CLD_EXITED, child);
    show("child", taken_info.si_pid);
    struct disposition none = {BY_DEFAULT, 0, 0};
    CHECK(set_disposition(SIGCHLD, &none, NULL) == 0);
}

/** Whoever asks gets the program's own handler, flags and mask; SIG_DFL and SIG_IGN too. */
static inline void check_old(void)
{
    struct disposition d = {take, SA_SIGINFO | SA_RESTART | SA_NODEFER, SIGUSR2};
    struct disposition plain = {IGNORED, SA_SIGINFO, 0};
    struct disposition old;
    CHECK(set_disposition(SIGUSR1, &d, NULL) == 0);
    for (int i = 0; i < 2; i++) {
        CHECK(set_disposition(SIGUSR1, NULL, &old) == 0);
        CHECK(old.handler == take && old.flags == d.flags && old.masked == SIGUSR2);
        CHECK(set_disposition(SIGUSR1, &old, &old) == 0);
        CHECK(old.handler == take && old.flags == d.flags && old.masked == SIGUSR2);
    }
    CHECK(set_disposition(SIGUSR1, &plain, &old) == 0 && old.handler == take);
    CHECK(raise(SIGUSR1) == 0 && taken == 0);
    plain.handler = BY_DEFAULT;
    CHECK(set_disposition(SIGUSR1, &plain, &old) == 0 && old.handler == IGNORED);
    CHECK(set_disposition(SIGUSR1, &d, &old) == 0 && old.handler == BY_DEFAULT);
    CHECK(signal(SIGUSR1, SIG_IGN) == (sighandler_t)(uintptr_t)take);
    CHECK(set_disposition(SIGKILL, &d, NULL) == -EINVAL);
    CHECK(set_disposition(65, &d, NULL) == -EINVAL && set_disposition(0, NULL, &old) == -EINVAL);
}

static int depth;

static inline void nest(int number, siginfo_t *info, void *context)
{
    (void)context;
    CHECK(info->si_pid == getpid() && is_blocked(SIGUSR2) && !is_blocked(SIGUSR1));
    if (++depth < 3)
        CHECK(raise(number) == 0);
}

static inline void check_flags(void)
{
    static char alternate[65536];
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
    struct disposition d = {nest, SA_SIGINFO | SA_NODEFER, SIGUSR2};
    struct disposition old;
    CHECK(set_disposition(SIGUSR1, &d, NULL) == 0 && raise(SIGUSR1) == 0 && depth == 3);
    CHECK(sigaltstack(&stack, NULL) == 0);
    install(SIGUSR1, take, SA_ONSTACK | (int)SA_RESETHAND);
    CHECK(raise(SIGUSR1) == 0);
    check_taken(SIGUSR1, SI_TKILL, getpid());
    CHECK((char *)taken_stack > alternate && (char *)taken_stack < alternate + sizeof(alternate));
    CHECK(set_disposition(SIGUSR1, NULL, &old) == 0 && old.handler == BY_DEFAULT);
    stack.ss_flags = SS_DISABLE;
    CHECK(sigaltstack(&stack, NULL) == 0);
}

static int wake_end;

static inline void write_byte(int number, siginfo_t *info, void *context)
{
    take(number, info, context);
    CHECK(write(wake_end, "x", 1) == 1);
}

/** A read that a child's signal interrupts goes on with SA_RESTART, and ends without. */
static inline void check_restart(void)
{
    char byte;
    int ends[2];
    CHECK(pipe(ends) == 0);
    wake_end = ends[1];
    for (int restart = 0; restart < 2; restart++) {
        install(SIGUSR1, write_byte, restart ? SA_RESTART : 0);
        pid_t parent = getpid();
        pid_t child = fork();
        if (child == 0) {
            usleep(100000);
            _exit(kill(parent, SIGUSR1));
        }
        ssize_t n = read(ends[0], &byte, 1);
        CHECK(restart ? n == 1 : n == -1 && errno == EINTR);
        check_taken(SIGUSR1, SI_USER, child);
        check_exit(child, 0);
        CHECK(restart || read(ends[0], &byte, 1) == 1);
    }
}

static inline void take_in_child(int number, siginfo_t *info, void *context)
{
    take(number, info, context);
    taken_number = -1;
}

/** A vfork child shares our memory, but not the dispositions. */
static inline void check_children(void)
{
    install(SIGUSR1, take, 0);
    pid_t child = fork();
    if (child == 0) {
        CHECK(raise(SIGUSR1) == 0);
        check_taken(SIGUSR1, SI_TKILL, getpid());
        _exit(0);
    }
    check_exit(child, 0);
    child = vfork();
    if (child == 0) {
        install(SIGUSR1, take_in_child, 0);
        _exit(raise(SIGUSR1) == 0 && taken_number == -1 ? 0 : 1);
    }
    check_exit(child, 0);
    taken = 0;
    CHECK(raise(SIGUSR1) == 0);
    check_taken(SIGUSR1, SI_TKILL, getpid());
}

/* A timer's signal has other things where a sender's pid would be. */
static inline void check_timer(void)
{
    union sigval value = {.sival_ptr = &taken_info};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    struct itimerspec soon = {.it_value.tv_nsec = 1};
    timer_t timer;
    event.sigev_value = value;
    install(SIGRTMIN, take, 0);
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    CHECK(timer_settime(timer, 0, &soon, NULL) == 0);
    while (taken == 0)
        usleep(1000);
    CHECK(taken_info.si_code == SI_TIMER && taken_info.si_value.sival_ptr == &taken_info);
    CHECK(taken_info.si_overrun == 0);
    CHECK(timer_delete(timer) == 0);
    taken = 0;
}

/* A name that no other job has: virtual pids are the same in all of one seed. */
static inline mqd_t new_queue(void)
{
    struct stat st;
    char name[64];
    int ends[2];
    CHECK(pipe(ends) == 0 && fstat(ends[0], &st) == 0);
    snprintf(name, sizeof(name), "/detrun-guest-%ju", (uintmax_t)st.st_ino);
    close(ends[0]);
    close(ends[1]);
    mqd_t queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, NULL);
    CHECK(queue >= 0 && mq_unlink(name) == 0);
    return queue;
}

/** Who puts a message into a queue is the sender of its signal. */
static inline void check_queue(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    mqd_t queue = new_queue();
    event.sigev_value.sival_int = 33;
    install(SIGUSR1, take, 0);
    CHECK(mq_notify(queue, &event) == 0);
    block(SIG_BLOCK, SIGUSR1);
    pid_t child = fork();
    if (child == 0)
        _exit(mq_send(queue, "x", 1, 0) == 0 ? 0 : 1);
    check_exit(child, 0);
    block(SIG_UNBLOCK, SIGUSR1);
    CHECK(taken_info.si_value.sival_int == 33);
    check_taken(SIGUSR1, SI_MESGQ, child);
    mq_close(queue);
}

#define ONE(n)                                                                                     \
    static inline void many_##n(int number, siginfo_t *info, void *context)                        \
    {                                                                                              \
        take(number, info, context);                                                               \
        taken_number = n;                                                                          \
    }
#define TEN(macro, n)                                                                              \
    macro(n##0) macro(n##1) macro(n##2) macro(n##3) macro(n##4) macro(n##5) macro(n##6)            \
        macro(n##7) macro(n##8) macro(n##9)
#define EIGHTY(macro)                                                                              \
    TEN(macro, 1)                                                                                  \
    TEN(macro, 2)                                                                                  \
    TEN(macro, 3)                                                                                  \
    TEN(macro, 4) TEN(macro, 5) TEN(macro, 6) TEN(macro, 7) TEN(macro, 8)
EIGHTY(ONE)

/** More handlers than anybody has room for: each is called, and given back. */
static inline void check_many(void)
{
#define ADDRESS(n) many_##n,
    static siginfo_handler *const handlers[] = {EIGHTY(ADDRESS)};
    for (int i = 0; i < 80; i++) {
        struct disposition old;
        install(SIGUSR1, handlers[i], 0);
        CHECK(set_disposition(SIGUSR1, NULL, &old) == 0 && old.handler == handlers[i]);
        CHECK(raise(SIGUSR1) == 0 && taken_number == 10 + i);
    }
    taken = 0;
}

static volatile sig_atomic_t switches_end;
static volatile sig_atomic_t seen_first, seen_second;

static inline void first_of_two(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    CHECK(info->si_pid == getpid() && is_blocked(SIGUSR2));
    seen_first++;
}

static inline void second_of_two(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    CHECK(info->si_pid == getpid() && !is_blocked(SIGUSR2));
    seen_second++;
}

static inline void *keep_switching(void *unused)
{
    struct disposition two[] = {{first_of_two, SA_SIGINFO, SIGUSR2},
                                {second_of_two, SA_SIGINFO, 0}};
    block(SIG_BLOCK, SIGUSR1);
    for (int i = 0; !switches_end; i++)
        CHECK(set_disposition(SIGUSR1, &two[i % 2], NULL) == 0);
    return unused;
}

/** One handler never runs with another's mask, whenever the signal comes. */
static inline void check_switching(void)
{
    pthread_t thread;
    struct disposition first = {first_of_two, SA_SIGINFO, SIGUSR2};
    CHECK(set_disposition(SIGUSR1, &first, NULL) == 0);
    CHECK(pthread_create(&thread, NULL, keep_switching, NULL) == 0);
    for (int i = 0; i < 2000; i++)
        CHECK(raise(SIGUSR1) == 0);
    switches_end = 1;
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(seen_first + seen_second == 2000);
}

/** All of it; the handlers of check_many() come last. */
static inline int check_setter(disposition_setter *setter)
{
    set_disposition = setter;
    check_own_signals();
    check_others_signals();
    check_old();
    check_flags();
    check_restart();
    check_children();
    check_timer();
    check_queue();
    check_switching();
    check_many();
    return guest_end();
}

#endif
