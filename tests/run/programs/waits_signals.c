/* SPDX-License-Identifier: MIT */
/*
 * waits_signals native|exact [silent]: what signals, cancellation, stops and timers do to a wait.
 * Natively a time lies in a range; exact: it is what was asked for. Prints a line for each check
 * that fails, and how many there were.
 */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "waits_time.h"

#define MS   MILLISECOND
#define WAIT (scale * 100 * MS) /* every wait */
#define AT   (scale * 30 * MS)  /* when it is interrupted */

static int64_t scale = 1;
static bool exact;
static int checks, failures;
static atomic_int handled;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    sem_t sem;
    uint32_t word;
    int pipe[2], pair[2], epoll, set;
    mqd_t queue;
    sigset_t usr2;
    struct timespec rest;
} has;

static int errno_of(long result)
{
    return result < 0 ? errno : 0;
}

static void expect(const char *name, const char *what, int64_t is, int64_t should)
{
    checks++;
    if (is == should)
        return;
    failures++;
    printf("%s: %s %lld, not %lld\n", name, what, (long long)is, (long long)should);
}

/* A time that a busy machine makes longer, natively. */
static void expect_time(const char *name, const char *what, int64_t is, int64_t should)
{
    expect(name, what, exact || is < should ? is : should, should);
}

/* WAY(name, result): one way to wait for WAIT; 0 or an errno. */
#define WAY(name, result)                                                                          \
    static int name(void)                                                                          \
    {                                                                                              \
        struct timespec relative = time_of(WAIT);                                                  \
        (void)relative;                                                                            \
        return result;                                                                             \
    }
#define UNTIL(name, clock, result)                                                                 \
    static int name(void)                                                                          \
    {                                                                                              \
        struct timespec deadline = time_of(now(clock) + WAIT);                                     \
        return result;                                                                             \
    }

WAY(by_nanosleep, errno_of(nanosleep(&relative, &has.rest)))
WAY(by_nanosleep_number, errno_of(syscall(SYS_nanosleep, &relative, &has.rest)))
WAY(by_clock, clock_nanosleep(CLOCK_MONOTONIC, 0, &relative, &has.rest))
UNTIL(by_deadline, CLOCK_MONOTONIC,
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, &has.rest))
WAY(by_usleep, errno_of(usleep(WAIT / 1000)))
WAY(by_poll,
    errno_of(poll(&(struct pollfd){.fd = has.pipe[0], .events = POLLIN}, 1, (int)(WAIT / MS))))
WAY(by_ppoll,
    errno_of(ppoll(&(struct pollfd){.fd = has.pipe[0], .events = POLLIN}, 1, &relative, NULL)))
WAY(by_select, errno_of(select(0, NULL, NULL, NULL, &(struct timeval){.tv_usec = WAIT / 1000})))
WAY(by_pselect, errno_of(pselect(0, NULL, NULL, NULL, &relative, NULL)))
WAY(by_epoll, errno_of(epoll_wait(has.epoll, &(struct epoll_event){0}, 1, WAIT / MS)))
WAY(by_sigtimedwait, errno_of(sigtimedwait(&has.usr2, NULL, &relative)))
WAY(by_semtimedop, errno_of(semtimedop(has.set, &(struct sembuf){.sem_op = -1}, 1, &relative)))
UNTIL(by_mq, CLOCK_REALTIME, errno_of(mq_timedreceive(has.queue, (char[8]){0}, 8, NULL, &deadline)))
WAY(by_rcvtimeo, errno_of(recv(has.pair[0], &(char){0}, 1, 0)))
WAY(by_futex, errno_of(syscall(SYS_futex, &has.word, 0, 0, &relative, NULL, 0)))
UNTIL(by_bitset, CLOCK_MONOTONIC,
      errno_of(syscall(SYS_futex, &has.word, 9, 0, &deadline, NULL, -1)))
UNTIL(by_sem, CLOCK_REALTIME, errno_of(sem_timedwait(&has.sem, &deadline)))

static int by_cond(void)
{
    struct timespec deadline = time_of(now(CLOCK_REALTIME) + WAIT);
    pthread_mutex_lock(&has.mutex);
    int error = pthread_cond_timedwait(&has.cond, &has.mutex, &deadline);
    pthread_mutex_unlock(&has.mutex);
    return error;
}

