/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timers on the job's time: the kernel never sees them. The keeper moves time to the one that is
 * first; then its signal is sent, or its descriptor becomes readable, as the kernel would do it.
 *
 * A timer whose last expiry nobody has taken yet (its signal is pending or ignored, its descriptor
 * not read) is nothing to wait for: its expiries are counted when time has moved for others.
 * Likewise one that tells nobody (SIGEV_NONE).
 */
#ifndef DETRUN_LAUNCHER_TIMERS_H
#define DETRUN_LAUNCHER_TIMERS_H

#include "supervisor.h"

/**
 * Room for them that lives on when a supervisor dies, so that the next one has them.
 * @return never NULL
 */
struct supervisor_timers *timers_open(void);
/** What another supervisor had. */
void timers_recover(struct supervisor *s);

/** What a program asks a timer for. */
struct timer_setting {
    int64_t value_ns; /**< 0: disarm */
    uint64_t interval_ns;
    bool absolute; /**< on the clock of the timer's family */
};

/** Are timers the kernel's in this job? */
bool timers_are_real(const struct question *q);
/** One is left to the kernel, and counted. */
long timers_leave(const struct question *q);

/** Of the asking process. @return NULL: none */
struct supervisor_timer *timers_find(const struct question *q, enum supervisor_timer_kind kind,
                                     int32_t id);
/** A new one of the asking process, disarmed. @return NULL: no room, or its pid is not known */
struct supervisor_timer *timers_add(const struct question *q, enum supervisor_timer_kind kind,
                                    int32_t id, enum detrun_family family);
void timers_drop(struct supervisor *s, struct supervisor_timer *t);

/** Settled before. What has passed already expires before the asking thread goes on. */
void timers_arm(const struct question *q, struct supervisor_timer *t,
                const struct timer_setting *setting);
/** How long to the next expiry as the asking thread sees it; at most 0: it is under way. */
int64_t timers_left(const struct question *q, const struct supervisor_timer *t);

/** Count what expired while the last expiry had not been taken. Before its state is looked at. */
void timers_settle(struct supervisor_timer *t);

/** Does somebody wait for it? */
bool timers_are_awaited(struct supervisor_timer *t);
/** Is any armed that may be awaited at another time? */
bool timers_are_armed(const struct supervisor *s);
uint64_t timers_due_ns(const struct supervisor_timer *t);
/** Its turn has come: job time is at its target (in_turn), or others compute for ever. */
void timers_expire(struct supervisor *s, struct supervisor_timer *t, bool in_turn);
/** Does it still belong to somebody? If not it is dropped. */
bool timers_are_alive(struct supervisor *s, struct supervisor_timer *t);
/** Job time has moved. */
void timers_moved(struct supervisor *s, const struct supervisor_job *job);

/** The first thread of the timer's process. */
struct detrun_task *timers_process(const struct supervisor_timer *t);

/** The process has another image: POSIX timers go, the others stay. */
void timers_forget_image(const struct question *q);
void timers_forget_dead(struct supervisor *s);
void timers_forget_job(struct supervisor *s, const struct supervisor_job *job);

#endif
