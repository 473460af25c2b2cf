/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The supervisor: answers the calls that the filter sends it, from the same core as the shim.
 *
 * One process, one loop, one request at a time; it never waits for one guest. Its state is in the
 * job memory: a request is received into shared.inflight[] and its slot zeroed after the answer,
 * so that another supervisor can go on after a SIGKILL.
 *
 * Detruns inside the job have jobs of their own, with a memory each; who asks is found by its real
 * thread id in one of them. Requests in flight are in the outermost job's memory.
 */
#ifndef DETRUN_LAUNCHER_SUPERVISOR_H
#define DETRUN_LAUNCHER_SUPERVISOR_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "detrun/abi.h"
#include "detrun/calls_doors.h"

/** What an answer function returns besides a value or -errno. */
#define ANSWER_CONTINUE LONG_MIN       /**< let the call through */
#define ANSWER_HELD     (LONG_MIN + 1) /**< later: it is in the list of held requests */
#define ANSWER_SENT     (LONG_MIN + 2) /**< the answer is already on its way */

/** A request whose answer waits for a time or for a word of the guest's memory to change. */
struct supervisor_hold {
    bool active;
    bool nap;       /**< a scheduler's own, for no time of the job's */
    bool passes_on; /**< when the word changes the kernel goes on with the call (PI locks) */
    uint32_t expected;
    uint64_t word;       /**< address of a futex, 0: only the time counts */
    unsigned words;      /**< not 0: `word` is the address of so many struct futex_waitv */
    short events;        /**< not 0: of `fd`, with which the kernel goes on */
    int fd;              /**< our copy of what the guest waits for */
    uint64_t until_ns;   /**< real CLOCK_MONOTONIC */
    int64_t deadline_ns; /**< on the virtual clock of that family */
    enum detrun_family family;
    uint64_t target;  /**< the same as job time */
    long at_deadline; /**< the answer when the time is up */
    long restarts;    /**< the kernel's code for a wait that a signal ended */
    bool relative;    /**< begun anew it goes on, and what is left is told at `rest` */
    uint64_t rest;
    enum detrun_source source;
    uint64_t next_signal_check_ns;
    bool childless;             /**< its thread was seen to have no child that is not known */
    struct supervisor_job *job; /**< of who asked */
};

/** A timed wait of an image without shim that the kernel does: its end shows at the next call. */
struct supervisor_wait {
    int32_t tid;         /**< 0: free */
    int number;          /**< of the system call */
    uint64_t started_ns; /**< real */
    uint64_t timeout_ns;
    int64_t deadline_ns; /**< on the virtual monotonic clock */
    uint64_t target;     /**< job time at which the time-out runs out */
    bool resumes;        /**< none: a held sleep that the kernel begins anew, until deadline_ns */
    uint64_t rest; /**< not 0: of 16 bytes in which the kernel says what is left of the time */
};

enum supervisor_timer_kind {
    TIMER_FREE,
    TIMER_INTERVAL,   /**< setitimer(ITIMER_REAL), alarm */
    TIMER_POSIX,      /**< timer_create */
    TIMER_DESCRIPTOR, /**< timerfd */
};

/** A timer on the job's time: see timers.h. */
struct supervisor_timer {
    enum supervisor_timer_kind kind;
    struct supervisor_job *job;
    uint32_t process; /**< index of its record, and that one's nonce */
    uint32_t nonce;
    int32_t id; /**< POSIX: what the program knows it by; DESCRIPTOR: a number it has there */
    enum detrun_family family;

    bool armed;
    uint64_t target;     /**< job time of the next expiry */
    int64_t deadline_ns; /**< the same on the clock of that family */
    uint64_t due_ns;     /**< the same in real time */
    uint64_t interval_ns;

    int notify; /**< SIGEV_..., of signals */
    int signal;
    int32_t tid; /**< the thread that is to get it; 0: the process */
    uint64_t value;
    bool sent;   /**< and perhaps not taken yet */
    int overrun; /**< expiries that came while the last signal had not been taken */

    int fd; /**< DESCRIPTOR: our copy */
};

#define SUPERVISOR_TIMERS 4096

struct supervisor_timers {
    unsigned end; /**< behind the last one in use */
    struct supervisor_timer all[SUPERVISOR_TIMERS];
};

#define SUPERVISOR_WAITS 1024 /**< power of two; a full bucket forgets the older wait */

/** A thread that goes under its process's record. */
struct supervisor_alias {
    int32_t pid;
    int32_t tid;
    uint32_t index;
    struct supervisor_job *job;
};

#define SUPERVISOR_ALIASES 8192

