/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <ifaddrs.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <sys/socket.h>

#include "guest.h"

static void check_link(const struct ifaddrs *i)
{
    static const unsigned char none[6];
    const struct sockaddr_ll *link = (const struct sockaddr_ll *)(const void *)i->ifa_addr;
    const struct rtnl_link_stats *statistics = i->ifa_data;
    CHECK(link->sll_ifindex > 0);
    if (!under_detrun())
        return;
    CHECK(memcmp(link->sll_addr, none, sizeof(none)) == 0);
    CHECK(!statistics || (statistics->rx_packets == 0 && statistics->tx_bytes == 0));
}

int main(void)
{
    struct ifaddrs *all;
    unsigned addresses = 0;
    CHECK(getifaddrs(&all) == 0);
    for (struct ifaddrs *i = all; i; i = i->ifa_next) {
        CHECK(i->ifa_name[0] != '\0');
        if (i->ifa_addr && i->ifa_addr->sa_family == AF_PACKET)
            check_link(i);
        else if (i->ifa_addr)
            addresses++;
    }
    freeifaddrs(all);
    show("addresses", addresses);
    return guest_end();
}
