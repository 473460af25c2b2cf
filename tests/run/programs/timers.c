/* SPDX-License-Identifier: MIT */
/*
 * timers shared|static [FILE]: timers of every kind, some of hours; with a file, two that are made
 * before it is there and awaited after. Each line begins with the seconds since the start.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static struct timespec start;

static struct timespec now_of(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return now;
}

static long ms_since_start(void)
{
    struct timespec now = now_of(CLOCK_MONOTONIC);
    return (now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000;
}

static void say(const char *what, long value)
{
    printf("%ld.%03ld %s %ld\n", ms_since_start() / 1000, ms_since_start() % 1000, what, value);
}

static volatile sig_atomic_t rings;

static void ring(int number)
{
    (void)number;
    rings++;
}

static struct itimerspec seconds(time_t value, time_t interval)
{
    return (struct itimerspec){.it_value.tv_sec = value, .it_interval.tv_sec = interval};
}

static void nap(int s)
{
    if (poll(NULL, 0, s * 1000) != 0)
        say("nap", errno == EINTR);
}

static void alarms(void)
{
    say("alarm", alarm(3600));
    pause();
    say("pause", rings);
    alarm(100);
    say("again", alarm(10));
    nap(1000);
    say("left", alarm(0));
}

/* Without the shim a sleep takes its time. */
static void sleeps(void)
{
    alarm(10);
    say("rest", sleep(1000));
    alarm(1000);
    say("rest", sleep(10));
    alarm(0);
}

static void ticks(void)
{
    struct itimerval every = {.it_value.tv_sec = 60, .it_interval.tv_sec = 60};
    struct itimerval off = {.it_value.tv_sec = 0};
    rings = 0;
    setitimer(ITIMER_REAL, &every, NULL);
    while (rings < 10)
        nap(100000);
    setitimer(ITIMER_REAL, &off, NULL);
    say("ticks", rings);
}

static timer_t make(clockid_t id, struct sigevent event)
{
    timer_t timer = NULL;
    if (timer_create(id, &event, &timer) != 0)
        say("timer_create", errno);
    return timer;
}

static void set(timer_t timer, struct itimerspec spec)
{
    if (timer_settime(timer, 0, &spec, NULL) != 0)
        say("timer_settime", errno);
}

static void take(sigset_t *set)
{
    siginfo_t info;
    int number = sigwaitinfo(set, &info);
    say(number == SIGUSR1 ? "signal 1" : "signal 2", info.si_value.sival_int);
}

static void signals(void)
{
    struct sigevent one = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct sigevent two = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
    sigset_t set_of_both;
    one.sigev_value.sival_int = 1;
    two.sigev_value.sival_int = 2;
    timer_t first = make(CLOCK_MONOTONIC, one);
    timer_t second = make(CLOCK_REALTIME, two);
    sigemptyset(&set_of_both);
    sigaddset(&set_of_both, SIGUSR1);
    sigaddset(&set_of_both, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set_of_both, NULL);
    set(first, seconds(20, 20));
    set(second, seconds(30, 30));
    for (int i = 0; i < 8; i++)
        take(&set_of_both);
    set(second, seconds(0, 0));
    nap(90);
    take(&set_of_both);
    say("overrun", timer_getoverrun(first));
    timer_delete(first);
    timer_delete(second);
}

static sem_t called;
static sem_t told;
static pid_t other;

static void call(union sigval value)
{
    say("called", value.sival_int);
    sem_post(&called);
}

static void calls(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 3};
    event.sigev_notify_function = call;
    timer_t timer = make(CLOCK_MONOTONIC, event);
    set(timer, seconds(1800, 100));
    for (int i = 0; i < 3; i++)
        sem_wait(&called);
    timer_delete(timer);
}

static void *take_in_thread(void *argument)
{
    sigset_t set_of_one;
    sigemptyset(&set_of_one);
    sigaddset(&set_of_one, SIGUSR1);
    other = gettid();
    sem_post(&told);
    take(&set_of_one);
    return argument;
}

