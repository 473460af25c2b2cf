/* SPDX-License-Identifier: MIT */
/* The same under its other name. seed: same */
#include "guest_procfs.h"
#include <sys/xattr.h>

#define getxattr lgetxattr
#undef SYS_getxattr
#define SYS_getxattr SYS_lgetxattr
#include "getxattr.c"
