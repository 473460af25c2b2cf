/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The environment of the command: what it had, and what detrun adds, in a fixed order and with
 * values of constant length for one set of options.
 */
#ifndef DETRUN_LAUNCHER_ENVIRONMENT_H
#define DETRUN_LAUNCHER_ENVIRONMENT_H

#include "options.h"

/** @return a new vector; also fills p->putback. NULL: out of memory. */
char **environment_build(const struct options *o, struct detrun_params *p, bool takes_shim);

/** Remove the entries of that name, or, of NAME_*, of all names that begin so. */
void environment_drop(char **environment, const char *name);

/** @return the value, or NULL */
const char *environment_find(char *const *environment, const char *name);

/** Replace the entry of that name, or append it: the vector has room for one. @return 0 */
int environment_put(char **environment, char *entry);

#define ENVIRONMENT_ASAN        "ASAN_OPTIONS"
/** gcc's shared ASan refuses to start behind another preloaded library. */
#define ENVIRONMENT_ASAN_OPTION "verify_asan_link_order=0"

/** Take a word out of a list separated by colons or blanks. @return whether it was there */
bool environment_drop_word(char *list, const char *word);

#endif
