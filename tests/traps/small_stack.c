/* SPDX-License-Identifier: MIT */
/* Handlers on the smallest alternate stack, and threads on the smallest stack, ask for everything:
 * the frames below still fit. */
#include <limits.h>
#include <pthread.h>
#include <sys/auxv.h>

#include "trap.h"

#define EDGE 4096

static volatile sig_atomic_t done;
static struct block blocks[2];
static struct timespec ts;
static pid_t own_pid;

static void ask(int number)
{
    (void)number;
    done = clock_gettime(CLOCK_MONOTONIC, &ts) == 0 && getpid() == own_pid && time(NULL) > 0 &&
           getrandom(&blocks[0], sizeof(*blocks), 0) == sizeof(*blocks) &&
           syscall(SYS_getrandom, &blocks[1], sizeof(*blocks), 0) == sizeof(*blocks);
}

static void ask_info(int number, siginfo_t *info, void *context)
{
    if (info && context)
        ask(number);
}

/* The kernel's least, of which its own frame takes most; below it nothing may be written. */
static void on_alternate_stack(bool with_info)
{
    unsigned long least = getauxval(AT_MINSIGSTKSZ);
    size_t size = (least > (size_t)MINSIGSTKSZ ? least : (size_t)MINSIGSTKSZ) + 2048;
    char *pages = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED && size < 65536 - EDGE);
    memset(pages, 0x5a, 65536);
    stack_t stack = {.ss_sp = pages + EDGE, .ss_size = size};
    struct sigaction action = {.sa_flags = SA_ONSTACK | (with_info ? SA_SIGINFO : 0)};
    if (with_info)
        action.sa_sigaction = ask_info;
    else
        action.sa_handler = ask;
    CHECK(sigaltstack(&stack, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0);
    done = 0;
    CHECK(raise(SIGUSR1) == 0 && done);
    for (int i = 0; i < EDGE; i++)
        CHECK(pages[i] == 0x5a);
    check_distinct(blocks, 2);
    stack.ss_flags = SS_DISABLE;
    CHECK(sigaltstack(&stack, NULL) == 0);
}

static void *as_thread(void *argument)
{
    struct timespec ms = {0, 1000000};
    ask(0);
    CHECK(nanosleep(&ms, NULL) == 0);
    return argument;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    own_pid = getpid();
    on_alternate_stack(false);
    on_alternate_stack(true);
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN) == 0);
    done = 0;
    CHECK(pthread_create(&thread, &attributes, as_thread, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0 && done);
    return guest_end();
}
