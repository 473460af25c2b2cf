/* SPDX-License-Identifier: MIT */
#include "descriptors.h"

#include <limits.h>
#include <unistd.h>

#define FIRST 3
#define MOST  8

static int next_kept(const int *keep, unsigned n, int from)
{
    int best = INT_MAX;
    for (unsigned i = 0; i < n; i++)
        if (keep[i] >= from && keep[i] < best)
            best = keep[i];
    return best;
}

/* close_range is Linux 5.9: older kernels have no listener flag that we need either. */
void descriptors_close_except(const int *keep, unsigned n)
{
    int from = FIRST;
    for (unsigned i = 0; i <= n && i <= MOST; i++) {
        int kept = next_kept(keep, n, from);
        if (kept == INT_MAX) {
            close_range((unsigned)from, UINT_MAX, 0);
            return;
        }
        if (kept > from)
            close_range((unsigned)from, (unsigned)kept - 1, 0);
        from = kept + 1;
    }
}