struct row {
    const char *name;
    int (*wait)(void);
    int out;       /* what its time-out returns */
    int signal;    /* what a handler makes of it, without SA_RESTART */
    int restarted; /* and with */
    int stopped;   /* and a stop, without any handler */
    bool has_rest;
};

#define OUT ETIMEDOUT

/* signal(7), "Interruption of system calls"; but a futex's wait that has a time-out never restarts
 * behind a handler. */
static const struct row rows[] = {
    {"nanosleep", by_nanosleep, 0, EINTR, EINTR, 0, true},
    {"nanosleep by number", by_nanosleep_number, 0, EINTR, EINTR, 0, true},
    {"clock_nanosleep", by_clock, 0, EINTR, EINTR, 0, true},
    {"clock_nanosleep to", by_deadline, 0, EINTR, EINTR, 0, false},
    {"usleep", by_usleep, 0, EINTR, EINTR, 0, false},
    {"poll", by_poll, 0, EINTR, EINTR, 0, false},
    {"ppoll", by_ppoll, 0, EINTR, EINTR, 0, false},
    {"select", by_select, 0, EINTR, EINTR, 0, false},
    {"pselect", by_pselect, 0, EINTR, EINTR, 0, false},
    {"epoll_wait", by_epoll, 0, EINTR, EINTR, EINTR, false},
    {"sigtimedwait", by_sigtimedwait, EAGAIN, EINTR, EINTR, EINTR, false},
    {"semtimedop", by_semtimedop, EAGAIN, EINTR, EINTR, EINTR, false},
    {"mq_timedreceive", by_mq, OUT, EINTR, OUT, OUT, false},
    {"SO_RCVTIMEO", by_rcvtimeo, EAGAIN, EINTR, EINTR, EINTR, false},
    {"FUTEX_WAIT", by_futex, OUT, EINTR, EINTR, OUT, false},
    {"FUTEX_WAIT_BITSET", by_bitset, OUT, EINTR, EINTR, OUT, false},
    {"sem_timedwait", by_sem, OUT, EINTR, EINTR, OUT, false},
    {"pthread_cond_timedwait", by_cond, OUT, OUT, OUT, OUT, false},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void count_signal(int signal_number)
{
    (void)signal_number;
    atomic_fetch_add(&handled, 1);
}

static void handle(int signal_number, int flags, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(signal_number, &action, NULL);
}

static void sleep_ns(int64_t ns)
{
    struct timespec ts = time_of(ns);
    while (nanosleep(&ts, &ts) != 0)
        ;
}

struct sender {
    pthread_t self, target;
    int signal_number;
};

static void *send_signal(void *argument)
{
    struct sender *sender = argument;
    sleep_ns(AT);
    pthread_kill(sender->target, sender->signal_number);
    return NULL;
}

/* A wait during which another thread sends a signal. */
static void interrupt(const struct row *row, const char *how, int signal_number, int ends)
{
    struct sender sender = {.target = pthread_self(), .signal_number = signal_number};
    char name[64];
    snprintf(name, sizeof(name), "%s, %s", row->name, how);
    has.rest = time_of(0);
    int64_t start = now(CLOCK_MONOTONIC);
    pthread_create(&sender.self, NULL, send_signal, &sender);
    int is = row->wait();
    int64_t took = now(CLOCK_MONOTONIC) - start;
    pthread_join(sender.self, NULL);
    expect(name, "returned", is, ends);
    expect_time(name, "took", took, ends == EINTR ? AT : WAIT);
    if (!row->has_rest || ends != EINTR)
        return;
    /* The kernel counts to the latest moment that its timer may go off: up to 50 us more. */
    int64_t rest = ns_of(&has.rest);
    expect(name, "rest", !exact && rest > 0 && rest <= WAIT - AT + MS ? WAIT - AT : rest,
           WAIT - AT);
}

static void check_signals(const struct row *row)
{
    atomic_store(&handled, 0);
    handle(SIGUSR1, 0, count_signal);
    interrupt(row, "handler", SIGUSR1, row->signal);
    handle(SIGUSR1, SA_RESTART, count_signal);
    interrupt(row, "SA_RESTART", SIGUSR1, row->restarted);
    expect(row->name, "handled", atomic_load(&handled), 2);
    handle(SIGUSR1, 0, SIG_IGN);
    interrupt(row, "ignored", SIGUSR1, row->out);
    interrupt(row, "default ignores", SIGWINCH, row->out);
}

/* A child is stopped in its wait, and goes on. What it returned and how long it took are shared. */
static struct seen {
    int result;
    int64_t took;
} * seen;

static int run_child(const struct row *row)
{
    int64_t start = now(CLOCK_MONOTONIC);
    seen->result = row->wait();
    seen->took = now(CLOCK_MONOTONIC) - start;
    return 0;
}

static void check_stop(const struct row *row)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(run_child(row));
    sleep_ns(AT);
    kill(child, SIGSTOP);
    expect(row->name, "stopped", waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status),
           1);
    sleep_ns(10 * MS);
    kill(child, SIGCONT);
    waitpid(child, &status, 0);
    expect(row->name, "status after a stop", status, 0);
    expect(row->name, "returned after a stop", seen->result, row->stopped);
    /* Natively the child began later than its creator. */
    int64_t least = row->stopped != EINTR ? WAIT : exact ? AT : 0;
    bool right = seen->took >= least && (!exact || seen->took <= WAIT);
    expect(row->name, "took with a stop", right ? least : seen->took, least);
}

