/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What detrun does besides running a command. Each takes the words behind its name and returns an
 * exit status.
 */
#ifndef DETRUN_LAUNCHER_COMMANDS_H
#define DETRUN_LAUNCHER_COMMANDS_H

/** A word of theirs is wrong, or what they say cannot be written. */
#define COMMAND_USAGE 2

/** What this machine allows. 0: all that detrun needs */
int command_doctor(char **words);

/** Do two runs with one seed agree here? 0: they do */
int command_selftest(char **words);

/** Runs by those two. */
int command_addresses(char **words);
int command_answers(char **words);

#endif
