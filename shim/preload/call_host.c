/* SPDX-License-Identifier: MIT */
/*
 * The host's name, interfaces, memory and load, and who has logged in. The files that hold them are
 * in fixed_text.c.
 */
#include <errno.h>
#include <ifaddrs.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "calls.h"
#include "host.h"
#include "machine.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "task.h"

/* What every kernel has given. */
#define LINK_STATISTICS offsetof(struct rtnl_link_stats, rx_nohandler)

static bool answers(void)
{
    return task_self() && !task_leaves_real(DETRUN_HOST);
}

long call_uname(struct utsname *out)
{
    long result = raw_own(SYS_uname, (long)out, 0);
    if (result == 0 && answers())
        host_name(out);
    return result;
}

/* glibc copies what fits before it says that not all did; musl cuts off. */
long libc_gethostname(char *name, size_t len)
{
    static const char fixed[] = HOST_NAME;
    if (!answers())
        return real_result(REAL_LIBC(gethostname)(name, len));
    size_t n = len < sizeof(fixed) ? len : sizeof(fixed);
    memcpy(name, fixed, n);
    if (n < sizeof(fixed) && !shim.glibc && n > 0)
        name[n - 1] = '\0';
    return n < sizeof(fixed) && shim.glibc ? -ENAMETOOLONG : 0;
}

long libc_getdomainname(char *name, size_t len)
{
    static const char fixed[] = HOST_DOMAIN;
    if (!answers())
        return real_result(REAL_LIBC(getdomainname)(name, len));
    if (len < sizeof(fixed) && !shim.glibc)
        return -EINVAL;
    memcpy(name, fixed, len < sizeof(fixed) ? len : sizeof(fixed));
    return 0;
}

/* Hardware addresses, as by ioctl, and how much has passed. */
static void hide_link(const struct ifaddrs *i)
{
    struct sockaddr_ll *link = (struct sockaddr_ll *)(void *)i->ifa_addr;
    memset(link->sll_addr, 0, sizeof(link->sll_addr));
    if (i->ifa_data)
        memset(i->ifa_data, 0, LINK_STATISTICS);
}

long libc_getifaddrs(struct ifaddrs **list)
{
    long result = real_result(REAL_LIBC(getifaddrs)(list));
    for (struct ifaddrs *i = result == 0 && answers() ? *list : NULL; i; i = i->ifa_next)
        if (i->ifa_addr && i->ifa_addr->sa_family == AF_PACKET)
            hide_link(i);
    return result;
}

/* Nobody has logged in: who did is not who the program runs as. musl asks the environment. */
bool host_hides_login(void)
{
    return answers() && shim.glibc;
}

long libc_getlogin_r(char *name, size_t room)
{
    return host_hides_login() ? ENXIO : REAL_LIBC(getlogin_r)(name, room);
}

static bool answers_state(void)
{
    return task_self() && !task_leaves_real(DETRUN_PROC);
}

long libc_getloadavg(double *averages, int n)
{
    if (!answers_state())
        return REAL_LIBC(getloadavg)(averages, n);
    int count = n < 3 ? n : 3;
    for (int i = 0; i < count; i++)
        averages[i] = 0;
    return count > 0 ? count : 0;
}

long libc_get_phys_pages(void)
{
    return answers_state() ? HOST_MEMORY_KB / HOST_PAGE_KB : REAL_LIBC(get_phys_pages)();
}

long libc_get_avphys_pages(void)
{
    return answers_state() ? HOST_FREE_KB / HOST_PAGE_KB : REAL_LIBC(get_avphys_pages)();
}

long machine_pages(int name)
{
    if (!answers_state())
        return 0;
    return name == _SC_PHYS_PAGES     ? HOST_MEMORY_KB / HOST_PAGE_KB
           : name == _SC_AVPHYS_PAGES ? HOST_FREE_KB / HOST_PAGE_KB
                                      : 0;
}
