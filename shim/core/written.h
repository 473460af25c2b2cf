/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the job knows of the files that it has written: when, by the clock of who did. One table in
 * the job memory; entries are made by compare-and-swap and stay.
 *
 * The kernel's own stamps cannot serve: they tick in real time, every 4 ms or so, and how much of
 * the program lies between two ticks is the machine's. So what decides is what programs do (open
 * for writing, write, close a stream), never what the kernel's stamp says of it.
 */
#ifndef DETRUN_CORE_WRITTEN_H
#define DETRUN_CORE_WRITTEN_H

#include "detrun/abi.h"

/** Two files that one task writes one after the other are this far apart. */
#define WRITTEN_TICK_NS UINT64_C(1000)

/** The file's entry, made when it has none. NULL: the table is full, which is counted. */
struct detrun_written *written_entry(struct detrun_memory *m, uint64_t dev, uint64_t ino);

/** When was it last written? 0: not known. */
int64_t written_at(struct detrun_memory *m, uint64_t dev, uint64_t ino);

/** It was written at this time: the latest one counts, whoever comes first. */
void written_raise(struct detrun_written *file, int64_t ns);

/** It is removed: the next file with its inode was not written yet. */
void written_forget(struct detrun_memory *m, uint64_t dev, uint64_t ino);

#endif
