/* SPDX-License-Identifier: MIT */
#include "guest_signal.h"

int main(void)
{
    return check_setter(set_by_libc);
}
