#!/bin/bash
# SPDX-License-Identifier: MIT
# hosts.sh: a job on two hosts, each a network namespace with a host name and an sshd of its own:
# what begins at one place in the job has equal records on either, in every run, and no two places
# have a stream in common.
. "$(dirname "$0")/lib.sh"
as_root_only
need ip unshare ssh ssh-keygen jq
sshd=$(command -v sshd || command -v /usr/sbin/sshd) || skip "sshd is not here"
id sshd >/dev/null 2>&1 || skip "there is no user sshd"
limit=60
near=detrun-n$$ far=detrun-f$$
servers=()

leave() {
    local server
    for server in "${servers[@]}"; do
        kill "$server" 2>/dev/null
        wait "$server" 2>/dev/null
    done
    ip netns del "$near" 2>/dev/null
    ip netns del "$far" 2>/dev/null
}
trap leave EXIT

{ ip netns add "$near" && ip netns add "$far"; } 2>log/ip ||
    skip "no network namespaces here: $(cat log/ip)"
ip -n "$near" link add veth0 type veth peer name veth0 netns "$far" 2>log/ip ||
    skip "no pair of interfaces here: $(cat log/ip)"
for host in "$near 1" "$far 2"; do
    # shellcheck disable=SC2086 # name and number
    set -- $host
    { ip -n "$1" addr add "10.77.0.$2/24" dev veth0 && ip -n "$1" link set veth0 up &&
        ip -n "$1" link set lo up; } 2>log/ip || skip "the pair does not come up: $(cat log/ip)"
done

ssh-keygen -q -t ed25519 -N '' -f host_key
ssh-keygen -q -t ed25519 -N '' -f client_key
mkdir -p /run/sshd

# serve NAMESPACE ADDRESS
serve() {
    local i
    cat >"config.$1" <<C
Port 22
ListenAddress $2
HostKey $work/host_key
AuthorizedKeysFile $work/client_key.pub
PidFile $work/pid.$1
StrictModes no
UsePAM no
LogLevel ERROR
C
    # shellcheck disable=SC2016 # for the shell there
    ip netns exec "$1" unshare -u sh -c 'hostname "$1" && exec "$2" -D -e -f "$3"' sh "$1" "$sshd" \
        "$work/config.$1" >"log/server.$1" 2>&1 </dev/null &
    servers+=($!)
    for i in $(seq 100); do
        [ -s "pid.$1" ] && return
        sleep 0.05
    done
    skip "sshd does not serve here: $(tail -n 1 "log/server.$1")"
}
serve "$near" 10.77.0.1
serve "$far" 10.77.0.2

cat >ask <<C
#!/bin/sh
host=\$1
shift
exec ssh -F none -q -i $work/client_key -o BatchMode=yes -o StrictHostKeyChecking=no \
    -o UserKnownHostsFile=$work/known "$(id -un)@\$host" "\$@"
C
cat >there <<C
#!/bin/sh
uuidgen
date +%s.%N
echo \$\$
C
# shellcheck disable=SC2046 # assignments, one a word
cat >job <<C
#!/bin/bash
for host; do
    $work/ask \$host cd $work '&&' env \$($detrun env) $detrun --quiet --record $work/records \
        $work/there || exit 1
done
uuidgen
C
chmod +x ask there job

ip netns exec "$near" ./ask 10.77.0.2 hostname >log/name 2>&1
[ "$(cat log/name)" = "$far" ] || skip "ssh does not work here: $(cat log/name)"
# Later runs find it known: to write that down is something that a run does, and its clock moves.
ip netns exec "$near" ./ask 10.77.0.1 true >log/name 2>&1 || skip "ssh does not work here: $(cat log/name)"

# on_hosts NAME SEED HOST...: the job's output in log/NAME, its records in records.NAME
on_hosts() {
    local name=$1 seed=$2
    shift 2
    rm -f records
    capture "$name" limited ip netns exec "$near" "$detrun" --seed "$seed" \
        --test-name 'two  hosts: *' -- ./job "$@"
    ok "$name"
    [ "$(grep -c '"event":"end"' records)" = $# ] || fail "$name: $(cat records)"
    [ "$name" != a ] || valid records
    jq -c 'del(.volatile)' records >"records.$name"
}

on_hosts a 7 10.77.0.2 10.77.0.1
on_hosts again 7 10.77.0.2 10.77.0.1
on_hosts swapped 7 10.77.0.1 10.77.0.2
on_hosts twice 7 10.77.0.2 10.77.0.2
on_hosts other 8 10.77.0.2 10.77.0.1
for name in again swapped twice; do
    same a "$name" "places on other hosts ($name)"
    cmp records.a "records.$name" || fail "records differ: $(diff records.a "records.$name")"
done
grep -q '"test_name":"two  hosts: \*"' records.a || fail "the test has another name: $(cat records.a)"

uuids=$(grep -h -c -e - log/a)
[ "$uuids" = 3 ] || fail "no three ids: $(cat log/a)"
[ "$(cat log/a log/other | grep -e - | sort | uniq -d)" = "" ] ||
    fail "two places have an id in common: $(cat log/a log/other)"
[ "$(jq -r .task records.a | cut -d. -f1,2 | sort -u | wc -l)" = 2 ] ||
    fail "not at two places: $(jq -r .task records.a)"
