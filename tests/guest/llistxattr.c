/* SPDX-License-Identifier: MIT */
/* The same under its other name. seed: same */
#include "guest_procfs.h"
#include <sys/xattr.h>

#define listxattr llistxattr
#undef SYS_listxattr
#define SYS_listxattr SYS_llistxattr
#include "listxattr.c"
