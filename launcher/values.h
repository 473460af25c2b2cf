/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Texts of settings as values. All return false on anything but a whole, valid text.
 */
#ifndef DETRUN_LAUNCHER_VALUES_H
#define DETRUN_LAUNCHER_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Decimal or 0x hex, up to 2^64-1. No sign, blank, underscore. */
bool value_u64(const char *text, uint64_t *value);

/** 1 true yes on / 0 false no off and empty, any case. */
bool value_boolean(const char *text, bool *value);

/** A decimal number with at most nine places and a unit ns us ms s m h d; none: the default. */
bool value_duration(const char *text, uint64_t default_unit_ns, uint64_t *ns);

/** Unix seconds only, as SOURCE_DATE_EPOCH has them. */
bool value_unix_seconds(const char *text, int64_t *ns);

/** Unix seconds, RFC 3339, now, or now +/- a number of s m h d w y (365 days). */
bool value_epoch(const char *text, int64_t now_ns, int64_t *ns, bool *relative);

/** A comma-separated list of sources and groups as a mask of enum detrun_source. */
bool value_real(const char *text, uint32_t *mask);

/** The mask as such a list. */
void value_put_real(uint32_t mask, char *names, size_t room);

/** Those of the list, given by their own names, that nothing answers yet: "inodes host"; or "". */
void value_real_anyway(const char *text, char *names, size_t room);

#endif
