/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Starting processes: what the doors that are written by hand call.
 */
#ifndef DETRUN_SHIM_PROCESS_H
#define DETRUN_SHIM_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct detrun_task;

/** Arguments of clone(2) as libc takes them. */
struct process_clone {
    int (*fn)(void *);
    void *stack;
    int flags;
    void *argument;
    void *parent_tid;
    void *tls;
    void *child_tid;
};

/** clone(): a process, a vfork-like child or a thread, by its flags. @return virtual id or -errno
 */
long process_clone(const struct process_clone *request);

/** What follows vfork's system call in arch_x86_64.S, in child and creator. */
long process_after_vfork(long result, struct detrun_task *child);

/** syscall(SYS_fork), (SYS_clone), (SYS_clone3), (SYS_seccomp). */
long process_raw_fork(void);
long process_raw_clone(long flags, long stack, long parent_tid, long child_tid, long tls);
long process_raw_clone3(const uint64_t *arguments, size_t size);

/** The child was made (real > 0), was not (-errno), or this is it (0). @return what fork returns */
long process_forked(struct detrun_task *child, long real);

/**
 * A new child's record, announced in the creator's so that whoever sees the child first knows it.
 * NULL: the shim is off or the table is full.
 */
struct detrun_task *process_prepare(void);
#endif
