#!/bin/bash
# SPDX-License-Identifier: MIT
# timers.sh LINKED: timers of every kind expire in virtual time, some of hours at once; the same in
# each run. LINKED: shared or static.
. "$(dirname "$0")/lib.sh"
need pgrep
flags=()
[ "$1" = shared ] || flags=(-static)
gcc -O1 "${flags[@]}" -o timers "$programs/timers.c" -D_GNU_SOURCE -pthread 2>log/gcc ||
    { [ "$1" = static ] && skip "no static libc here"; fail "gcc: $(cat log/gcc)"; }

same_output 10 ./timers "$1"
differs_by_seed ./timers "$1"
cat >log/right <<END
0.000 alarm 0
3600.000 pause 1
3600.000 again 100
3610.000 nap 1
3610.000 left 0
3670.000 nap 1
3730.000 nap 1
3790.000 nap 1
3850.000 nap 1
3910.000 nap 1
3970.000 nap 1
4030.000 nap 1
4090.000 nap 1
4150.000 nap 1
4210.000 nap 1
4210.000 ticks 10
4230.000 signal 1 1
4240.000 signal 2 2
4250.000 signal 1 1
4270.000 signal 1 1
4270.000 signal 2 2
4290.000 signal 1 1
4300.000 signal 2 2
4310.000 signal 1 1
4400.000 signal 1 1
4400.000 overrun 3
6200.000 called 3
6300.000 called 3
6400.000 called 3
6900.000 signal 1 4
6940.000 silent 60
7040.000 silent 0
7540.000 poll 0
7640.000 poll 1
7640.000 read 1
7700.000 read 1
8300.000 read 10
8300.000 left 60
16500.000 epoll 1
16500.000 read 1
16507.000 epoll 1
16507.000 read 1
16514.000 epoll 1
16514.000 read 1
23714.000 epoll 1
23714.000 read 1
23721.000 epoll 1
23721.000 read 1
23728.000 epoll 1
23728.000 read 1
23732.000 first 0
23733.000 second 0
23734.000 parent 0
23735.000 second 1
23736.000 first 1
23740.000 first 2
23740.000 second 2
END
[ "$1" = static ] || printf '%s\n' "23750.000 rest 990" "23760.000 rest 0" >>log/right
echo "status 0" >>log/right
diff log/right <(grep -v '^r ' log/same.1) || fail "not what should be"

# The next supervisor has the timers of one that was killed.
"$detrun" --seed 7 -- ./timers "$1" killed >log/outlive 2>log/errors </dev/null &
launcher=$!
trap 'kill "$launcher" 2>/dev/null' EXIT
wait_for log/outlive
supervisor=$(pgrep -P $launcher -x detrun)
kill -9 "$supervisor"
while [ "$(pgrep -P $launcher -x detrun)" = "$supervisor" ] || [ -z "$(pgrep -P $launcher -x detrun)" ]; do
    sleep 0.05
done
touch killed
wait $launcher || fail "after the supervisor was killed: $(cat log/errors)"
printf '%s\n' armed "3600.000 pause 1" "7200.000 read 1" | diff - log/outlive ||
    fail "after the supervisor was killed"
exit 0
