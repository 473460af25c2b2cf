/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The effective settings of a run as texts: what its answers depend on.
 */
#ifndef DETRUN_LAUNCHER_CONFIG_H
#define DETRUN_LAUNCHER_CONFIG_H

#include <stdio.h>

#include "options.h"

typedef void config_visit(const char *name, const char *text, void *argument);

/** In the order of their names; those of one name as they were given. */
void config_each(const struct options *o, config_visit *visit, void *argument);

/** Those alone that are not as without any option, each name once: set, unset and export are left
 * out. The seed is always among them. */
void config_each_given(const struct options *o, config_visit *visit, void *argument);

/** "name=value" lines, as --config reads them. */
void config_print(FILE *out, const struct options *o);

#define CONFIG_SHA256_TEXT 65

/** SHA-256 of those lines, in hexadecimal digits. */
void config_sha256(const struct options *o, char text[CONFIG_SHA256_TEXT]);

/** A line for a shell that repeats the run, without what o->redact finds in its words.
 * @param argv0  how detrun was called */
void config_print_repeat(FILE *out, const struct options *o, const char *argv0);

/** Its two parts: further options may stand between them. */
void config_print_repeat_options(FILE *out, const struct options *o, const char *argv0);
void config_print_repeat_command(FILE *out, const struct options *o);

#endif
