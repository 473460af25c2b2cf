/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What a shim without launcher reads from the environment: E2E_SEED, E2E_TIME_STEP_MS, epoch.
 */
#ifndef DETRUN_SHIM_SETTINGS_H
#define DETRUN_SHIM_SETTINGS_H

#include <stdbool.h>

#include "detrun/abi.h"

/** Fill seed, key, steps and epoch. @return false when a value is bad: the shim stays inert. */
bool settings_from_environment(struct detrun_params *params, char *const *envp);

/** @return E2E_SEED, 0 when it is missing or bad. */
uint64_t settings_seed(char *const *envp);

/** Fill in what exec must put back: the shim's path and the E2E variables as they are. */
void settings_for_children(struct detrun_params *params, char *const *envp);

#endif
