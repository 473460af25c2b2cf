/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The machine as every job sees it. System, release and machine of uname(2) stay the kernel's:
 * programs choose features by them.
 */
#ifndef DETRUN_CORE_HOST_H
#define DETRUN_CORE_HOST_H

#include <string.h>
#include <sys/utsname.h>

#define HOST_NAME       "localhost"
#define HOST_DOMAIN     "(none)"
#define HOST_VERSION    "#1 SMP"
#define HOST_MACHINE_ID "6465747275006465747275006465747a"

static inline void host_name(struct utsname *u)
{
    memset(u->nodename, 0, sizeof(u->nodename));
    memset(u->domainname, 0, sizeof(u->domainname));
    memset(u->version, 0, sizeof(u->version));
    memcpy(u->nodename, HOST_NAME, sizeof(HOST_NAME));
    memcpy(u->domainname, HOST_DOMAIN, sizeof(HOST_DOMAIN));
    memcpy(u->version, HOST_VERSION, sizeof(HOST_VERSION));
}

#endif
