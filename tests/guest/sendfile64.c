/* SPDX-License-Identifier: MIT */
/* The same under its other name. */
#include "guest_device.h"
#include <sys/sendfile.h>

#define sendfile sendfile64
#include "sendfile.c"
