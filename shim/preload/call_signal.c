/* SPDX-License-Identifier: MIT */
/*
 * Handlers with a siginfo. The kernel is given a stub in the handler's place, which translates and
 * goes on to the handler; whoever asks for the disposition gets the handler back.
 *
 * A stub belongs to a handler, not to a signal, and keeps it for ever. So what the kernel switches
 * in one step stays one step: no signal finds one action's handler with another's flags, and a
 * vfork child, which shares this table but not the dispositions, changes nothing that its parent
 * sees. Masks, flags, restarts, resets and inheritance are the kernel's.
 */
#include <errno.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "calls.h"
#include "pids.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "signal_stubs.h"
#include "signals.h"
#include "task.h"
#include "waits.h"

/* glibc's own, which compare si_pid with what the kernel knows. */
#define SIGCANCEL 32
#define SIGSETXID 33

extern const uint8_t signal_stubs[] __attribute__((visibility("hidden")));

static uintptr_t handlers[SIGNAL_STUBS];

/* The kernel's struct sigaction. */
struct kernel_action {
    uintptr_t handler;
    unsigned long flags;
    uintptr_t restorer;
    uint64_t mask;
};

static bool is_child_code(int signal, int code)
{
    return signal == SIGCHLD && code >= CLD_EXITED && code <= CLD_CONTINUED;
}

/* The kernel's siginfo_layout(); SI_TIMER and SI_SIGIO have something else in the same place. */
static bool has_sender(int signal, int code)
{
    switch (code) {
    case SI_USER:
    case SI_QUEUE:
    case SI_TKILL:
    case SI_MESGQ:
    case SI_ASYNCIO:
    case SI_ASYNCNL:
        return true;
    default:
        return is_child_code(signal, code);
    }
}

/* A child's CPU time is virtual, as wait4 tells it. */
static bool has_cpu_time(int signal, int code)
{
    return is_child_code(signal, code) && shim.memory && !task_leaves_real(DETRUN_CPUTIME);
}

/* What came of a timer of the job's: see DETRUN_TIMER_INTERVAL. */
static bool is_of_interval(int signal, int code, int timer)
{
    return signal == SIGALRM && code == SI_TIMER && timer == DETRUN_TIMER_INTERVAL;
}

static bool is_of_timer(int code, int timer)
{
    return code == SI_TIMER && timer >= DETRUN_TIMER_FIRST;
}

/* Natively counted when the signal is taken; sent, it can tell of those before it alone. */
static int overrun_of(int timer, int told)
{
    long now = raw3(SYS_timer_getoverrun, timer, 0, 0);
    return now > told ? (int)now : told;
}

void signals_translate(siginfo_t *info)
{
    if (is_of_interval(info->si_signo, info->si_code, info->si_timerid)) {
        info->si_code = SI_KERNEL;
        info->si_timerid = info->si_overrun = 0;
    } else if (is_of_timer(info->si_code, info->si_timerid)) {
        info->si_overrun = overrun_of(info->si_timerid, info->si_overrun);
    }
    if (!has_sender(info->si_signo, info->si_code))
        return;
    info->si_pid = pids_out(info->si_pid);
    if (has_cpu_time(info->si_signo, info->si_code))
        info->si_utime = info->si_stime = 0;
}

/* A program's buffer may lie anywhere. */
typedef struct signalfd_siginfo record __attribute__((aligned(1)));
#define RECORD_SIZE ((long)sizeof(record))

void signals_translate_records(void *records, long size)
{
    record *r = records;
    for (; size >= RECORD_SIZE; size -= RECORD_SIZE, r++) {
        if (is_of_interval((int)r->ssi_signo, r->ssi_code, (int)r->ssi_tid)) {
            r->ssi_code = SI_KERNEL;
            r->ssi_tid = r->ssi_overrun = 0;
        } else if (is_of_timer(r->ssi_code, (int)r->ssi_tid)) {
            r->ssi_overrun = (uint32_t)overrun_of((int)r->ssi_tid, (int)r->ssi_overrun);
        }
        if (!has_sender((int)r->ssi_signo, r->ssi_code))
            continue;
        r->ssi_pid = (uint32_t)pids_out((int)r->ssi_pid);
        if (has_cpu_time((int)r->ssi_signo, r->ssi_code))
            r->ssi_utime = r->ssi_stime = 0;
    }
}

/* Records that lie whole in the parts before the first odd one. */
void signals_translate_parts(const struct iovec *parts, int n, long size)
{
    for (int i = 0; i < n && size > 0; i++) {
        long len = (long)parts[i].iov_len < size ? (long)parts[i].iov_len : size;
        signals_translate_records(parts[i].iov_base, len);
        if (len % RECORD_SIZE != 0)
            return;
        size -= len;
    }
}