/* Cancellation: what a thread waits in, whether its clean-up holds the mutex, and what it returns.
 */
static atomic_int cleaned;

static void clean_up(void *mutex)
{
    atomic_fetch_add(&cleaned, 1);
    if (mutex)
        pthread_mutex_unlock(mutex);
}

static void *cancelled_wait(void *argument)
{
    int (*wait)(void) = *(int (**)(void))argument;
    pthread_cleanup_push(clean_up, NULL);
    for (int i = 0; i < 50; i++)
        wait();
    pthread_cleanup_pop(0);
    return NULL;
}

static void *cancelled_cond(void *unused)
{
    struct timespec deadline = time_of(now(CLOCK_REALTIME) + 50 * WAIT);
    pthread_mutex_lock(&has.mutex);
    pthread_cleanup_push(clean_up, &has.mutex);
    while (pthread_cond_timedwait(&has.cond, &has.mutex, &deadline) == 0)
        ;
    pthread_cleanup_pop(1);
    return unused;
}

/* Deferred: it waits to the end, and is cancelled at the next point after it allows that. */
static void *cancelled_later(void *unused)
{
    int64_t start = now(CLOCK_MONOTONIC);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    sleep_ns(WAIT);
    expect_time("cancel disabled", "took", now(CLOCK_MONOTONIC) - start, WAIT);
    pthread_cleanup_push(clean_up, NULL);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    sleep_ns(50 * WAIT);
    pthread_cleanup_pop(0);
    return unused;
}

static void *cancelled_at_once(void *argument)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    return cancelled_wait(argument);
}

static void cancel(const char *name, void *(*run)(void *), void *argument, int64_t should_take)
{
    pthread_t thread;
    void *result = NULL;
    int64_t start = now(CLOCK_MONOTONIC);
    atomic_store(&cleaned, 0);
    pthread_create(&thread, NULL, run, argument);
    sleep_ns(AT);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    expect(name, "cancelled", result == PTHREAD_CANCELED, 1);
    expect(name, "cleaned up", atomic_load(&cleaned), 1);
    expect(name, "mutex", pthread_mutex_trylock(&has.mutex), 0);
    pthread_mutex_unlock(&has.mutex);
    expect_time(name, "took", now(CLOCK_MONOTONIC) - start, should_take);
}

static void check_cancel(void)
{
    static const struct {
        const char *name;
        int (*wait)(void);
    } points[] = {
        {"cancel nanosleep", by_nanosleep},
        {"cancel clock_nanosleep", by_deadline},
        {"cancel usleep", by_usleep},
        {"cancel poll", by_poll},
        {"cancel ppoll", by_ppoll},
        {"cancel select", by_select},
        {"cancel pselect", by_pselect},
        {"cancel epoll_wait", by_epoll},
        {"cancel sigtimedwait", by_sigtimedwait},
        {"cancel sem_timedwait", by_sem},
        {"cancel mq_timedreceive", by_mq},
        {"cancel recv", by_rcvtimeo},
    };
    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
        cancel(points[i].name, cancelled_wait, (void *)&points[i].wait, AT);
    cancel("cancel cond_timedwait", cancelled_cond, NULL, AT);
    cancel("cancel disabled", cancelled_later, NULL, WAIT);
    cancel("cancel asynchronously", cancelled_at_once, (void *)&points[0].wait, AT);
}

