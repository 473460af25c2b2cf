#!/bin/bash
# SPDX-License-Identifier: MIT
# What /proc and /sys tell of the machine's and the kernel's work, of memory and addresses: the same in
# every run, whatever else the machine does, and in agreement with the job's clocks.
. "$(dirname "$0")/lib.sh"
need gcc

cat >look.sh <<'S'
cd /proc
for file in version vmstat diskstats interrupts softirqs buddyinfo zoneinfo stat pressure/cpu pressure/io \
    net/dev net/snmp net/netstat sys/fs/file-nr sys/fs/inode-nr sys/fs/inode-state sys/fs/dentry-state \
    sys/kernel/version sys/kernel/ns_last_pid sys/kernel/random/entropy_avail sys/kernel/random/boot_id \
    self/stat self/status self/statm self/io self/sched self/schedstat self/maps self/smaps \
    self/smaps_rollup self/loginuid self/sessionid self/cgroup; do
    [ -r "$file" ] || continue
    echo "== $file"
    cat "/proc/$file"
done
cat /sys/class/net/*/address
S
# The inodes of files on the disk are looked at elsewhere.
looks() {
    limited "$detrun" --seed "$1" -- sh look.sh >"log/$2" 2>&1 || fail "$(tail -n 3 "log/$2")"
}
looks 7 one
timeout 20 sh -c 'while :; do :; done' &
busy=$!
timeout 20 sh -c 'while ls -lR /usr/share >/dev/null; do :; done' &
disk=$!
for round in $(seq "$rounds"); do
    looks 7 "again.$round"
    cmp log/one "log/again.$round" || fail "round $round: $(diff log/one "log/again.$round" | head)"
done
kill "$busy" "$disk"
looks 8 other
cmp -s log/one log/other && fail "ids and the start do not follow from the seed"
for of in '^nr_free_pages 0$' '^some avg10=0.00 avg60=0.00 avg300=0.00 total=0$' '^VmRSS:	   16384 kB$' \
    '^SigQ:	0/' '^nonvoluntary_ctxt_switches:	0$' '^se.exec_start *: 0[.]000000$' \
    '/memfd:detrun' '^4294967295==' '^256$'; do
    grep -q -- "$of" log/one || fail "no $of in $(cat log/one)"
done

# ps knows when it began; a program its own numbers.
if command -v ps >/dev/null; then
    # shellcheck disable=SC2016 # the inner shell's
    capture began under 7 sh -c 'ps -o lstart= -o rss= -p $$; date; ps -o etimes= -e | sort -n | tail -n 1'
    grep -q '2024 16384$' log/began || fail "ps: $(cat log/began)"
    [ "$(sed -n 3p log/began)" -le 110 ] || fail "somebody has run for longer than the machine: $(cat log/began)"
fi
cat >own.c <<'C'
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A name with blanks and brackets in it, and an own mapping found in its table. */
int main(void)
{
    int pid = 0;
    unsigned long start = 0;
    unsigned long end = 0;
    char line[512];
    int found = 0;
    FILE *stat = fopen("/proc/self/stat", "r");
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!stat || !maps || fscanf(stat, "%d (a ) (b) R", &pid) != 1 || pid != getpid())
        return 1;
    while (fgets(line, sizeof(line), maps))
        if (sscanf(line, "%lx-%lx", &start, &end) == 2)
            found += start <= (unsigned long)&pid && (unsigned long)&pid < end && strstr(line, "[stack]") != NULL;
    return found == 1 ? 0 : 2;
}
C
gcc -O1 -o 'a ) (b' own.c || fail "cannot compile"
limited './a ) (b' || fail "natively"
limited "$detrun" --seed 7 -- './a ) (b' || fail "its own stat and maps: $?"

# Without an interface, or with another, identifiers are the same.
if command -v python3 >/dev/null && unshare -n true 2>/dev/null; then
    script='import uuid; print(uuid.uuid1(), uuid.getnode())'
    limited "$detrun" --seed 7 -- python3 -c "$script" >log/here || fail "uuid1"
    limited unshare -n "$detrun" --seed 7 -- python3 -c "$script" >log/there || fail "uuid1 there"
    cmp log/here log/there || fail "uuid1: $(cat log/here log/there)"
    limited unshare -n "$detrun" --seed 8 -- python3 -c "$script" | cmp -s - log/here && fail "not of the seed"
fi
limited "$detrun" --seed 7 -- logname 2>&1 | grep -q 'no login name' || fail "somebody has logged in"

# The kernel's, where it is asked for.
limited "$detrun" --seed 7 --real proc,host -- sh -c 'cat /proc/version; cat /proc/self/io' >log/real
[ "$(head -n 1 log/real)" = "$(cat /proc/version)" ] || fail "--real host: $(cat log/real)"
grep -q '^rchar: 0$' log/real && fail "--real proc: $(cat log/real)"
exit 0
