/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_device.h"
#include <sys/uio.h>

#define pread pread64
#include "pread.c"
