/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Port numbers that the program leaves to the system.
 *
 * How one is asked for: the socket's own range (IP_LOCAL_PORT_RANGE, Linux 6.3) is narrowed to it
 * for the time of the call, so that the kernel judges as natively whether it is free: for a
 * listener, for this one connection, beside sockets that share. Widened again, nothing is left.
 */
#ifndef DETRUN_CORE_PORT_H
#define DETRUN_CORE_PORT_H

#include <stdbool.h>
#include <stddef.h>

#include "decimal.h"
#include "stream.h"

#define PORT_TRIES    16 /**< then the kernel chooses */
#define PORT_OPTION   51 /**< IP_LOCAL_PORT_RANGE: the first one, and the last one << 16 */
#define PORT_DEFAULTS "/proc/sys/net/ipv4/ip_local_port_range"

struct port_range {
    unsigned first;
    unsigned last;
};

/** Linux's own. Taken on every machine that has these ports to give, so that all give the same. */
static inline struct port_range port_range_default(void)
{
    return (struct port_range){32768, 60999};
}

/** @param text  of PORT_DEFAULTS: two numbers */
static inline struct port_range port_range_read(const char *text, size_t n)
{
    struct port_range all = port_range_default();
    int first;
    int last;
    size_t digits = decimal_get(text, n, &first);
    size_t at = digits;
    while (at < n && (text[at] == '\t' || text[at] == ' '))
        at++;
    if (digits == 0 || decimal_get(text + at, n - at, &last) == 0)
        return all;
    bool has_all = (unsigned)first <= all.first && (unsigned)last >= all.last;
    if (has_all || first < 1 || last > 65535 || first > last)
        return all;
    return (struct port_range){(unsigned)first, (unsigned)last};
}

/** The range that a socket's option holds; 0: none of its own, the zeros are filled from `all`. */
static inline struct port_range port_range_own(uint32_t option, struct port_range all)
{
    unsigned first = option & 0xffff;
    unsigned last = option >> 16;
    struct port_range own = {first ? first : all.first, last ? last : all.last};
    return own.first <= own.last ? own : all;
}

/** A draw for each port that is asked for, however many tries it takes: those after it then have
 * the same ones whatever is in use. */
static inline uint32_t port_draw(const struct detrun_memory *m, struct detrun_task *t)
{
    uint32_t draw;
    stream_fill(m, t, DETRUN_STREAM_PORT, NULL, &draw, sizeof(draw));
    return draw;
}

/** The port to try, as the option's value: a range of this one. */
static inline uint32_t port_option(uint32_t draw, unsigned tries, struct port_range range)
{
    uint64_t count = range.last - range.first + 1;
    uint32_t spread = draw + tries * UINT32_C(0x9e3779b9);
    unsigned port = range.first + (unsigned)(spread * count >> 32);
    return port << 16 | port;
}

#endif
