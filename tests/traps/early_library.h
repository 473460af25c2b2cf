/* SPDX-License-Identifier: MIT */
/** @file What the constructor of early_library.c saw. */
#ifndef DETRUN_EARLY_LIBRARY_H
#define DETRUN_EARLY_LIBRARY_H

#include <sys/types.h>
#include <time.h>

extern struct early {
    time_t seconds;
    struct timespec before, after;
    pid_t pid;
    ssize_t got;
    int reaped;
    unsigned char bytes[16];
} early;

#endif
