/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Calls that take a pid: what holds for each of them, natively and with virtual ids.
 */
#ifndef DETRUN_GUEST_IDS_H
#define DETRUN_GUEST_IDS_H

#include "guest_child.h"

/** A libc call's result as a value or -errno. */
#define result_of(call) ((errno = 0, (call)) == -1 && errno != 0 ? -(long)errno : 0L)

/** What a call says of a process, in one number; or -errno. */
typedef long (*asked_of)(pid_t pid);

/** Nobody and the dead are ESRCH: for calls that may be refused for other reasons, see refused. */
static inline void check_gone(asked_of ask, pid_t gone, long refused)
{
    long answer = ask(gone);
    CHECK(answer == -ESRCH || (refused < 0 && answer == refused));
}

/** One answer for the process itself, by 0 and by its id, and for a child that is like it. */
static inline void check_takes_pid(asked_of ask)
{
    pid_t child = child_that_waits();
    long own = ask(0);
    CHECK(own != -ESRCH);
    CHECK(ask(getpid()) == own);
    CHECK(ask(child) == own);
    CHECK(kill(child, SIGKILL) == 0);
    CHECK(waitpid(child, NULL, 0) == child);
    check_gone(ask, child, own);
    check_gone(ask, 999999999, own);
}

/**
 * By bare instruction: the kernel's own ids always; virtual ones where the supervisor can act for
 * the program (does_act), else ESRCH.
 */
static inline void check_instruction(asked_of ask, bool does_act)
{
    long own = ask(0);
    if (!answered(BY_INSTRUCTION))
        return;
    CHECK(ask(getpid()) == (does_act || !under_detrun() ? own : -ESRCH));
    check_gone(ask, 999999999, own);
}

#endif
