/* SPDX-License-Identifier: MIT */
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "guest.h"
#include "real.h"

#define STATE_NAME       "\nState:\t"
#define STATE_FIELD      3
#define START_TIME_FIELD 22
#define STACK_FIELD      28

/* A name of more than one line cannot be: the kernel escapes newlines in "Name:". */
static uint64_t number_after(const char *text, const char *name, int base)
{
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, base) : 0;
}

int process_ids(int32_t tid, struct process_ids *ids)
{
    char text[512];
    long n = guest_read_file(tid, "status", text, sizeof(text) - 1);
    if (n < 0)
        return (int)n;
    text[n] = '\0';
    ids->tgid = (int32_t)number_after(text, "\nTgid:", 10);
    ids->ppid = (int32_t)number_after(text, "\nPPid:", 10);
    return ids->tgid > 0 ? 0 : -ESRCH;
}

uint64_t process_status(int32_t tid, const char *name, int base)
{
    char text[4096];
    long n = guest_read_file(tid, "status", text, sizeof(text) - 1);
    text[n > 0 ? n : 0] = '\0';
    return number_after(text, name, base);
}

/* A signal to a process goes to its first thread, if that lets it in (complete_signal, kernel/
 * signal.c). */
static enum process_signal taken_by_another(int32_t leader, uint64_t shared)
{
    char text[4096];
    long n = guest_read_file(leader, "status", text, sizeof(text) - 1);
    text[n > 0 ? n : 0] = '\0';
    bool ended = n <= 0 || strstr(text, STATE_NAME "Z") != NULL;
    return !ended && (shared & ~number_after(text, "\nSigBlk:", 16)) ? PROCESS_SIGNAL_NONE
                                                                     : PROCESS_SIGNAL_MAYBE;
}

/* Of a stop all threads are told, but only the one that took the signal shows it. */
static struct process_interruption interruption_by_stop(int32_t tid, int32_t leader)
{
    bool stops = leader != tid && process_state(leader) == 'T';
    return (struct process_interruption){.signal =
                                             stops ? PROCESS_SIGNAL_SURE : PROCESS_SIGNAL_NONE};
}

struct process_interruption process_interruption(int32_t tid, bool or_stop)
{
    char text[4096];
    long n = guest_read_file(tid, "status", text, sizeof(text) - 1);
    text[n > 0 ? n : 0] = '\0';
    if (n <= 0 || strstr(text, STATE_NAME "Z"))
        return (struct process_interruption){.gone = true};
    int32_t leader = (int32_t)number_after(text, "\nTgid:", 10);
    uint64_t open = ~number_after(text, "\nSigBlk:", 16);
    uint64_t own = number_after(text, "\nSigPnd:", 16) & open;
    uint64_t shared = number_after(text, "\nShdPnd:", 16) & open;
    bool handled = ((own | shared) & number_after(text, "\nSigCgt:", 16)) != 0;
    if (own || (shared && leader == tid))
        return (struct process_interruption){.signal = PROCESS_SIGNAL_SURE, .handled = handled};
    enum process_signal signal =
        shared && handled ? taken_by_another(leader, shared) : PROCESS_SIGNAL_NONE;
    if (signal || !or_stop)
        return (struct process_interruption){.signal = signal, .handled = handled};
    return interruption_by_stop(tid, leader);
}

bool process_has_own_proc(void)
{
    char link[16];
    ssize_t n = readlink("/proc/self", link, sizeof(link) - 1);
    link[n > 0 ? n : 0] = '\0';
    return n <= 0 || atoi(link) == real_getpid();
}

/* The name of the program, field 2, may hold blanks and parentheses. */
static const char *find_field_in(int32_t pid, const char *file, int number, char *text, size_t room)
{
    long n = guest_read_file(pid, file, text, room - 1);
    text[n > 0 ? n : 0] = '\0';
    char *at = strrchr(text, ')');
    for (int field = 2; at && field < number; field++)
        at = strchr(at + 1, ' ');
    return at;
}

static const char *find_field(int32_t pid, int number, char *text, size_t room)
{
    return find_field_in(pid, "stat", number, text, room);
}

