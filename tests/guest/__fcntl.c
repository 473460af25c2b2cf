/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_fcntl.h"

extern int __fcntl(int fd, int command, ...);
#define fcntl __fcntl
#include "fcntl.c"
