/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Names that no file of the shim may use: each allocates, locks, prints, or ends the process.
 * Include it last.
 */
#ifndef DETRUN_SHIM_POISON_H
#define DETRUN_SHIM_POISON_H

#pragma GCC poison malloc calloc realloc free printf fprintf snprintf sprintf puts perror getenv   \
    setenv unsetenv putenv dlsym abort exit _exit

#endif
