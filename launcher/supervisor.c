/* SPDX-License-Identifier: MIT */
#include "supervisor.h"

#include <errno.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "keeper.h"
#include "lineage.h"
#include "listener.h"
#include "real.h"
#include "timers.h"
#include "timespec.h"

/* Twice as long each time, as long as nobody asks and nobody is made. */
#define SWEEP_FIRST_NS  UINT64_C(1000000000)
#define SWEEP_LAST_NS   (64 * SWEEP_FIRST_NS)
#define REQUESTS_A_LOOK 16

uint64_t supervisor_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool supervisor_still_asked(const struct question *q)
{
    __u64 id = q->request->id;
    return ioctl(q->s->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

void supervisor_gap(const struct question *q, enum detrun_gap gap)
{
    lineage_count_gap(q->m, gap);
}

long supervisor_unreachable(const struct question *q, int error)
{
    if (error == -EFAULT)
        return -EFAULT;
    supervisor_gap(q, DETRUN_GAP_GUEST_SILENT);
    return ANSWER_CONTINUE;
}

bool supervisor_is_real(const struct question *q, enum detrun_source source)
{
    return (q->m->params.real >> source & 1) != 0;
}

bool supervisor_has_shim(const struct question *q)
{
    uint32_t flags = atomic_load_explicit(&q->process->flags, memory_order_acquire);
    return (flags & DETRUN_TASK_SHIM) != 0;
}

static void release_slot(struct supervisor *s, unsigned slot)
{
    s->memory->shared.inflight[slot].request.id = 0;
}

/* The guest may have died meanwhile (ENOENT): then there is nobody to answer. */
static void send_answer(struct supervisor *s, unsigned slot, long value)
{
    struct seccomp_notif_resp response = {.id = s->memory->shared.inflight[slot].request.id};
    if (value == ANSWER_CONTINUE)
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    else if (value < 0 && value >= -4095)
        response.error = (int)value;
    else
        response.val = value;
    ioctl(s->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
    release_slot(s, slot);
}

static void count_answer(struct detrun_memory *m, enum detrun_source source)
{
    atomic_fetch_add_explicit(&m->shared.answered[source][DETRUN_DOOR_NOTIFY], 1,
                              memory_order_relaxed);
}

void supervisor_finish(struct supervisor *s, struct supervisor_job *job, unsigned slot,
                       enum detrun_source source, long value)
{
    if (value != ANSWER_CONTINUE)
        count_answer(job->memory, source);
    if (job->memory->params.flags & DETRUN_FLAG_TRACE)
        trace_answer(s, slot, source, value);
    send_answer(s, slot, value);
}

static long ask(struct question *q, const struct supervisor_row *row)
{
    struct supervisor_who who = task_of(q->s, (int32_t)q->request->pid);
    if (!who.task) {
        supervisor_gap(q, DETRUN_GAP_UNATTRIBUTED);
        return ANSWER_CONTINUE;
    }
    q->job = who.job;
    q->m = who.job->memory;
    q->task = who.task;
    q->process = lineage_process(q->m, q->task);
    if (lineage_is_unfollowed(q->process))
        return ANSWER_CONTINUE;
    wait_settle(q);
    return row->answer(q);
}

static void handle(struct supervisor *s, unsigned slot)
{
    const struct seccomp_notif *request = &s->memory->shared.inflight[slot].request;
    const struct supervisor_row *row = supervisor_row(request->data.nr);
    struct question q = {.s = s,
                         .job = s->jobs,
                         .m = s->memory,
                         .request = request,
                         .args = request->data.args,
                         .slot = slot};
    if (!row || !row->answer || q.args[5] == DETRUN_PASS) {
        send_answer(s, slot, ANSWER_CONTINUE);
        return;
    }
    q.source = row->source;
    long value = ask(&q, row);
    if (value == ANSWER_HELD)
        return;
    if (value == ANSWER_SENT)
        release_slot(s, slot);
    else
        supervisor_finish(s, q.job, slot, q.source, value);
}

static int free_slot(const struct supervisor *s)
{
    for (int i = 0; i < DETRUN_INFLIGHT; i++)
        if (s->memory->shared.inflight[i].request.id == 0)
            return i;
    return -1;
}

/* All slots hold waiting requests: the oldest wait ends early rather than the job standing still.
 */
static int make_room(struct supervisor *s)
{
    int slot = free_slot(s);
    if (slot >= 0)
        return slot;
    s->holds[0].active = false;
    s->held--;
    lineage_count_gap(s->memory, DETRUN_GAP_GUEST_SILENT);
    send_answer(s, 0, ANSWER_CONTINUE);
    return 0;
}

static void receive(struct supervisor *s)
{
    int slot = make_room(s);
    struct seccomp_notif *request = &s->memory->shared.inflight[slot].request;
    memset(request, 0, sizeof(*request));
    if (ioctl(s->listener, SECCOMP_IOCTL_NOTIF_RECV, request) == 0)
        handle(s, (unsigned)slot);
    else
        request->id = 0;
}

static bool is_still_asked(const struct supervisor *s, unsigned slot)
{
    __u64 id = s->memory->shared.inflight[slot].request.id;
    return ioctl(s->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

/* What another supervisor had, and had received when it died. */
static void take_over(struct supervisor *s)
{
    job_recover(s);
    timers_recover(s);
    keeper_watch(s);
    for (unsigned i = 0; i < DETRUN_INFLIGHT; i++) {
        if (s->memory->shared.inflight[i].request.id == 0)
            continue;
        if (!is_still_asked(s, i))
            release_slot(s, i);
        else if (s->cautious)
            send_answer(s, i, ANSWER_CONTINUE);
        else
            handle(s, i);
    }
}

/* How much the job has asked, and how many tasks it has made. */
static uint64_t done_by(const struct supervisor *s)
{
    uint64_t done = s->requests;
    for (const struct supervisor_job *job = s->jobs; job < s->jobs + s->job_end; job++)
        if (job->memory)
            done += atomic_load_explicit(&job->memory->shared.next_nonce, memory_order_relaxed);
    return done;
}

static void set_next_sweep(struct supervisor *s, uint64_t now, uint64_t pause)
{
    s->sweep_pause_ns = pause;
    s->next_sweep_ns = now + pause;
}

/* A look at the clock is not worth its price after each request. */
static void note_request(struct supervisor *s)
{
    s->requests++;
    if (s->sweep_pause_ns > SWEEP_FIRST_NS)
        set_next_sweep(s, supervisor_now_ns(), SWEEP_FIRST_NS);
}

static void sweep(struct supervisor *s)
{
    uint64_t now = supervisor_now_ns();
    uint64_t done = done_by(s);
    if (now < s->next_sweep_ns)
        return;
    uint64_t longer = s->sweep_pause_ns < SWEEP_LAST_NS ? s->sweep_pause_ns * 2 : SWEEP_LAST_NS;
    set_next_sweep(s, now, done == s->swept ? longer : SWEEP_FIRST_NS);
    s->swept = done;
    task_sweep(s);
    wait_forget_dead(s);
    timers_forget_dead(s);
    job_sweep(s);
}

static int64_t next_sweep_ns(const struct supervisor *s)
{
    uint64_t now = supervisor_now_ns();
    return s->next_sweep_ns > now ? (int64_t)(s->next_sweep_ns - now) : 0;
}

static int64_t next_look_ns(struct supervisor *s)
{
    int64_t held = wait_check_holds(s);
    int64_t kept = keeper_look(s);
    if (kept >= 0 && (held < 0 || kept < held))
        return kept;
    return held >= 0 ? held : next_sweep_ns(s);
}

static _Noreturn void serve(struct supervisor *s)
{
    for (;;) {
        struct timespec timeout = timespec_of(next_look_ns(s));
        struct pollfd pollfd = {.fd = s->listener, .events = POLLIN};
        int n = ppoll(&pollfd, 1, &timeout, NULL);
        if (n > 0 && (pollfd.revents & POLLIN))
            receive(s);
        else if (n > 0 && (pollfd.revents & (POLLHUP | POLLERR | POLLNVAL)))
            _exit(0);
        if (n > 0)
            note_request(s);
        if (n == 0 || s->requests % REQUESTS_A_LOOK == 0)
            sweep(s);
    }
}

/* No terminal, no folder, no descriptor of the user's: nobody must wait for us. The launcher has
 * let go of all but its standard error. */
static void leave_session(struct supervisor *s)
{
    real_sigmask(SIG_SETMASK, UINT64_MAX, NULL);
    signal(SIGCHLD, SIG_IGN);
    setsid();
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); /* a look is due in 20 us, not in 70 */
    if (chdir("/") != 0)
        lineage_count_gap(s->memory, DETRUN_GAP_GUEST_SILENT);
    dup2(STDOUT_FILENO, STDERR_FILENO);
}

_Noreturn void supervisor_run(struct detrun_memory *m, int listener, int memory_fd,
                              struct supervisor_timers *timers, unsigned restarts)
{
    static struct supervisor s;
    static uint32_t gone[DETRUN_MAX_TASKS];
    __u64 flags = SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP;
    s.memory = m;
    s.listener = listener;
    s.timers = timers;
    s.jobs[0] = (struct supervisor_job){.memory = m, .memory_fd = memory_fd, .gone = gone};
    s.job_end = 1;
    s.cautious = restarts > 3;
    s.roots_differ = restarts > 0;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, flags);
    leave_session(&s);
    if (restarts > 0)
        take_over(&s);
    serve(&s);
}
