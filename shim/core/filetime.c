/* SPDX-License-Identifier: MIT */
#include "filetime.h"

#include <stdbool.h>

#define SQUEEZE 17 /* times between the first one and the epoch are that much closer together */

void filetime_choose_shift(struct detrun_params *params, int64_t start_ns)
{
    int64_t missing = start_ns + FILETIME_MARGIN - params->epoch_ns;
    params->file_start_ns = start_ns;
    params->file_shift_ns = missing > 0 ? FILETIME_DAY : 0;
    while (params->file_shift_ns < missing)
        params->file_shift_ns *= 2;
}

static int64_t first_moved(const struct detrun_params *p)
{
    int64_t first = p->epoch_ns - p->file_shift_ns / (SQUEEZE - 1) * SQUEEZE;
    return first > 0 ? first : 0;
}

/* No 128 bits here: this gives multiples of at most 17 us. */
static int64_t squeeze_all(const struct detrun_params *p, int64_t ns)
{
    int64_t days = p->epoch_ns / FILETIME_DAY;
    return ns / (days + 1 + p->file_shift_ns / FILETIME_DAY) * days;
}

/* A task that is behind the one who set it sees its own now. */
static bool was_set(const struct detrun_params *p, int64_t ns, int64_t changed_ns, int64_t now_ns)
{
    return changed_ns >= p->file_start_ns && ns < p->file_start_ns && ns <= now_ns + FILETIME_DAY;
}

int64_t filetime_shown(const struct detrun_params *p, int64_t ns, int64_t changed_ns,
                       int64_t now_ns, int64_t written_ns)
{
    int64_t first = first_moved(p);
    if (ns <= first || ns > p->epoch_ns + p->file_shift_ns)
        return ns;
    if (ns >= p->file_start_ns && written_ns != FILETIME_MOVED)
        return written_ns < now_ns ? written_ns : now_ns;
    if (was_set(p, ns, changed_ns, now_ns))
        return ns < now_ns ? ns : now_ns;
    if (first == 0)
        return squeeze_all(p, ns);
    if (ns <= p->epoch_ns)
        return first + (ns - first) / SQUEEZE;
    return ns - p->file_shift_ns;
}
