/* SPDX-License-Identifier: MIT */
#include "report_causes.h"

#include <inttypes.h>
#include <string.h>

#include "coverage.h"
#include "trace_diff.h"

/** By a part of the kind's name. */
static const struct hint {
    const char *kind;
    const char *text;
} hints[] = {
    {"same values, other binding",
     "The values are the same but belong to other things. Sort these things by something that does "
     "not change, as a name, before numbers or ids are given to them."},
    {"key order", "The keys of an object were written in another order, as a table of hashes lists "
                  "them. Sort them when writing."},
    {"column order", "The columns are in another order, which often follows from that of a "
                     "table of hashes. Name the columns in a fixed order."},
    {"order of", "The parts are the same and only their order is not: a table of hashes, a folder "
                 "or the results of threads were listed as they came. Sort them."},
    {"line endings", "The lines end otherwise: one side has carriage returns."},
    {"trailing newline", "One side ends in a newline and the other does not."},
    {"null against empty string", "One side has nothing where the other has an empty text."},
    {"only in the", "One side did not make this file at all."},
};

void report_explain_kind(struct report *r)
{
    const char *kind = r->stages[r->first].how.kind;
    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
        if (strstr(kind, hints[i].kind)) {
            report_add_cause(r, report_text("%s", hints[i].text));
            return;
        }
}

/* @return how many there were */
static unsigned explain_real(struct report *r, const struct options *o, bool asked)
{
    unsigned found = 0;
    for (size_t i = 0; i < DETRUN_SOURCES; i++) {
        int64_t n = coverage_answers(r->coverage[1], i);
        if ((o->real >> i & 1) == 0 || (n != 0) != asked)
            continue;
        found++;
        report_add_cause(r, n != 0
                                ? report_text("\"%s\" was left to the machine (--real %s), and the "
                                              "program asked for it %" PRId64
                                              " times: leave that option out.",
                                              coverage_sources[i], coverage_sources[i], n)
                                : report_text("\"%s\" was left to the machine (--real %s): leave "
                                              "that option out.",
                                              coverage_sources[i], coverage_sources[i]));
    }
    return found;
}

static unsigned explain_gaps(struct report *r)
{
    unsigned found = 0;
    for (size_t i = 0; i < DETRUN_GAPS; i++) {
        int64_t n = coverage_count(r->coverage[1], i);
        const char *advice = coverage_advice(i);
        if (n == 0 || *advice == '\0')
            continue;
        found++;
        report_add_cause(r, report_text("Not controlled: %s, %" PRId64 " times (%s). What to do: "
                                        "%s.",
                                        coverage_gaps[i].name, n,
                                        coverage_sources[coverage_gaps[i].source], advice));
    }
    return found;
}

static unsigned explain_supervisor(struct report *r, const struct options *o)
{
    if (!o->no_supervisor)
        return 0;
    report_add_cause(r, report_text("The supervisor was off (--no-supervisor): calls by bare "
                                    "instruction, and static programs, were answered by the "
                                    "machine. Leave that option out."));
    return 1;
}

static void explain_rest(struct report *r, bool other_inputs)
{
    if (other_inputs)
        report_add_cause(r, report_text("The runs did not ask detrun for the same things in the "
                                        "same order: threads or processes overtook each other. "
                                        "Look for a race, or for results that are taken in the "
                                        "order in which they are ready."));
    if (r->trace)
        report_add_cause(
            r, report_text("Up to where the answers part (below): %s.", trace_cause(r->trace)));
    else if (!other_inputs)
        report_add_cause(r, report_text("All that detrun answered was the same in both runs. What "
                                        "is left: a race between threads, addresses in memory, "
                                        "and what is outside: files that were there before and "
                                        "changed, other programs, the network."));
}

void report_find_causes(struct report *r, const struct options *o, bool other_inputs)
{
    unsigned found = explain_real(r, o, true);
    found += explain_supervisor(r, o);
    found += explain_gaps(r);
    found += explain_real(r, o, false);
    report_explain_kind(r);
    if (found == 0 || other_inputs)
        explain_rest(r, other_inputs);
}
