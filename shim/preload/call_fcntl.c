/* SPDX-License-Identifier: MIT */
/*
 * Pids behind descriptors: who is sent their signals, who holds a lock, whose terminal it is. And
 * when a packet came.
 */
#include <fcntl.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/sockios.h>

#include "calls.h"
#include "class.h"
#include "pids.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "stamps.h"
#include "task.h"

/* A cancellation point for the commands that wait for a lock. */
static long real_fcntl(int fd, int command, long argument)
{
    return real_result(REAL_LIBC(fcntl)(fd, command, argument));
}

/* The plain command cannot tell an error from a group. */
static long get_owner(int fd)
{
    struct f_owner_ex owner;
    long result = raw3(SYS_fcntl, fd, F_GETOWN_EX, (long)&owner);
    if (result != 0)
        return result;
    return pids_out(owner.type == F_OWNER_PGRP ? -owner.pid : owner.pid);
}

static long set_owner(int fd, const struct f_owner_ex *owner)
{
    if (!reach_readable(owner, sizeof(*owner)))
        return raw3(SYS_fcntl, fd, F_SETOWN_EX, (long)owner);
    struct f_owner_ex real = {owner->type, pids_in(owner->pid)};
    return raw3(SYS_fcntl, fd, F_SETOWN_EX, (long)&real);
}

static long get_owner_of_type(int fd, struct f_owner_ex *owner)
{
    long result = raw3(SYS_fcntl, fd, F_GETOWN_EX, (long)owner);
    if (result == 0)
        owner->pid = pids_out(owner->pid);
    return result;
}

static long get_lock(int fd, int command, struct flock *lock)
{
    long result = real_fcntl(fd, command, (long)lock);
    if (result == 0 && lock->l_type != F_UNLCK)
        lock->l_pid = pids_out(lock->l_pid);
    return result;
}

long call_fcntl(int fd, int command, long argument)
{
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        return class_copied(real_fcntl(fd, command, argument), fd);
    case F_GETOWN:
        return get_owner(fd);
    case F_SETOWN:
        return real_fcntl(fd, command, pids_in((int)argument));
    case F_GETOWN_EX:
        return get_owner_of_type(fd, (struct f_owner_ex *)argument);
    case F_SETOWN_EX:
        return set_owner(fd, (const struct f_owner_ex *)argument);
    case F_GETLK:
    case F_OFD_GETLK:
        return get_lock(fd, command, (struct flock *)argument);
    default:
        return real_fcntl(fd, command, argument);
    }
}

static long set_id(int fd, unsigned long request, const int *id)
{
    if (!reach_readable(id, sizeof(*id)))
        return raw3(SYS_ioctl, fd, (long)request, (long)id);
    int real = pids_in(*id);
    return raw3(SYS_ioctl, fd, (long)request, (long)&real);
}

static long get_id(int fd, unsigned long request, int *id)
{
    long result = raw3(SYS_ioctl, fd, (long)request, (long)id);
    if (result == 0)
        *id = pids_out(*id);
    return result;
}

static long get_stamp(int fd, unsigned long request, void *answer)
{
    long result = raw3(SYS_ioctl, fd, (long)request, (long)answer);
    if (result == 0)
        stamps_in_answer((unsigned)request, answer);
    return result;
}

/* Identifiers are made of it where there is one; where there is none, as in a network namespace,
 * of random bytes. So nowhere is one. */
static long get_hardware_address(int fd, unsigned long request, struct ifreq *asked)
{
    long result = raw3(SYS_ioctl, fd, (long)request, (long)asked);
    if (result == 0 && asked->ifr_hwaddr.sa_family == ARPHRD_ETHER && task_self() &&
        !task_leaves_real(DETRUN_HOST))
        memset(asked->ifr_hwaddr.sa_data, 0, sizeof(asked->ifr_hwaddr.sa_data));
    return result;
}

long call_ioctl(int fd, unsigned long request, void *argument)
{
    switch ((unsigned)request) { /* the kernel's width; musl's callers set no more */
    case SIOCGIFHWADDR:
        return get_hardware_address(fd, request, argument);
    case FIOSETOWN:
    case SIOCSPGRP:
    case TIOCSPGRP:
        return set_id(fd, request, argument);
    case FIOGETOWN:
    case SIOCGPGRP:
    case TIOCGPGRP:
    case TIOCGSID:
        return get_id(fd, request, argument);
    default:
        return stamps_asked((unsigned)request) ? get_stamp(fd, request, argument)
                                               : raw3(SYS_ioctl, fd, (long)request, (long)argument);
    }
}
