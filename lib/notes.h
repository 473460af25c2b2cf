/* SPDX-License-Identifier: MIT */
#ifndef DETRUN_LIB_NOTES_H
#define DETRUN_LIB_NOTES_H

#include <stdint.h>

/** detrun_stage() of bytes that are known by their number and digest. */
int notes_stage(const char *name, uint64_t length, const char *digest);

#endif
