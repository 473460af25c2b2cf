#!/bin/sh
# SPDX-License-Identifier: MIT
# processes.sh shell|procps|psmisc: /proc and what reads it agree with $$, $! and $PPID. Lines that
# begin with "" are from the seed.
set -u

fail() {
    echo "FAIL: $*"
    exit 1
}

# same WHAT IS EXPECTED
same() {
    [ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"
    echo "$1 $2"
}

# holds WHAT LINE: standard input has this line
holds() {
    grep -qx "$2" || fail "$1 does not have $2"
    echo "$1 $2"
}

field() {
    sed -n "s/^$1:[[:space:]]*\([0-9]*\).*/\1/p"
}

# shellcheck disable=SC2012 # ls is one of those that are tested
processes_shell() {
    same link "$(sh -c 'echo $$; exec readlink /proc/self' | uniq | wc -l)" 1
    same status "$(field Pid </proc/$$/status)" $$
    same parent "$(field PPid </proc/$$/status)" "$PPID"
    read -r pid _ _ parent _ </proc/$$/stat
    same stat "$pid" $$
    same stat-parent "$parent" "$PPID"
    ls /proc | holds listing $$
    ls /proc/$$ | holds folder status
    ls /proc/$$/task | holds threads $$
    read -r children </proc/$$/task/$$/children
    same child "$children" "$background"
    same child-parent "$(field PPid </proc/$background/status)" $$
    same name "$(cat /proc/$background/comm)" sleep
    same directory "$(cd /proc/$$ && exec pwd -P)" /proc/$$
    same path "$(realpath /proc/$$/task)" /proc/$$/task
    [ -d /proc/$background ] || fail "no folder of the child"
}

processes_procps() {
    same ps "$(ps -o pid=,ppid= -p $$ | tr -s ' ' | sed 's/^ //')" "$$ $PPID"
    same pgrep "$(pgrep -P $$ sleep)" "$background"
    ps -e -o pid= | tr -d ' ' | holds all $$
    ps -L -o lwp= -p $$ | tr -d ' ' | holds thread $$
    same top "$(top -b -n 1 -w 120 -p $$ | awk 'END { print $1, $NF }')" "$$ sh"
    same pwdx "$(pwdx $$)" "$$: $(pwd -P)"
    pkill -P $$ sleep || fail "pkill found nobody"
    wait "$background" 2>/dev/null
    same killed $? 143
    same pgrep-after "$(pgrep -P $$ sleep)" ""
}

processes_psmisc() {
    same fuser "$(fuser held 2>/dev/null | tr -d ' ')" "$background"
    pstree -p $$ | grep -q "sleep($background)" || fail "pstree does not have $background"
    echo "pstree $background"
}

echo held >held
sleep 1000 3<held &
background=$!
trap 'kill $background 2>/dev/null' EXIT
"processes_$1"
# The shell says at a moment of its own that it was killed.
{
    kill $background
    wait $background
} 2>/dev/null
[ ! -d /proc/$background ] || fail "a dead process has a folder"
