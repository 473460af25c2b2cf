/* SPDX-License-Identifier: MIT */
#include "guest_fork.h"

extern pid_t __fork(void);

int main(void)
{
    check_fork(__fork, true);
    return guest_end();
}
