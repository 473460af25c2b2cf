#!/bin/bash
# SPDX-License-Identifier: MIT
# coverage.sh LIST_CALLS: every row has a guest of its name, which is a test, and every system call
# of the kernel's header has a row or stands in docs/limits.md.
. "$(dirname "$0")/lib.sh"

status=0
missing=
listed=$(tr -s ' ()\n' '\n' <tests/guest/guest.cmake)
for row in $("$1" rows | sort -u); do
    [ -e "tests/guest/$row.c" ] && grep -qxF -- "$row" <<<"$listed" || missing="$missing $row"
done
if [ -n "$missing" ]; then
    echo "rows without a guest tests/guest/<row>.c that guest.cmake lists:$missing"
    status=1
fi

left() {
    sed -n '/^```/,/^```/p' docs/limits.md | grep -v '^```' | tr -s ' \n' '\n'
}
numbers=$(echo '#include <asm/unistd_64.h>' | gcc -E -dM -x c - |
    sed -n 's/^#define __NR_\([a-z0-9_]*\) .*/\1/p' | sort)
[ -n "$numbers" ] || fail "no system calls in the kernel's header"
open=$(comm -23 <(echo "$numbers") <( (
    "$1" rows
    left
) | sort -u) | tr '\n' ' ')
if [ -n "$open" ]; then
    echo "system calls with neither a row nor a reason in docs/limits.md: $open"
    status=1
fi
both=$(comm -12 <("$1" rows | sort -u) <(left | sort -u) | tr '\n' ' ')
if [ -n "$both" ]; then
    echo "in the table and among those left alone: $both"
    status=1
fi
exit $status
