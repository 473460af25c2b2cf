/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/sysinfo.h>

#include "guest.h"

int main(void)
{
    CHECK(get_nprocs() == sysconf(_SC_NPROCESSORS_ONLN));
    show("processors", get_nprocs());
    return guest_end();
}
