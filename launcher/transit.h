/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What two sockets of this host have on its way between them. TCP holds back small segments until
 * earlier ones are acknowledged (RFC 896), and acknowledges late (RFC 1122, 4.2.3.2: 40 ms here),
 * by timers of the kernel's: both ends are blocked meanwhile, and yet one of them is about to go
 * on.
 */
#ifndef DETRUN_LAUNCHER_TRANSIT_H
#define DETRUN_LAUNCHER_TRANSIT_H

enum transit {
    TRANSIT_NONE,    /**< no connection has both ends here, as far as can be seen */
    TRANSIT_QUIET,   /**< some have, and all that was sent has arrived */
    TRANSIT_PENDING, /**< something has not */
};

/** All connections of the supervisor's network namespace, sock_diag(7). */
enum transit transit_look(void);

#endif
