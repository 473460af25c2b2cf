/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_device.h"

#define open open64
#include "open.c"
