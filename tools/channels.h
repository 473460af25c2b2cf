/* SPDX-License-Identifier: MIT */
/**
 * @file
 * All that a run leaves: named files, stages that it recorded, its two streams, how it ended. Those
 * of the first run are kept, and the others' are compared with them, in this order: how it ended
 * follows from the rest.
 */
#ifndef DETRUN_TOOLS_CHANNELS_H
#define DETRUN_TOOLS_CHANNELS_H

#include "compare.h"
#include "iteration.h"
#include "runner.h"
#include "trace_channel.h"

#define CHANNELS_FILES 32
#define CHANNELS_OWN   4 /**< stages, stdout, stderr, exit, behind the files */
#define CHANNELS_MAX   (CHANNELS_OWN + CHANNELS_FILES)

/** What one run left in one channel. */
struct channel {
    bool missing;
    bool differs; /**< from the first run's */
    size_t length;
};

struct channels {
    unsigned files;
    const char *paths[CHANNELS_FILES];
    enum level level; /**< what may differ and still be the same */
    bool only_end;    /**< what else they leave may differ: they have other seeds */
    uint64_t runs;
    bool failed;      /**< something could not be read, after a message */
    bool staged;      /**< a run recorded stages */
    uint64_t not_run; /**< runs that were skipped, or whose command cannot be run */
    struct artifact first[CHANNELS_MAX];
    char inputs[DIGEST_TEXT];
    uint64_t differing[CHANNELS_MAX]; /**< runs that differ from the first */
    uint64_t diverged;                /**< the first of them; 0: none */
    unsigned channel;                 /**< in which it did first, and how */
    struct comparison how;
    struct artifact pair[2][CHANNELS_MAX]; /**< all that its first run and that one left */
    struct channel last[CHANNELS_MAX];     /**< of the run that was taken last */
    struct trace_channel traces;
    uint64_t other_inputs; /**< the first run that was answered otherwise; 0: none */
};

bool channels_add_file(struct channels *c, const char *path);
bool channels_set_level(struct channels *c, const char *name);

unsigned channels_count(const struct channels *c);
const char *channels_name(const struct channels *c, unsigned channel);
/** Stages count where there are some. */
bool channels_is_used(const struct channels *c, unsigned channel);

/** Was anything compared? Not where all runs were skipped, nothing was run, or a named file was
 * never there. @return NULL, or why not */
const char *channels_nothing(const struct channels *c);

/** One more run has ended. */
void channels_take(struct channels *c, const struct iteration *i);

/** The next run is another first one. */
void channels_restart(struct channels *c);

/** Where it parted from the first one, on standard output; and a divergence record. */
void channels_say(const struct channels *c);
void channels_record(const struct channels *c, struct runner *r);

/** A member "divergence": the members of that record, or null. */
void channels_put_divergence(FILE *out, const struct channels *c);

#endif
