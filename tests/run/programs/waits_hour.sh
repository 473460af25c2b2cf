# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# An hour (or what is given: whole seconds) of a shell's ways to wait.
hour=$1
start=$SECONDS
sleep $((hour / 3))
echo "sleep $((SECONDS - start >= hour / 3))"
sleep $((hour / 3)) &
wait $!
echo "wait $? $((SECONDS - start >= hour * 2 / 3))"
timeout $((hour / 6)) sleep "$hour"
echo "timeout $?"
read -r -t $((hour / 6)) nothing < <(sleep "$hour") || echo "read $(($? > 128))$nothing"
kill $! 2>/dev/null
echo "all $((SECONDS - start >= hour))"
