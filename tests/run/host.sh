#!/bin/bash
# SPDX-License-Identifier: MIT
# The host's name, its machine id, hardware address, memory and load reach no answer.
. "$(dirname "$0")/lib.sh"

what='hostname; uname -n; uname -v; cat /etc/hostname /proc/sys/kernel/hostname /proc/meminfo /proc/loadavg
cat /proc/uptime; test ! -e /etc/machine-id || cat /etc/machine-id'
same_output 3 sh -c "$what"
grep -q "^localhost$" log/same.1 || fail "another name: $(cat log/same.1)"
grep -q "^MemTotal: *8388608 kB$" log/same.1 || fail "the machine's memory: $(cat log/same.1)"

# An image without the shim, another host's name, and --real.
cat >name.c <<'C'
#include <stdio.h>
#include <sys/utsname.h>
int main(void)
{
    struct utsname u;
    return uname(&u) != 0 || puts(u.nodename) < 0;
}
C
gcc -static -O1 -o name name.c || fail "cannot link statically"
[ "$(under 7 ./name)" = localhost ] || fail "a static program"
[ "$(limited "$detrun" --seed 7 --real host -- ./name)" = "$(./name)" ] || fail "--real host, static"
[ "$(limited "$detrun" --seed 7 --real host -- uname -n)" = "$(uname -n)" ] || fail "--real host"
limited "$detrun" --seed 7 --real proc -- grep MemTotal /proc/meminfo >log/real
grep MemTotal /proc/meminfo | cmp - log/real || fail "--real proc"
if unshare -u true 2>/dev/null; then
    limited unshare -u sh -c 'hostname builder-two; exec "$@"' - "$detrun" --seed 7 -- sh -c "$what" >log/two
    echo "status 0" >>log/two
    same same.1 two "two names of the host"
fi
if command -v uuidgen >/dev/null; then
    same_output 3 uuidgen -t
fi
