/* SPDX-License-Identifier: MIT */
/* The same under its other name. seed: same */
#include "guest_procfs.h"

#define creat creat64
#include "creat.c"
