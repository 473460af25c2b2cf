/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Ending another thread's wait from outside, with nothing in its process to help: no signal of its
 * own, no descriptor, no shim. By ptrace(2), which holds the thread for some microseconds.
 */
#ifndef DETRUN_LAUNCHER_RELEASE_H
#define DETRUN_LAUNCHER_RELEASE_H

#include <stdbool.h>
#include <stdint.h>

enum release_end {
    RELEASE_DONE,        /**< the call returns the result */
    RELEASE_NOT_WAITING, /**< another call, none, just ended by an event or a signal, or gone */
    RELEASE_REFUSED,     /**< traced by another, not permitted, or it cannot be held now */
};

/**
 * End the wait of another thread, which is in system call `number`, as if it had returned `result`.
 * The calls: poll, ppoll, select, pselect6, epoll_wait, epoll_pwait, epoll_pwait2, nanosleep,
 * clock_nanosleep, futex, futex_waitv, rt_sigtimedwait, semtimedop, mq_timedsend, mq_timedreceive,
 * io_getevents, io_pgetevents, recvmmsg, and with a socket's time limit read, write, accept,
 * connect and their relatives.
 *
 * Only the returned value is set. Memory is as after a call that a signal interrupted:
 * - poll, ppoll: each revents is 0, as at a time-out;
 * - select, pselect6: the sets are as the caller gave them, a time-out clears them;
 * - select, pselect6, ppoll, recvmmsg: the time limit holds, or may hold, what really remained; a
 *   time-out leaves 0;
 * - nanosleep, clock_nanosleep: what really remained is in the last argument (relative sleeps).
 *
 * An event that came first is kept, and is RELEASE_NOT_WAITING; so is, now and then, a wait that an
 * ignored signal interrupts and that goes on: whoever still finds it waiting asks again. A signal
 * that comes at the same moment is delivered, before or after the call's return. A stopped thread
 * stays stopped, and finds the result when it is continued. Any other thread notices nothing, but
 * that the relative time limit of an epoll_wait, semtimedop, rt_sigtimedwait, io_getevents or
 * socket call begins anew; calls outside these lists that are interrupted without being repeated by
 * the kernel (a close that flushes to a slow server, some ioctl) may be seen to return EINTR.
 *
 * The kernel names a wait that was interrupted once restart_syscall: a thread that repeats poll,
 * nanosleep, clock_nanosleep or futex is taken for one that repeats `number`. Whether it is still
 * the same wait, and not the next one of the same number, only the caller can know: see below.
 *
 * Takes some tens of microseconds; up to milliseconds for a thread that cannot be interrupted (its
 * vfork child has not gone on; a disk), two seconds for one that gets no processor.
 *
 * @param tid     a real thread id, not of the calling process
 * @param result  a value or -errno
 * Context: not in a signal handler. SIGCHLD may be ignored. Source: ptrace(2), signal(7).
 */
enum release_end release_wait(int32_t tid, long number, long result);

/**
 * The same, but only if `still` says so: it is asked while the thread is held in such a wait, so
 * that nothing can happen between its answer and the end. It runs beside the calling thread, which
 * stands still, on 16 KiB of stack: it looks at memory, no more.
 */
enum release_end release_wait_if(int32_t tid, long number, long result, bool (*still)(void *of),
                                 void *of);

#endif
