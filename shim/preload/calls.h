/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Prototypes of the handlers, derived from the table.
 *
 * Shim rules: any thread, any signal handler; no allocation, no lock, no message, no exit; never
 * touch errno (handlers return a value or -errno as the kernel would; the doors set errno); the
 * last use of the guest's pointers is the write-back; what cannot be answered goes through and is
 * counted. libc functions are called only through real.h, and only where libc must see the call
 * (cancellation points, allocation, locks of its own).
 */
#ifndef DETRUN_SHIM_CALLS_H
#define DETRUN_SHIM_CALLS_H

#include <dirent.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <threads.h>
#include <time.h>

#include "detrun/calls_doors.h"
#include "map.h"

struct futex_waitv;
struct ifaddrs;
struct sembuf;
struct stat;
struct statfs;
struct statvfs;
struct utimbuf;
struct statx;
struct msqid_ds;
struct shmid_ds;
struct timeb;
struct winsize;
struct stat;
struct statx;

#define CALL(name, ret, n, args, ...)               long call_##name(MAP(n, DECLARE, args));
#define CALL_LIBC(name, ret, n, args, ...)          long libc_##name(MAP(n, DECLARE, args));
#define CALL_VOID(name, ret, n, args, ...)          void libc_##name(MAP(n, DECLARE, args));
#define CALL_KERNEL(name, ret, n, args, doors, ...) long call_##name(MAP(n, DECLARE, args));
#include "detrun/calls.def"

#endif
