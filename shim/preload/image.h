/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What an exec will run.
 */
#ifndef DETRUN_SHIM_IMAGE_H
#define DETRUN_SHIM_IMAGE_H

#include <stdbool.h>

/** May an image load the shim, as far as where and behind what it will run goes? */
bool image_may_take_shim(void);

/** Can this file's image load the shim? A 32-bit one cannot; scripts and what cannot be read pass.
 */
bool image_takes_shim(int dir, const char *path);

/** The same for a name that libc looks for in PATH. */
bool image_named_takes_shim(const char *name);

#endif
