/* SPDX-License-Identifier: MIT */
#include "descriptors.h"

#include <limits.h>
#include <sys/syscall.h>
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

/* close_range is Linux 5.9: older kernels have no listener flag that we need either. musl has no
 * function for it. */
static void close_from(int first, int last)
{
    syscall(SYS_close_range, first, last, 0);
}

void descriptors_close_except(const int *keep, unsigned n)
{
    int from = FIRST;
    for (unsigned i = 0; i <= n && i <= MOST; i++) {
        int kept = next_kept(keep, n, from);
        if (kept == INT_MAX) {
            close_from(from, INT_MAX);
            return;
        }
        if (kept > from)
            close_from(from, kept - 1);
        from = kept + 1;
    }
}
