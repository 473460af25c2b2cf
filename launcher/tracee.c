/* SPDX-License-Identifier: MIT */
#include "tracee.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>

#include "process.h"
#include "real.h"

#define YIELDS       200
#define NAP_NS       50000
#define NAPS_BLOCKED 40
#define NAPS_AT_ALL  20000
#define BLOCKED      "DZX"

/* Asks for stops alone: one that has died is left to its parent, which may be this process.
 * @return 1, 0: not yet, or -errno */
static int look(int32_t tid, struct tracee_stop *stop)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)tid, &info, WSTOPPED | WNOHANG | __WALL) != 0)
        return -errno;
    *stop = (struct tracee_stop){info.si_status >> 8, info.si_status & 0xff};
    return info.si_pid != 0;
}

/* Yielding is faster than sleeping in wait(2): 20 us less, for a thread on another processor. */
int tracee_await(int32_t tid, struct tracee_stop *stop)
{
    int blocked = 0;
    for (int looks = 0; looks < YIELDS + NAPS_AT_ALL; looks++) {
        int found = look(tid, stop);
        if (found != 0)
            return found < 0 ? found : 0;
        if (looks < YIELDS) {
            sched_yield();
            continue;
        }
        blocked = strchr(BLOCKED, process_state(tid)) ? blocked + 1 : 0;
        if (blocked == NAPS_BLOCKED)
            return -EBUSY;
        real_pause(NAP_NS);
    }
    return -EBUSY;
}

#define STACK_SIZE 32768
#define THREAD_FLAGS                                                                               \
    (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_SYSVSEM | CLONE_THREAD)

/* It borrows the caller's thread-local storage, as a vfork child does. A tracee may be in a vfork,
 * or a dead leader whose threads live: neither can be stopped to be detached from. */
int tracee_hold(int (*body)(void *of), void *of)
{
    _Alignas(16) char stack[STACK_SIZE];
    int before = errno;
    int error = clone(body, stack + sizeof(stack), THREAD_FLAGS | CLONE_VFORK, of) < 0 ? -errno : 0;
    errno = before;
    return error;
}
