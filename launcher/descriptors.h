/* SPDX-License-Identifier: MIT */
#ifndef DETRUN_LAUNCHER_DESCRIPTORS_H
#define DETRUN_LAUNCHER_DESCRIPTORS_H

/** Close all descriptors above 2 except those listed (at most 8; negative ones are ignored). */
void descriptors_close_except(const int *keep, unsigned n);

#endif
