/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_stdio.h"

#define fopen fopen64
#include "fopen.c"
