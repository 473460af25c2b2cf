/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_listing.h"

#define scandirat scandirat64
#define dirent    dirent64
#include "scandirat.c"
