/* SPDX-License-Identifier: MIT */
/*
 * Pipes: their numbers are those of who makes them. Of two processes that have an end each it is
 * timing which one looks first.
 */
#include <unistd.h>

#include "calls.h"
#include "inodes.h"
#include "poison.h"
#include "raw.h"
#include "real.h"

static long made(long result, const int ends[2])
{
    if (result == 0)
        inodes_pipe_made(ends[0]);
    return result;
}

long libc_pipe(int ends[2])
{
    return made(real_result(REAL_LIBC(pipe)(ends)), ends);
}

long libc_pipe2(int ends[2], int flags)
{
    return made(real_result(REAL_LIBC(pipe2)(ends, flags)), ends);
}

long call_pipe(int *ends)
{
    return made(raw3(SYS_pipe, (long)ends, 0, 0), ends);
}

long call_pipe2(int *ends, int flags)
{
    return made(raw3(SYS_pipe2, (long)ends, flags, 0), ends);
}
