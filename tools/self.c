/* SPDX-License-Identifier: MIT */
#include "self.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char *self_beside(const char *name)
{
    char path[PATH_MAX];
    char *beside = NULL;
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (n <= 0)
        return NULL;
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash || asprintf(&beside, "%.*s/%s", (int)(slash - path), path, name) < 0)
        return NULL;
    return beside;
}
