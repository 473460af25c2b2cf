/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_fcntl.h"

#define fcntl fcntl64
#include "fcntl.c"
