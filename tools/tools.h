/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The subcommands. Each takes the words behind its name and returns an exit status; COMMAND_USAGE
 * of commands.h after one line that says what is wrong.
 */
#ifndef DETRUN_TOOLS_TOOLS_H
#define DETRUN_TOOLS_TOOLS_H

#include "commands.h"

/** Which failures do records tell of? 0 none, 1 some */
int tool_failures(char **words);

/** Many runs of a command. 0 passed, 1 failed or diverged, 3 nothing to compare */
int tool_repeat(char **words);

/** A recorded failure again. 0 reproduced, 1 not, 3 it was not run to its end */
int tool_replay(char **words);

#endif
