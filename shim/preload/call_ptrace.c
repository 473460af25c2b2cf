/* SPDX-License-Identifier: MIT */
/*
 * Tracers. What wait(2) says of a tracee is translated in call_child.c; here is what ptrace(2)
 * takes and says. Registers hold what the kernel was asked and answered: they stay.
 */
#include <signal.h>
#include <stdbool.h>
#include <sys/ptrace.h>

#include "calls.h"
#include "pids.h"
#include "poison.h"
#include "raw.h"
#include "signals.h"

/* The event of the stop that a tracee is in, PTRACE_EVENT_...; 0: another stop. */
static int event_of(int real)
{
    siginfo_t info;
    if (raw4(SYS_ptrace, PTRACE_GETSIGINFO, real, 0, (long)&info) != 0)
        return 0;
    return (info.si_code & 0xff) == SIGTRAP ? info.si_code >> 8 : 0;
}

/* Other events bring an exit status or a number of the program's. */
static bool names_a_task(int event)
{
    return event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
           event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_VFORK_DONE ||
           event == PTRACE_EVENT_EXEC;
}

static void translate_message(int real, unsigned long *message)
{
    if (*message != 0 && names_a_task(event_of(real)))
        *message = (unsigned long)pids_of_tracee((int)*message);
}

long call_ptrace(long request, pid_t pid, void *address, void *data)
{
    int real = pids_to_real(pid);
    long result = raw4(SYS_ptrace, request, real, (long)address, (long)data);
    if (result != 0)
        return result;
    if (request == PTRACE_GETEVENTMSG)
        translate_message(real, data);
    else if (request == PTRACE_GETSIGINFO)
        signals_translate(data);
    return result;
}
