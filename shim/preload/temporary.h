/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Names that mkdtemp(3) and mktemp(3) make of a template.
 */
#ifndef DETRUN_SHIM_TEMPORARY_H
#define DETRUN_SHIM_TEMPORARY_H

/** @return 0 or -errno */
long temporary_folder(char *name);
long temporary_name(char *name);

#endif
