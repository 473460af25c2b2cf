/* SPDX-License-Identifier: MIT */
/* The same under its other name. seed: same */
#include "guest_ids.h"
#include <sys/uio.h>

#define process_vm_readv process_vm_writev
#undef SYS_process_vm_readv
#define SYS_process_vm_readv SYS_process_vm_writev
#include "process_vm_readv.c"
