/* SPDX-License-Identifier: MIT */
#include "trace_channel.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "json.h"

/* Where there was no supervisor the file is empty. */
static bool open_trace(struct trace_reader *r, int fd)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return fd > 0 && trace_is_one(path) && trace_reader_open(r, path) == 0;
}

static void free_pair(struct trace_pair *pair)
{
    if (!pair)
        return;
    trace_reader_close(&pair->a);
    trace_reader_close(&pair->b);
    free(pair);
}

/* @return NULL: there is nothing to compare */
static struct trace_pair *compare_with_first(const struct trace_channel *t,
                                             const struct iteration *i)
{
    struct trace_pair *pair = calloc(1, sizeof(*pair));
    if (!pair)
        return NULL;
    pair->a.fd = pair->b.fd = -1;
    if (open_trace(&pair->a, t->first) && open_trace(&pair->b, i->trace) &&
        trace_compare(&pair->a, &pair->b, &pair->comparison) == 0) {
        snprintf(pair->names[0], sizeof(pair->names[0]), "run 1");
        snprintf(pair->names[1], sizeof(pair->names[1]), "run %" PRIu64, i->number);
        pair->a.path = pair->names[0];
        pair->b.path = pair->names[1];
        return pair;
    }
    free_pair(pair);
    return NULL;
}

void trace_channel_take(struct trace_channel *t, const struct iteration *i, bool matters)
{
    if (i->trace <= 0)
        return;
    if (t->runs++ == 0) {
        t->first = fcntl(i->trace, F_DUPFD_CLOEXEC, 3);
        return;
    }
    struct trace_pair *pair = compare_with_first(t, i);
    bool differs = pair && pair->comparison.differing > 0;
    t->compared += pair != NULL;
    t->differing += differs;
    if (differs && (matters || !t->kept)) {
        struct trace_pair *old = t->kept;
        t->kept = pair;
        pair = old;
    }
    free_pair(pair);
}

void trace_channel_restart(struct trace_channel *t)
{
    if (t->first > 0 && !t->kept)
        close(t->first);
    t->first = 0;
    t->runs = 0;
}

void trace_channel_say(const struct trace_channel *t)
{
    const char *separator = "";
    if (!t->kept)
        return;
    const struct trace_comparison *c = &t->kept->comparison;
    fputs("traces differ in: ", stdout);
    for (int k = 0; k < TRACE_CHANNELS; k++)
        if (c->by_channel[k] != 0) {
            printf("%s%s (%" PRIu64 " tasks)", separator, trace_channel_names[k], c->by_channel[k]);
            separator = ", ";
        }
    putchar('\n');
    trace_say(stdout, c);
}

void trace_channel_put(FILE *out, const struct trace_channel *t)
{
    fprintf(out, ",\"traces\":{\"compared\":%" PRIu64 ",\"differing\":%" PRIu64, t->compared,
            t->differing);
    if (t->kept) {
        for (int k = 0; k < TRACE_CHANNELS; k++)
            fprintf(out, "%s\"%s\":%" PRIu64, k ? "," : ",\"channels\":{", trace_channel_names[k],
                    t->kept->comparison.by_channel[k]);
        fputs("},\"first_change\":", out);
        trace_say_json(out, &t->kept->comparison);
    }
    fputc('}', out);
}

const char *trace_channel_cause(const struct trace_channel *t)
{
    return t->kept ? trace_cause(&t->kept->comparison) : NULL;
}
