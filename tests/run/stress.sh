#!/bin/bash
# SPDX-License-Identifier: MIT
# stress.sh [SECONDS]: trees of processes and threads, each decided by a seed of its own. Every tree
# is the same in two runs, and another with another job seed; no random byte comes twice.
. "$(dirname "$0")/lib.sh"
end=$(($(date +%s) + ${1:-20}))

compile tree -D_GNU_SOURCE -pthread
gcc -O1 -static -o tree_static "$programs/tree.c" -D_GNU_SOURCE -pthread 2>/dev/null || cp tree tree_static

# grow NAME SEED: into log/NAME, in the order of the places
grow() {
    rm -f lines
    under "$2" ./tree grow "$tree" "$nodes" ./tree_static 3>>lines 2>log/errors ||
        fail "tree $tree, $nodes nodes, seed $2: status $?: $(cat log/errors)"
    sort lines >"log/$1"
}

rounds=0 lines=0
while [ "$rounds" -lt 2 ] || [ "$(date +%s)" -lt "$end" ]; do
    rounds=$((rounds + 1))
    tree=$((rounds + ${DETRUN_TREE:-0}))
    nodes=$((100 << rounds % 6))
    grow a 7
    grow b 7
    grow c 8
    same a b "tree $tree of $nodes nodes"
    ./tree check log/a log/c >log/check || fail "tree $tree of $nodes nodes: $(cat log/check)"
    lines=$((lines + $(cat log/a log/b log/c | wc -l)))
done
echo "$rounds trees, $lines places"
exit 0
