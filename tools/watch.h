/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The ends of runs and the signals that interrupt them, heard in one place: none of them is missed
 * between a look and a wait.
 */
#ifndef DETRUN_TOOLS_WATCH_H
#define DETRUN_TOOLS_WATCH_H

#include <sys/types.h>

/** From now on INT, TERM and HUP end nothing by themselves, and a broken pipe is an error. */
void watch_begin(void);

/** In a process that is to become something else: signals as they were before watch_begin(). */
void watch_give_back(void);

/** Which signal has interrupted us? 0: none */
int watch_interrupted(void);

/**
 * Wait for the end of a child, or an interruption.
 * @param pid  -1: of any
 * @return its pid; 0: interrupted, now or before; -1: there is no such child
 */
pid_t watch_wait(pid_t pid, int *status);

/** Die of the signal, if there was one. */
void watch_die(void);

#endif
