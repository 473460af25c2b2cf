/* SPDX-License-Identifier: MIT */
/* Calls that no signal ends, under a storm of signals whose handler does not ask for them to be
 * restarted: none fails with EINTR, whatever stands behind it here. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>

#include "storm.h"

static void ask(void)
{
    CHECK(getpid() > 0);
}

static void clocks(void)
{
    struct timespec ts;
    struct timeval tv;
    struct sysinfo info;
    struct rusage usage;
    CHECK(clock_gettime(CLOCK_REALTIME, &ts) == 0 && clock_gettime(CLOCK_MONOTONIC, &ts) == 0);
    CHECK(clock_getres(CLOCK_MONOTONIC, &ts) == 0 && gettimeofday(&tv, NULL) == 0);
    CHECK(time(NULL) > 0 && clock() != (clock_t)-1 && times(&(struct tms){0}) != (clock_t)-1);
    CHECK(sysinfo(&info) == 0 && getrusage(RUSAGE_SELF, &usage) == 0);
}

static void ids(void)
{
    CHECK(getpid() > 0 && gettid() > 0 && getppid() >= 0 && getpgid(0) >= 0 && getsid(0) >= 0);
    CHECK(kill(getpid(), 0) == 0);
}

static void files(void)
{
    struct stat st;
    char bytes[64];
    int fd = open("/dev/urandom", O_RDONLY);
    CHECK(fd >= 0 && read(fd, bytes, sizeof(bytes)) == sizeof(bytes) && fstat(fd, &st) == 0);
    CHECK(close(fd) == 0 && stat("/dev/urandom", &st) == 0 && access("/dev/urandom", R_OK) == 0);
    fd = open("/proc/self/stat", O_RDONLY);
    CHECK(fd >= 0 && read(fd, bytes, sizeof(bytes)) > 0 && close(fd) == 0);
}

static void *in_thread(void *argument)
{
    CHECK(time(NULL) > 0);
    return argument;
}

static void threads(void)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, in_thread, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

static void forks(void)
{
    int status;
    pid_t pid = fork();
    if (pid == 0)
        _exit(getpid() > 0 && time(NULL) > 0 ? 3 : 4);
    CHECK(pid > 0);
    while (waitpid(pid, &status, 0) != pid)
        CHECK(errno == EINTR);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

int main(void)
{
    storm_begin(ask, 300);
    handle(SIGALRM, storm_handler, 0);
    for (int i = 0; storm_signals < 300; i++) {
        clocks();
        ids();
        files();
        CHECK(getentropy(&(char[16]){0}, 16) == 0);
        if (i % 20 == 0)
            threads();
        if (i % 20 == 10)
            forks();
    }
    storm_end();
    return guest_end();
}
