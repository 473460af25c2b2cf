/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The subcommands. Each takes the words behind its name and returns an exit status; COMMAND_USAGE
 * of commands.h after one line that says what is wrong.
 */
#ifndef DETRUN_TOOLS_TOOLS_H
#define DETRUN_TOOLS_TOOLS_H

#include "commands.h"

/** The effective settings of a run, as sorted lines. 0 */
int tool_config(char **words);

/** What takes the job to another machine. 0 */
int tool_env(char **words);

/** Which failures do records tell of? 0 none, 1 some */
int tool_failures(char **words);

/** The fixture's answers for a shell. 0 */
int tool_fixture(char **words);

/** A record of what a shell saw or did. 0 */
int tool_note(char **words);

/** Many runs of a command. 0 passed, 1 failed or diverged, 3 nothing to compare */
int tool_repeat(char **words);

/** A recorded failure again. 0 reproduced, 1 not, 3 it was not run to its end */
int tool_replay(char **words);

/** Seeds of tests. 0 */
int tool_seed(char **words);

/** What a job was answered. 0, 3: the trace is not whole */
int tool_trace(char **words);

/** UUIDs of a seed, or random ones. 0 */
int tool_uuid(char **words);

/** Is a command deterministic? 0 same, 1 diverged or not as expected, 3 nothing to compare */
int tool_verify(char **words);

/** Many runs, each compared with the first of its seed. 0 same, 1 diverged, 3 nothing compared */
int tool_soak(char **words);

/** What did a run use, and what of it was not controlled? 0 nothing, 1 something */
int tool_audit(char **words);

/** On which sources does the outcome depend? 1: it is not the same with none of them real */
int tool_bisect(char **words);

/** Two files or folders: the first change and its kind. 0 same, 1 different, 3 nothing to compare
 */
int tool_diff(char **words);

/** The same inputs to two commands. 0 same, 1 diverged */
int tool_shadow(char **words);

/** A recorded failure in a file of its own; and are such failures back? 0 none, 1 some */
int tool_keep(char **words);
int tool_check(char **words);

#endif