bool process_is_alive(int32_t pid)
{
    char state = process_state(pid);
    return state && !strchr("ZX", state);
}

static uint64_t number_in_field(int32_t pid, int number)
{
    char text[512];
    const char *at = find_field(pid, number, text, sizeof(text));
    return at ? strtoull(at, NULL, 10) : 0;
}

uint64_t process_start_time(int32_t pid)
{
    return number_in_field(pid, START_TIME_FIELD);
}

uint64_t process_stack_start(int32_t pid)
{
    return number_in_field(pid, STACK_FIELD);
}

long process_personality(int32_t pid)
{
    char text[32];
    long n = guest_read_file(pid, "personality", text, sizeof(text) - 1);
    if (n <= 0)
        return -1;
    text[n] = '\0';
    return (long)strtoul(text, NULL, 16);
}

/* Of the thread alone: for /proc/<pid>/stat the kernel adds up all threads of its process. */
char process_state(int32_t pid)
{
    char text[512];
    char file[32];
    snprintf(file, sizeof(file), "task/%d/stat", pid);
    const char *at = find_field_in(pid, file, STATE_FIELD, text, sizeof(text));
    if (!at)
        return '\0';
    return at[1];
}

/* Each thread has a folder. */
/* In a call: number, six arguments, stack pointer, program counter; asleep in none: -1 and the last
 * two. */
int process_call(int32_t tid, struct process_call *call)
{
    char text[256];
    char *end;
    long n = guest_read_file(tid, "syscall", text, sizeof(text) - 1);
    text[n > 0 ? n : 0] = '\0';
    call->number = strtol(text, &end, 10);
    if (end == text)
        return n < 0 ? (int)n : text[0] == 'r' ? -EAGAIN : -ESRCH;
    for (int i = 0; i < 6 && call->number >= 0; i++)
        call->args[i] = strtoull(end, &end, 16);
    call->stack = strtoull(end, NULL, 16);
    return 0;
}

bool process_is_running(int32_t tid)
{
    struct process_call call;
    return process_call(tid, &call) == -EAGAIN;
}

unsigned process_children(int32_t pid, int32_t tid, int32_t *children, unsigned room)
{
    char name[48];
    char text[8192];
    snprintf(name, sizeof(name), "task/%d/children", tid);
    long n = guest_read_file(pid, name, text, sizeof(text) - 1);
    text[n > 0 ? n : 0] = '\0';
    unsigned count = 0;
    for (char *word = strtok(text, " "); word && count < room; word = strtok(NULL, " "))
        children[count++] = (int32_t)atoi(word);
    return count;
}

char process_state_at(int32_t tid, uint64_t *switches)
{
    char text[4096];
    long n = guest_read_file(tid, "status", text, sizeof(text) - 1);
    text[n > 0 ? n : 0] = '\0';
    const char *state = strstr(text, STATE_NAME);
    *switches = number_after(text, "\nvoluntary_ctxt_switches:", 10) +
                number_after(text, "\nnonvoluntary_ctxt_switches:", 10);
    if (!state)
        return '\0';
    return state[strlen(STATE_NAME)];
}

uint64_t process_switches(int32_t tid)
{
    uint64_t switches;
    process_state_at(tid, &switches);
    return switches;
}

uint64_t process_mark(uint64_t mark, int32_t tid, uint64_t switches)
{
    return (mark ^ (uint64_t)(uint32_t)tid << 40 ^ switches) * UINT64_C(0x9e3779b97f4a7c15);
}

bool process_is_threaded(int32_t pid)
{
    char path[32];
    struct stat status;
    snprintf(path, sizeof(path), "/proc/%d/task", pid);
    return stat(path, &status) == 0 && status.st_nlink > 2 + 1;
}

unsigned process_threads(int32_t pid, int32_t *tids, unsigned room)
{
    char path[32];
    snprintf(path, sizeof(path), "/proc/%d/task", pid);
    AUTO_CLOSEDIR DIR *dir = opendir(path);
    unsigned count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.' && count < room)
            tids[count++] = (int32_t)atoi(entry->d_name);
    return count;
}
