#!/bin/sh
# SPDX-License-Identifier: MIT
# Pids in whatever namespace this runs in: each line is the same natively, but those that begin
# with "r ".
if [ $$ = 1 ]; then
    echo "the first"
else
    echo "r $$"
fi
[ "$(sh -c 'echo $PPID')" = "$$" ] && echo "parent and child agree"
sh -c 'echo "r $$"; exit 4' >told &
child=$!
wait $child
echo "waited $?"
[ "$(cat told)" = "r $child" ] && echo "its own name"
rm -f told
kill -0 $$ && echo "it can be named"
sh -c 'kill -TERM $$' 2>/dev/null
echo "killed $?"
sleep 10 &
kill $!
wait $! 2>/dev/null
echo "killed $?"
uuidgen | sed 's/^/r /'
date +%s.%N | sed 's/^/t /'
