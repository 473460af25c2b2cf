/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The machine as every job sees it. System, release and machine of uname(2) stay the kernel's:
 * programs choose features by them.
 */
#ifndef DETRUN_CORE_HOST_H
#define DETRUN_CORE_HOST_H

#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#define HOST_NAME       "localhost"
#define HOST_DOMAIN     "(none)"
#define HOST_VERSION    "#1 SMP"
#define HOST_MACHINE_ID "6465747275006465747275006465747a"

/* Eight gigabytes, of which seven are free. */
#define HOST_MEMORY_KB  8388608
#define HOST_FREE_KB    7340032
#define HOST_BUFFERS_KB 65536
#define HOST_SHARED_KB  8192
#define HOST_KB         1024UL
#define HOST_PAGE_KB    4
#define HOST_TASKS      100

static inline void host_name(struct utsname *u)
{
    memset(u->nodename, 0, sizeof(u->nodename));
    memset(u->domainname, 0, sizeof(u->domainname));
    memset(u->version, 0, sizeof(u->version));
    memcpy(u->nodename, HOST_NAME, sizeof(HOST_NAME));
    memcpy(u->domainname, HOST_DOMAIN, sizeof(HOST_DOMAIN));
    memcpy(u->version, HOST_VERSION, sizeof(HOST_VERSION));
}

/** All but the time since the start. musl's struct goes on behind what the kernel writes. */
static inline void host_memory(struct sysinfo *info)
{
    memset(info->loads, 0, sizeof(info->loads));
    info->totalram = HOST_MEMORY_KB * HOST_KB;
    info->freeram = HOST_FREE_KB * HOST_KB;
    info->sharedram = HOST_SHARED_KB * HOST_KB;
    info->bufferram = HOST_BUFFERS_KB * HOST_KB;
    info->totalswap = info->freeswap = info->totalhigh = info->freehigh = 0;
    info->procs = HOST_TASKS;
    info->mem_unit = 1;
}

#endif
