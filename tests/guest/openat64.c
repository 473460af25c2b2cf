/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_device.h"

#define openat openat64
#include "openat.c"
