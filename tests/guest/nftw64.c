/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include <ftw.h>

#include "guest_listing.h"
#include "guest_walk.h"

#define nftw nftw64
#define stat stat64
#include "nftw.c"
