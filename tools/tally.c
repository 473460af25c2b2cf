/* SPDX-License-Identifier: MIT */
/*
 * What the runs together say: inputs and outcomes are compared apart, so that a bug is told from a
 * flake that the seed does not cause.
 */
#include "tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void compare(struct tally *t, const struct iteration *i)
{
    if (t->other_end == 0 && !iteration_same_end(&t->first, i))
        t->other_end = i->number;
    if (t->other_inputs == 0 && strcmp(t->first.inputs, i->inputs) != 0)
        t->other_inputs = i->number;
    if (t->other_output == 0 && !iteration_same_output(&t->first, i))
        t->other_output = i->number;
}

void tally_add(struct tally *t, const struct iteration *i)
{
    t->runs++;
    t->outcomes[i->outcome]++;
    if (i->outcome == RUN_SKIPPED)
        return;
    if (t->first.number == 0)
        t->first = *i;
    else if (!t->varied)
        compare(t, i);
}

static uint64_t unsuccessful(const struct tally *t)
{
    return t->outcomes[RUN_FAILED] + t->outcomes[RUN_ERRORED];
}

static const char *varied(const struct tally *t, char *text, size_t room)
{
    if (unsuccessful(t) == 0) {
        snprintf(text, room, "passed with each seed");
        return "same";
    }
    if (t->failed_otherwise != 0) {
        snprintf(text, room,
                 "%" PRIu64 " of %" PRIu64 " failures were not there again with the same inputs: "
                 "a flake that the seed does not cause",
                 t->failed_otherwise, unsuccessful(t));
        return "flaky";
    }
    snprintf(text, room,
             "failed again with the same inputs: a real bug, which %" PRIu64 " of the seeds show",
             t->failed_again);
    return "diverged";
}

static const char *only_one(const struct tally *t, char *text, size_t room)
{
    static const char *const sentences[] = {
        [RUN_PASSED] = "passed", [RUN_FAILED] = "failed", [RUN_ERRORED] = "ended in an error"};
    snprintf(text, room, "one run %s: there is nothing to compare it with",
             sentences[t->first.outcome]);
    return "inconclusive";
}

static const char *ended_alike(const struct tally *t, char *text, size_t room)
{
    static const char *const sentences[] = {[RUN_PASSED] = "passed",
                                            [RUN_FAILED] =
                                                "failed again with the same inputs: a real bug",
                                            [RUN_ERRORED] = "error in every run"};
    const char *sentence = sentences[t->first.outcome];
    if (t->other_output == 0)
        snprintf(text, room, "%s", sentence);
    else
        snprintf(text, room, "%s; but what run %" PRIu64 " wrote is not what run %" PRIu64 " wrote",
                 sentence, t->other_output, t->first.number);
    return t->other_output ? "diverged" : "same";
}

const char *tally_verdict(const struct tally *t, char *text, size_t room)
{
    if (t->first.number == 0) {
        snprintf(text, room, "%s", t->runs ? "all were skipped" : "nothing was run");
        return "inconclusive";
    }
    if (t->broken) {
        snprintf(text, room, "not all runs could be made");
        return "inconclusive";
    }
    if (t->varied)
        return varied(t, text, room);
    if (t->runs - t->outcomes[RUN_SKIPPED] == 1)
        return only_one(t, text, room);
    if (t->other_end == 0)
        return ended_alike(t, text, room);
    if (t->other_inputs == 0)
        snprintf(text, room,
                 "inputs equal, outcome not (run %" PRIu64
                 "): a flake that the seed does not cause",
                 t->other_end);
    else
        snprintf(text, room,
                 "outcome (run %" PRIu64 ") and inputs (run %" PRIu64
                 ") differ: something is not controlled; see detrun -v",
                 t->other_end, t->other_inputs);
    return "flaky";
}

int tally_status(const struct tally *t)
{
    if (t->first.number == 0)
        return 3;
    return unsuccessful(t) != 0 || t->other_end != 0;
}
