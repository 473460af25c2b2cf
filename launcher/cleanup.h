/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Release by attribute: what a function took goes back on every way out of it.
 */
#ifndef DETRUN_LAUNCHER_CLEANUP_H
#define DETRUN_LAUNCHER_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_close(const int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

static inline void cleanup_free(void *pointer)
{
    free(*(void **)pointer);
}

static inline void cleanup_fclose(FILE **file)
{
    if (*file)
        fclose(*file);
}

static inline void cleanup_closedir(DIR **dir)
{
    if (*dir)
        closedir(*dir);
}

#define AUTO_CLOSE    __attribute__((cleanup(cleanup_close)))
#define AUTO_FREE     __attribute__((cleanup(cleanup_free)))
#define AUTO_FCLOSE   __attribute__((cleanup(cleanup_fclose)))
#define AUTO_CLOSEDIR __attribute__((cleanup(cleanup_closedir)))

#endif