static void in_thread(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    pthread_t thread;
    pthread_create(&thread, NULL, take_in_thread, NULL);
    sem_wait(&told);
    event.sigev_notify_thread_id = other;
    event.sigev_value.sival_int = 4;
    timer_t timer = make(CLOCK_BOOTTIME, event);
    set(timer, seconds(500, 0));
    pthread_join(thread, NULL);
    timer_delete(timer);
}

static void silent(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    struct itimerspec left;
    timer_t timer = make(CLOCK_MONOTONIC, event);
    set(timer, seconds(100, 0));
    nap(40);
    timer_gettime(timer, &left);
    say("silent", left.it_value.tv_sec);
    nap(100);
    timer_gettime(timer, &left);
    say("silent", left.it_value.tv_sec);
    timer_delete(timer);
}

static long read_count(int fd)
{
    uint64_t count = 0;
    return read(fd, &count, sizeof(count)) == sizeof(count) ? (long)count : -errno;
}

static void descriptors(void)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec spec = seconds(600, 60);
    struct pollfd pollfd = {.fd = fd, .events = POLLIN};
    timerfd_settime(fd, 0, &spec, NULL);
    say("poll", poll(&pollfd, 1, 500000));
    say("poll", poll(&pollfd, 1, -1));
    say("read", read_count(fd));
    say("read", read_count(fd));
    nap(600);
    say("read", read_count(fd));
    timerfd_gettime(fd, &spec);
    say("left", spec.it_value.tv_sec);
    close(fd);
    nap(1000);
}

static void absolute(clockid_t id)
{
    int fd = timerfd_create(id, 0);
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u32 = 5};
    struct itimerspec spec = {.it_value = now_of(id), .it_interval.tv_sec = 7};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    spec.it_value.tv_sec += 7200;
    timerfd_settime(fd, TFD_TIMER_ABSTIME, &spec, NULL);
    for (int i = 0; i < 3; i++) {
        say("epoll", epoll_wait(epoll, &event, 1, -1));
        say("read", read_count(fd));
    }
    close(fd);
    close(epoll);
}

/* Timers of three processes; at 12 both of the children's. */
static void processes(void)
{
    static const time_t times[2][3] = {{4, 8, 12}, {5, 7, 12}};
    for (int child = 0; child < 2; child++) {
        if (fork() != 0)
            continue;
        for (int i = 0; i < 3; i++) {
            alarm((unsigned)(times[child][i] - (i ? times[child][i - 1] : 0)));
            pause();
            say(child ? "second" : "first", i);
        }
        _exit(0);
    }
    alarm(6);
    pause();
    say("parent", 0);
    while (wait(NULL) > 0)
        ;
}

/* Computes until the file is there, and only then waits. */
static void outlive(const char *file)
{
    struct itimerspec spec = seconds(7200, 0);
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(fd, 0, &spec, NULL);
    alarm(3600);
    printf("armed\n");
    while (access(file, F_OK) != 0)
        ;
    pause();
    say("pause", rings);
    say("read", read_count(fd));
}

int main(int count, char **arguments)
{
    struct sigaction action = {.sa_handler = ring};
    sigaction(SIGALRM, &action, NULL);
    start = now_of(CLOCK_MONOTONIC);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (count > 2) {
        outlive(arguments[2]);
        return 0;
    }
    sem_init(&called, 0, 0);
    sem_init(&told, 0, 0);
    printf("r start %ld\n", start.tv_nsec);
    alarms();
    ticks();
    signals();
    calls();
    in_thread();
    silent();
    descriptors();
    absolute(CLOCK_MONOTONIC);
    absolute(CLOCK_REALTIME);
    processes();
    if (count > 1 && strcmp(arguments[1], "shared") == 0)
        sleeps();
    return 0;
}
