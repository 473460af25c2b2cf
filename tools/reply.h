/* SPDX-License-Identifier: MIT */
/**
 * @file
 * --format json: what a subcommand answers, as one object on a line of standard output
 * (docs/answers.schema.json). What could not be carried out has none: a line on standard error and
 * status 2.
 */
#ifndef DETRUN_TOOLS_REPLY_H
#define DETRUN_TOOLS_REPLY_H

#include <stdbool.h>
#include <stdio.h>

/** Read --format: "text" or "json". @return false: neither */
bool reply_format(bool *json, const char *text);

/** What is said for people from now on goes nowhere. @return 0, or -1 after a message */
int reply_begin(void);

/** The object's beginning. @return where its members go; NULL after a message */
FILE *reply_open(const char *command);

/** And its end. @return the status; COMMAND_USAGE after a message: it could not be written */
int reply_close(FILE *out, int status);

#endif
