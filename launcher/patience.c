/* SPDX-License-Identifier: MIT */
#include "patience.h"

#include "lineage.h"

#define COMPUTING_NS UINT64_C(1000000000)
#define IDLE_NS      UINT64_C(1000000000)
#define PATIENCE_NS  UINT64_C(20000000000)
/* So many have a second, as many half of one, and so on: some seconds in all. */
#define EQUALS       4
#define HALVINGS     16

static struct {
    uint64_t moved_ns; /**< when time moved last: what follows is of no use after it moves again */
    const struct detrun_task *first;
    uint64_t since_ns;
    uint64_t computed_ns; /**< then */
    unsigned lost;
} patience;

/* When time had moved before it was last woken out of turn. Jobs inside the job share it. */
static uint64_t woken[DETRUN_MAX_TASKS];

static uint64_t *woken_at(const struct sleeper *first)
{
    return &woken[lineage_index(first->job->memory, first->task) % DETRUN_MAX_TASKS];
}

static void look_at(const struct supervisor_keeper *k, const struct sleeper *first, uint64_t now)
{
    if (patience.moved_ns != k->since_ns) {
        patience.moved_ns = k->since_ns;
        patience.first = NULL;
        patience.lost = 0;
    }
    if (patience.first != first->task)
        patience.since_ns = now;
    /* What a process has computed goes with it. */
    if (patience.first != first->task || k->computed_last_ns < patience.computed_ns)
        patience.computed_ns = k->computed_last_ns;
    patience.first = first->task;
}

bool patience_is_over(struct supervisor *s, const struct sleeper *first, uint64_t now)
{
    const struct supervisor_keeper *k = &s->keeper;
    if (first->timer || *woken_at(first) == k->since_ns)
        return true;
    look_at(k, first, now);
    unsigned halvings = patience.lost / EQUALS;
    return halvings > HALVINGS ||
           k->computed_last_ns - patience.computed_ns > COMPUTING_NS >> halvings ||
           now - k->idle_since_ns > IDLE_NS || now - patience.since_ns > PATIENCE_NS;
}

void patience_lost(struct supervisor *s, const struct sleeper *first)
{
    if (first->timer)
        return;
    if (*woken_at(first) != s->keeper.since_ns)
        patience.lost++;
    *woken_at(first) = s->keeper.since_ns;
}
