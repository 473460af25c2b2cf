/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_stdio.h"

#define freopen freopen64
#include "freopen.c"