/** The outermost job, or one inside it. */
struct supervisor_job {
    struct detrun_memory *memory; /**< NULL: free */
    int memory_fd;
    struct supervisor_job *outer; /**< NULL for the outermost */
    int32_t launcher;             /**< real pid of the detrun that made it; 0: it has ended */
    uint32_t launcher_index;      /**< its record in the outer job, and that one's nonce */
    uint32_t launcher_nonce;
    int record_fd;  /**< 0: not looked for yet, or none */
    int trace_fd;   /**< the same */
    uint8_t *trace; /**< its mapping; NULL: not mapped yet */
    uint32_t *gone; /**< nonces of the records found dead by the last sweep */
};

/** What may have woken somebody who says that nobody would. */
struct stir {
    uint32_t signals; /**< sent by the job's threads */
    uint32_t made;    /**< tasks so far */
    uint32_t tasks;   /**< of these, not freed */
    unsigned dead;    /**< seen by the last look */
};

/** See keeper.h. */
struct supervisor_keeper {
    struct stir stir;
    bool settled; /**< all were looked at since that changed */
    bool watches;
    bool
        awaits_outside; /**< somebody waited for what is not the job's when all were blocked last */
    uint64_t next_ns;   /**< real time of the next look */
    uint64_t pause_ns;  /**< between the last two */
    uint64_t since_ns;  /**< real time when time moved last */
    uint64_t computed_ns;      /**< what the job had computed some time after that; 0: not known */
    uint64_t computed_last_ns; /**< the same at the last look at that */
    uint64_t idle_since_ns;    /**< real time when that changed last */
    uint64_t quiet; /**< who was seen blocked that tells nothing, and what they had done */
    uint64_t quiet_since_ns;
    unsigned naps_ended; /**< so often since that */
    uint64_t absent;     /**< of sleepers_first(), when all were blocked last */
};

struct supervisor {
    struct detrun_memory *memory; /**< the outermost job's */
    unsigned job_end;             /**< behind the last one of jobs[] in use */
    int listener;
    unsigned held;
    uint64_t next_look_ns; /**< at the held requests */
    bool cautious;         /**< supervisors before this one died: let old requests through */
    bool roots_differ;     /**< somebody changed what lies under / */
    unsigned requests;
    uint64_t next_sweep_ns;
    uint64_t sweep_pause_ns;                           /**< before that one */
    uint64_t swept;                                    /**< what the job had done at the last one */
    struct supervisor_job jobs[1 + DETRUN_INNER_JOBS]; /**< the outermost first */
    struct supervisor_hold holds[DETRUN_INFLIGHT];     /**< by slot of inflight[] */
    struct supervisor_wait waits[SUPERVISOR_WAITS];
    struct supervisor_keeper keeper;
    struct supervisor_timers *timers;
    int32_t last_threaded; /**< process of the last thread that got an alias */
    unsigned alias_count;
    struct supervisor_alias aliases[SUPERVISOR_ALIASES];
};

/** One request, while its thread stands still. */
struct question {
    struct supervisor *s;
    struct supervisor_job *job;
    struct detrun_memory *m; /**< the job's */
    const struct seccomp_notif *request;
    const __u64 *args;
    struct detrun_task *task; /**< the thread's record, or its process's where it has none */
    struct detrun_task *process;
    enum detrun_source source; /**< what the answer is counted under */
    unsigned slot;
    struct supervisor_wait before; /**< a wait of the thread's that has ended; tid 0: none */
};

/** Answer functions: a value or -errno as the kernel would, or an ANSWER_ above. */
#define CALL(name, ...) long answer_##name(struct question *q);
#define CALL_KERNEL     CALL
#define CALL_NOTIFY     CALL
#include "detrun/calls.def"

/** A row of the dispatch table, derived from calls.def. */
struct supervisor_row {
    long (*answer)(struct question *q); /**< NULL: not trapped */
    enum detrun_source source;
    uint16_t call; /**< enum trace_call */
};
const struct supervisor_row *supervisor_row(int number);

/** supervisor.c: serve until no task uses the filter. Never returns.
 * @param timers  those of the supervisors before this one */
_Noreturn void supervisor_run(struct detrun_memory *m, int listener, int memory_fd,
                              struct supervisor_timers *timers, unsigned restarts);
/** Is the thread that asked still waiting for this answer? */
bool supervisor_still_asked(const struct question *q);
void supervisor_gap(const struct question *q, enum detrun_gap gap);
/** A failed access to the guest's memory, as an answer: -EFAULT, or let through and counted. */
long supervisor_unreachable(const struct question *q, int error);
bool supervisor_is_real(const struct question *q, enum detrun_source source);
bool supervisor_has_shim(const struct question *q);
uint64_t supervisor_now_ns(void);

