/* SPDX-License-Identifier: MIT */
/**
 * @file
 * --redact: what of a record comes from the command or its program, without what a regular
 * expression finds in it. What detrun itself says in a record is never touched: names of members,
 * events, places, seeds, digests, verdicts.
 */
#ifndef DETRUN_LAUNCHER_REDACT_H
#define DETRUN_LAUNCHER_REDACT_H

/** What stands for what was found. */
#define REDACTED "[redacted]"

/** @return the text, the caller's; NULL: out of memory. @param pattern  "": nothing is found */
char *redact_text(const char *pattern, const char *text);

/**
 * @param record  a JSON object without its closing brace
 * @return the same, the caller's; where something was found, with "redacted":true at its end.
 *         NULL: out of memory
 */
char *redact_record(const char *pattern, const char *record);

#endif
