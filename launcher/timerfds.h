/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Descriptors of timers (timerfd). The kernel's is never armed: at each expiry the supervisor,
 * which keeps a copy while there is one to come, makes it readable. So poll, epoll and read need no
 * help.
 */
#ifndef DETRUN_LAUNCHER_TIMERFDS_H
#define DETRUN_LAUNCHER_TIMERFDS_H

#include "supervisor.h"

/** A descriptor of the asking thread's. @return our copy, or -errno */
int timerfds_copy(const struct question *q, int fd);
/** The clock it was made for; -1: not known. */
int timerfds_clock(int copy);
/** The armed timer behind the same open file. NULL: none */
struct supervisor_timer *timerfds_find(struct supervisor *s, int copy);

/** So many expiries more wait to be read. */
void timerfds_tick(const struct supervisor_timer *t, uint64_t expiries);
bool timerfds_unread(const struct supervisor_timer *t);

/** Another supervisor's copy is gone with it. @return false: so is the descriptor */
bool timerfds_open_again(struct supervisor_timer *t, int32_t pid);

/** Does a process of the job have it open still? The timer is then that one's. */
bool timerfds_find_holder(struct supervisor *s, struct supervisor_timer *t);

#endif
