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

struct filter_program {
    const struct sock_filter *code;
    size_t count;
};

enum filter_variant { FILTER_PLAIN, FILTER_TRAP_OPEN };

/** Indexed by enum filter_variant. */
extern const struct filter_program filter_programs[2];

/**
 * Put the calling thread and all it starts under the filter. Sets no_new_privs only where the
 * kernel asks for it, so that setuid programs still work under root.
 * @param no_privs  out: true where it was set
 * @return the listener (close-on-exec), or -errno: EPERM, EINVAL, ENOSYS (not allowed or not
 *         known here), EBUSY (another listener is in the chain)
 */
int filter_install(enum filter_variant variant, bool *no_privs);

#endif
