/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The command was stopped: so is the launcher, for its caller to see.
 */
#ifndef DETRUN_LAUNCHER_STOPPED_H
#define DETRUN_LAUNCHER_STOPPED_H

#include <sys/types.h>

/**
 * Start a process that continues the calling one, once that has stopped and its command has not, or
 * not any longer: whoever stops the command alone may continue or kill it alone.
 * @return its pid, or -1
 */
pid_t stopped_watch(pid_t command);

/** The calling process goes on: end the watching one, and continue the command if it is stopped. */
void stopped_no_more(pid_t watch, pid_t command);

#endif
