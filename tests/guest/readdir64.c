/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_listing.h"

#define dirent  dirent64
#define readdir readdir64
#include "readdir.c"
