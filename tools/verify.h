/* SPDX-License-Identifier: MIT */
#ifndef DETRUN_TOOLS_VERIFY_H
#define DETRUN_TOOLS_VERIFY_H

#include "artifact.h"
#include "conditions.h"
#include "plan.h"

#define VERIFY_FILES      32
#define VERIFY_FIRST_FILE 3 /**< behind exit, stdout, stderr */
#define VERIFY_CHANNELS   (VERIFY_FIRST_FILE + VERIFY_FILES)

struct verify {
    struct plan plan; /**< first */
    unsigned files;
    const char *paths[VERIFY_FILES]; /**< --artifact */
    const char *expect;
    const char *reason;
    bool write;
    bool update;

    struct conditions conditions;
    uint64_t runs;
    bool failed;  /**< an artefact could not be read */
    bool skipped; /**< the first run was */
    struct artifact first[VERIFY_CHANNELS];
    char inputs[DIGEST_TEXT];
    uint64_t differing[VERIFY_CHANNELS]; /**< runs that differ from the first */
    uint64_t diverged;                   /**< the first of them; 0: none */
    unsigned channel;                    /**< in which it did */
    struct difference difference;
    char candidate[DIGEST_TEXT]; /**< what it left there */
    uint64_t other_inputs;       /**< the first run that was answered otherwise; 0: none */
};

unsigned verify_channels(const struct verify *v);
const char *verify_channel_name(const struct verify *v, unsigned channel);

#endif
