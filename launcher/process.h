/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What /proc says about a process.
 */
#ifndef DETRUN_LAUNCHER_PROCESS_H
#define DETRUN_LAUNCHER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

struct process_ids {
    int32_t tgid;
    int32_t ppid;
};

/** @return 0 or -errno */
int process_ids(int32_t tid, struct process_ids *ids);

/** Field 22 of stat: clock ticks from boot to its start; 0 when it is gone. */
uint64_t process_start_time(int32_t pid);

/** Field 28 of stat: where the stack of its image began, with the number of arguments; 0: not
 * known.
 */
uint64_t process_stack_start(int32_t pid);

/** What personality(2) says of it; -1: not known. */
long process_personality(int32_t pid);

/** Does /proc number processes as this one is numbered? Not in a pid namespace without a /proc of
 *  its own: what is found there under a number is another process. */
bool process_has_own_proc(void);

/** Is there such a process that has not ended? (One that its parent has not reaped has.) */
bool process_is_alive(int32_t pid);

/** Field 3 of stat: R, S, D, T, Z, ...; 0 when it is gone, or there is no /proc. */
char process_state(int32_t pid);

/** Has it more than one thread? */
bool process_is_threaded(int32_t pid);

/** Where a thread is in the kernel, proc_pid_syscall(5). */
struct process_call {
    long number; /**< -1: in no system call */
    uint64_t args[6];
    uint64_t stack; /**< its stack pointer */
};

/** @return 0; -EAGAIN: it runs; else -errno */
int process_call(int32_t tid, struct process_call *call);

/** Is it on a processor, or about to be, whatever its state says? In wait4, for one, a thread that
 * reaps a child is in state S. No also where that may not be asked. */
bool process_is_running(int32_t tid);

/** Thread ids, in ascending order of the directory. @return how many */
unsigned process_threads(int32_t pid, int32_t *tids, unsigned room);

/** Children of one thread, in the order of their birth where there are few. @return how many */
unsigned process_children(int32_t pid, int32_t tid, int32_t *children, unsigned room);

/** Switches of context of a thread, of both kinds. */
uint64_t process_switches(int32_t tid);

/** The same, and the thread's state at that time, see process_state(). */
char process_state_at(int32_t tid, uint64_t *switches);

/** Add a thread and what it had done to a mark of several; 0: of none. */
uint64_t process_mark(uint64_t mark, int32_t tid, uint64_t switches);

enum process_signal {
    PROCESS_SIGNAL_NONE,
    PROCESS_SIGNAL_SURE,  /**< this thread takes it, no other */
    PROCESS_SIGNAL_MAYBE, /**< another thread may take it first */
};

struct process_interruption {
    enum process_signal signal;
    bool handled; /**< one of them has a handler; without, the thread stops, or dies */
    bool gone;    /**< there is no such thread, as far as can be seen */
};

/** Is a signal pending that the thread does not block, or does its process stop? */
struct process_interruption process_interruption(int32_t tid, bool or_stop);

/** A number of /proc/<tid>/status, by the name with its colon. @return 0 when it is not there. */
uint64_t process_status(int32_t tid, const char *name, int base);

#endif
