/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_listing.h"

#define scandir scandir64
#define dirent  dirent64
#include "scandir.c"
