/* SPDX-License-Identifier: MIT */
/* The same under its other name. seed: same */
#include "guest_procfs.h"
#include "guest_stat.h"

/* One layout on x86-64. */
int __fxstatat64(int version, int dir, const char *path, struct stat *st, int flags);

#define __fxstatat __fxstatat64
#include "__fxstatat.c"