/** supervisor_attach.c: answer with a descriptor in the guest. An ANSWER_ or -errno. */
long supervisor_send_descriptor(const struct question *q, int fd, uint64_t flags);
/** The same. @return its number there or -errno */
long supervisor_put_descriptor(const struct question *q, int fd, uint64_t flags);

/** supervisor_network.c: does this bind ask for more than the job's network? The answer then. */
bool network_refuses_bind(const struct question *q);
long network_refused_bind(const struct question *q);

/** supervisor_record.c: the operations of libdetrun. */
long record_begin_test(struct question *q);
long record_write(struct question *q);
long record_count(struct question *q);
long record_tell(struct question *q);

/** supervisor_trace.c: of shims, for the job's trace. */
long trace_send(struct question *q);
long trace_grow(struct question *q);
/** For who asks: a time that it was told, random bytes, a program that begins without a shim. */
void trace_clock(const struct question *q, enum detrun_source source, int64_t ns);
void trace_bytes(const struct question *q, const void *bytes, size_t length);
void trace_image(const struct question *q, const char *path);
/** For who made the request in that slot, which is about to be answered. */
void trace_answer(struct supervisor *s, unsigned slot, enum detrun_source source, long value);

/** supervisor_job.c: the operations of launchers inside the job. */
long job_make(struct question *q);
long job_leave(struct question *q);
long job_kill(struct question *q);
/** Release the jobs whose launcher and processes have ended. */
void job_sweep(struct supervisor *s);
/** Find the jobs again that another supervisor had. */
void job_recover(struct supervisor *s);

/** Whose record, and in which job. */
struct supervisor_who {
    struct supervisor_job *job;
    struct detrun_task *task; /**< NULL: nobody's */
};

/** supervisor_task.c: the record of a real thread, adopted when it has none. */
struct supervisor_who task_of(struct supervisor *s, int32_t tid);
/** The same, if there is one already. */
struct supervisor_who task_known(struct supervisor *s, int32_t tid);
/** Did this thread ask before it had a record of its own? */
bool task_began_without_record(const struct question *q);
/** The record of a number that a tracer was told of a thread just born. NULL also: not of the job.
 */
struct detrun_task *task_of_tracee(const struct question *q, int32_t tid);
/** The record of a job's command, or NULL. */
struct detrun_task *task_root(struct detrun_memory *m);
/** Free what is dead. Once a second, and when the table fills. */
void task_sweep(struct supervisor *s);
/** A job is about to go: what leads to its records is forgotten. */
void task_forget_job(struct supervisor *s, const struct supervisor_job *job);

/** supervisor_image.c: patch what an image without shim needs (also for OP_DECLINE). */
void image_without_shim(struct question *q);

/** supervisor_wait.c: before a request of the thread is answered. */
void wait_settle(struct question *q);
/** The keeper has ended this wait: its process's clock is there. */
void wait_credit(struct supervisor_wait *w, struct detrun_memory *m, struct detrun_task *task);
/** Has it the shim, whose relative waits the kernel may have as they are? */
bool wait_is_kernels(const struct question *q);
/** @return nanoseconds, -EINVAL or what guest_read says */
int64_t wait_read_time(const struct question *q, uint64_t address);
void wait_forget_dead(struct supervisor *s);
/** supervisor_hold.c: until its deadline or what it waits for comes. @return the answer */
long wait_hold(struct question *q, struct supervisor_hold hold);
/** For so much real time, or until the keeper ends it. @return the answer */
long wait_nap(struct question *q, int64_t ns);
/** All naps end. @return false: there is none */
bool wait_end_naps(struct supervisor *s);
/** @return how the call goes on, or ANSWER_HELD: what it waits for has not come */
long wait_has_come(const struct supervisor_hold *h, int32_t tid);
/** If what it waits for has come since the last look, it goes on. @return whether it has */
bool wait_is_over(struct supervisor *s, const struct supervisor_hold *h);
/** Its deadline has come: in its turn, or while others compute. */
void wait_time_is_up(struct supervisor *s, const struct supervisor_hold *h, bool in_turn);
/** The hold that this thread waits in, or NULL. */
struct supervisor_hold *wait_held(struct supervisor *s, int32_t tid);
/** Has one of the held requests come to its end? It is answered then. */
bool wait_any_goes_on(struct supervisor *s);
void wait_forget_job(struct supervisor *s, const struct supervisor_job *job);
/** Look at the held requests. @return how long to the next look, ns; -1: none is held. */
int64_t wait_check_holds(struct supervisor *s);

/** supervisor.c: finish a held request. */
void supervisor_finish(struct supervisor *s, struct supervisor_job *job, unsigned slot,
                       enum detrun_source source, long value);

#endif
