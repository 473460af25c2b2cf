/* SPDX-License-Identifier: MIT */
#include "guest_fork.h"

int main(void)
{
    check_fork(_Fork, true);
    return guest_end();
}
