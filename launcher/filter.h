/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The seccomp filter: which calls reach the supervisor. Generated at build time from calls.def.
 */
#ifndef DETRUN_LAUNCHER_FILTER_H
#define DETRUN_LAUNCHER_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

#include "detrun/calls_doors.h"

struct filter_program {
    const struct sock_filter *code;
    size_t count;
};

/** Indexed by a set of enum calls_option. */
extern const struct filter_program filter_programs[CALLS_FILTERS];

/**
 * Put the calling thread and all it starts under the filter. Sets no_new_privs only where the
 * kernel asks for it, so that setuid programs still work under root.
 * @param options   a set of enum calls_option
 * @param no_privs  out: true where it was set
 * @return the listener (close-on-exec), or -errno: EPERM, EINVAL, ENOSYS (not allowed or not
 *         known here), EBUSY (another listener is in the chain)
 */
int filter_install(unsigned options, bool *no_privs);

#endif
