/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_device.h"
#include <sys/uio.h>

#define preadv preadv64
#include "preadv.c"
