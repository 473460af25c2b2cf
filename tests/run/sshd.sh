#!/bin/bash
# SPDX-License-Identifier: MIT
# sshd.sh: OpenSSH's server, whose children confine themselves by a filter that kills, and its
# client, each in a job and outside.
. "$(dirname "$0")/lib.sh"
as_root_only
need ssh ssh-keygen
sshd=$(command -v sshd || command -v /usr/sbin/sshd) || skip "sshd is not here"
id sshd >/dev/null 2>&1 || skip "there is no user sshd"
limit=60

ssh-keygen -q -t ed25519 -N '' -f host_key
ssh-keygen -q -t ed25519 -N '' -f client_key
mkdir -p /run/sshd
port=$((20000 + $$ % 20000))
cat >config <<C
Port $port
ListenAddress 127.0.0.1
HostKey $work/host_key
AuthorizedKeysFile $work/client_key.pub
PidFile $work/pid
StrictModes no
UsePAM no
LogLevel ERROR
C

serve() {
    "$@" "$sshd" -D -e -f "$work/config" >log/server 2>&1 </dev/null &
    server=$!
    local i
    for i in $(seq 200); do
        [ -s pid ] && return
        kill -0 "$server" 2>/dev/null || break
        sleep 0.05
    done
    stop
    skip "sshd does not serve here: $(tail -n 1 log/server)"
}

stop() {
    kill "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    rm -f pid
}

# shellcheck disable=SC2016 # for the shell at the other end
ask() {
    limited "$@" ssh -F none -q -i client_key -p "$port" -o BatchMode=yes -o StrictHostKeyChecking=no \
        -o UserKnownHostsFile="$work/known" "$(id -un)@127.0.0.1" \
        'date +%Y; head -c 100000 /dev/zero | wc -c; kill -0 $$; exit 3' >log/answer 2>&1
    status=$?
}

# answers YEAR WHAT
answers() {
    [ "$status" = 3 ] && [ "$(cat log/answer)" = "$1
100000" ] && return
    cat log/server
    fail "$2: status $status, $(cat log/answer)"
}

trap stop EXIT
serve
ask
[ "$status" = 3 ] || skip "ssh does not work here: $(cat log/answer)"
answers "$(date +%Y)" "natively"
ask "$detrun" --seed 7 --
answers "$(date +%Y)" "the client in a job"
stop
serve "$detrun" --seed 7 --
ask
answers 2025 "the server in a job"
ask "$detrun" --seed 7 --
answers 2025 "both in jobs"
stop
serve "$detrun" --seed 7 --no-supervisor --
ask
answers 2025 "the server without a supervisor"