/** From a stub. @return the handler it stands for */
uintptr_t signal_arrived(unsigned stub, siginfo_t *info);
uintptr_t signal_arrived(unsigned stub, siginfo_t *info)
{
    if (info)
        signals_translate(info);
    return __atomic_load_n(&handlers[stub], __ATOMIC_ACQUIRE);
}

static uintptr_t stub_address(size_t stub)
{
    return (uintptr_t)signal_stubs + stub * SIGNAL_STUB_SIZE;
}

static bool is_stub(uintptr_t handler)
{
    return (handler - (uintptr_t)signal_stubs) / SIGNAL_STUB_SIZE < SIGNAL_STUBS;
}

/* A program with more handlers than stubs has the kernel's numbers in the others. */
static uintptr_t stub_of(uintptr_t handler)
{
    for (size_t i = 0; i < SIGNAL_STUBS; i++) {
        uintptr_t seen = __atomic_load_n(&handlers[i], __ATOMIC_ACQUIRE);
        if (seen == 0 && __atomic_compare_exchange_n(&handlers[i], &seen, handler, false,
                                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return stub_address(i);
        if (seen == handler)
            return stub_address(i);
    }
    if (shim.memory)
        lineage_count_gap(shim.memory, DETRUN_GAP_PID_UNTRANSLATED);
    return handler;
}

static bool takes_stub(int signal, uintptr_t handler, unsigned long flags)
{
    return shim.on && (flags & SA_SIGINFO) && handler != (uintptr_t)SIG_DFL &&
           handler != (uintptr_t)SIG_IGN && signal != SIGCANCEL && signal != SIGSETXID &&
           !is_stub(handler);
}

static uintptr_t handler_behind(uintptr_t installed)
{
    if (!is_stub(installed))
        return installed;
    return handlers[(installed - (uintptr_t)signal_stubs) / SIGNAL_STUB_SIZE];
}

long libc_sigaction(int signal, const struct sigaction *restrict action,
                    struct sigaction *restrict old)
{
    struct sigaction own;
    if (action &&
        takes_stub(signal, (uintptr_t)action->sa_sigaction, (unsigned long)action->sa_flags)) {
        own = *action;
        own.sa_sigaction = (void (*)(int, siginfo_t *, void *))stub_of((uintptr_t)own.sa_sigaction);
        action = &own;
    }
    long result = real_result(REAL_LIBC(sigaction)(signal, action, old));
    if (result == 0 && old)
        old->sa_sigaction =
            (void (*)(int, siginfo_t *, void *))handler_behind((uintptr_t)old->sa_sigaction);
    return result;
}

long call_rt_sigaction(int signal, const void *action, void *old, size_t size)
{
    struct kernel_action own;
    if (action && size == sizeof(own.mask) && reach_readable(action, sizeof(own))) {
        own = *(const struct kernel_action *)action;
        if (takes_stub(signal, own.handler, own.flags)) {
            own.handler = stub_of(own.handler);
            action = &own;
        }
    }
    long result = raw4(SYS_rt_sigaction, signal, (long)action, (long)old, (long)size);
    struct kernel_action *before = old;
    if (result == 0 && before)
        before->handler = handler_behind(before->handler);
    return result;
}

/* These install no siginfo handler, but give back who was there. */
static long handler_before(sighandler_t installed)
{
    return installed == SIG_ERR ? real_errno() : (long)handler_behind((uintptr_t)installed);
}

long libc_signal(int number, sighandler_t handler)
{
    return handler_before(REAL_LIBC(signal)(number, handler));
}

/* musl has one kind only. */
long libc_sysv_signal(int number, sighandler_t handler)
{
    __typeof__(&signal) real = REAL_LIBC(sysv_signal);
    return handler_before((real ? real : REAL_LIBC(signal))(number, handler));
}

/* Of the same type; its own declaration warns of its age. */
long libc_sigset(int number, sighandler_t handler)
{
    return handler_before(((__typeof__(&signal))real_find(REAL_LIBC_sigset))(number, handler));
}

/* libc sends these itself. */
long libc_pthread_kill(pthread_t thread, int signal)
{
    waits_signal();
    return REAL_LIBC(pthread_kill)(thread, signal);
}

long libc_pthread_sigqueue(pthread_t thread, int signal, const union sigval value)
{
    waits_signal();
    return REAL_LIBC(pthread_sigqueue)(thread, signal, value);
}

long libc_pthread_cancel(pthread_t thread)
{
    waits_signal();
    return REAL_LIBC(pthread_cancel)(thread);
}

long call_rt_sigqueueinfo(pid_t pid, int signal, void *info)
{
    waits_signal();
    return raw3(SYS_rt_sigqueueinfo, pids_in(pid), signal, (long)info);
}

long call_rt_tgsigqueueinfo(pid_t pid, pid_t tid, int signal, void *info)
{
    waits_signal();
    return raw4(SYS_rt_tgsigqueueinfo, pids_in(pid), pids_in(tid), signal, (long)info);
}
