/* SPDX-License-Identifier: MIT */
#include "guest_realpath.h"

int main(void)
{
    check_resolved((resolve_path *)canonicalize_file_name);
    return guest_end();
}
