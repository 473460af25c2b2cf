/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest.h"

int main(void)
{
    double *averages = guarded(2 * sizeof(*averages));
    CHECK(getloadavg(averages, 2) == 2 && guard_holds(averages));
    CHECK(averages[0] >= 0 && averages[1] >= 0);
    if (under_detrun())
        CHECK(averages[0] == 0 && averages[1] == 0);
    double four[4];
    CHECK(getloadavg(four, 4) == 3 && getloadavg(four, 0) == 0);
    return guest_end();
}