static void set_timer(int64_t first, int64_t interval)
{
    struct itimerval timer = {
        .it_value = {.tv_sec = first / SECOND, .tv_usec = first % SECOND / 1000},
        .it_interval = {.tv_sec = interval / SECOND, .tv_usec = interval % SECOND / 1000}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void check_timers(void)
{
    handle(SIGALRM, 0, count_signal);
    atomic_store(&handled, 0);
    int64_t start = now(CLOCK_MONOTONIC);
    set_timer(20 * MS, 0);
    expect("pause", "returned", errno_of(pause()), EINTR);
    expect_time("pause", "took", now(CLOCK_MONOTONIC) - start, 20 * MS);

    start = now(CLOCK_MONOTONIC);
    set_timer(20 * MS, 10 * MS);
    for (int i = 0; i < 4; i++)
        expect("interval", "returned", errno_of(pause()), EINTR);
    set_timer(0, 0);
    expect_time("interval", "took", now(CLOCK_MONOTONIC) - start, 50 * MS);
    expect("timers", "handled", atomic_load(&handled), 5);

    start = now(CLOCK_MONOTONIC);
    set_timer(20 * MS, 0);
    expect("timer and poll", "returned", by_poll(), EINTR);
    expect_time("timer and poll", "took", now(CLOCK_MONOTONIC) - start, 20 * MS);

    start = now(CLOCK_MONOTONIC);
    set_timer(300 * MS, 0);
    expect("timer and sleep", "left", sleep(3), 2); /* of 2.7 seconds */
    expect_time("timer and sleep", "took", now(CLOCK_MONOTONIC) - start, 300 * MS);

    start = now(CLOCK_MONOTONIC);
    alarm(1);
    expect("alarm and pause", "returned", errno_of(pause()), EINTR);
    expect_time("alarm and pause", "took", now(CLOCK_MONOTONIC) - start, SECOND);

    start = now(CLOCK_MONOTONIC);
    alarm(2);
    expect("alarm and nanosleep", "returned", by_nanosleep(), 0);
    expect("alarm and nanosleep", "left", alarm(0), 2);
    expect_time("alarm and nanosleep", "took", now(CLOCK_MONOTONIC) - start, WAIT);
}

/* A semaphore outlives who made it. */
static void give_up(int signal_number)
{
    semctl(has.set, 0, IPC_RMID);
    _exit(128 + signal_number);
}

static void set_up(void)
{
    struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = 8};
    struct timeval limit = {.tv_usec = WAIT / 1000};
    char name[64];
    snprintf(name, sizeof(name), "/waits_signals.%d", (int)getpid());
    pthread_mutex_init(&has.mutex, NULL);
    pthread_cond_init(&has.cond, NULL);
    sem_init(&has.sem, 0, 0);
    has.set = semget(IPC_PRIVATE, 1, 0600);
    signal(SIGTERM, give_up);
    has.queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &small);
    mq_unlink(name);
    has.epoll = epoll_create1(0);
    seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pipe(has.pipe) || socketpair(AF_UNIX, SOCK_DGRAM, 0, has.pair) || has.set < 0 ||
        has.queue == -1 || has.epoll < 0 || seen == MAP_FAILED ||
        setsockopt(has.pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit))) {
        printf("cannot set up: %s\n", strerror(errno));
        exit(1);
    }
    sigemptyset(&has.usr2);
    sigaddset(&has.usr2, SIGUSR2);
    sigprocmask(SIG_BLOCK, &has.usr2, NULL);
}

int main(int count, char **arguments)
{
    exact = count > 1 && strcmp(arguments[1], "exact") == 0;
    bool silent = count > 2 && strcmp(arguments[2], "silent") == 0;
    /* A busy machine is late, and without the shim the kernel ends some waits in real time. */
    scale = silent ? 4 : exact ? 1 : 3;
    setvbuf(stdout, NULL, _IOLBF, 0);
    set_up();
    for (size_t i = 0; i < ROWS; i++) {
        if (silent && rows[i].wait == by_rcvtimeo)
            continue; /* nobody knows of its time limit */
        check_signals(&rows[i]);
        check_stop(&rows[i]);
    }
    check_cancel();
    check_timers();
    semctl(has.set, 0, IPC_RMID);
    printf("checks %d failures %d\n", checks, failures);
    return failures != 0;
}
