#!/bin/bash
# SPDX-License-Identifier: MIT
# privileged.sh WHAT: programs that change their privileges. In root's jobs they have them as natively, and
# are answered; in an ordinary user's they run without, which is counted.
. "$(dirname "$0")/lib.sh"
limit=30
as_root_only
need setpriv

folder=$(mktemp -d /tmp/detrun-privileged.XXXXXX) || fail "no temporary folder"
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cmake --install "${detrun%/bin/*}" --prefix "$folder/prefix" >log/install 2>&1 || fail "install"
detrun=$folder/prefix/bin/detrun
gcc -O1 -o "$folder/plain" "$programs/privileged.c" || fail "compile"
gcc -static -O1 -o "$folder/plain_static" "$programs/privileged.c" || fail "compile"

user=65534
as_user=(setpriv --reuid="$user" --regid="$user" --clear-groups)

# shape NAME: without what the seed decides
shape() {
    sed -E 's/^([rt]) .*/\1/' "log/$1" >"log/$1.shape"
}

# count NAME: of what was not controlled in the last job
count() {
    sed -n "s/.*\"$1\": {.*\"count\": \([0-9]*\)}.*/\1/p" summary.json
}

# counted NAME N
counted() {
    [ "$(count "$1")" = "$2" ] || fail "$1: $(count "$1"), not $2"
}

# job SEED COMMAND...: with its summary, which the user may write
: >summary.json
chmod 666 summary.json
job() {
    local seed=$1
    shift
    limited "${job_as[@]}" "$detrun" --seed "$seed" --summary summary.json -- "$@"
}

# answered COMMAND...: equal in two runs, different with another seed, all but the seed's lines as in
# log/natively
answered() {
    capture again job 7 "$@"
    capture other job 8 "$@"
    capture inside job 7 "$@"
    same inside again "$*"
    seeds_differ inside other
    shape natively
    shape inside
    same natively.shape inside.shape "natively and inside: $*"
}

# copy NAME: both programs under another name
copy() {
    cp "$folder/plain" "$folder/$1"
    cp "$folder/plain_static" "$folder/$1_static"
}

# privileged NAME: in every kind of job, both programs of that name. Natively an ordinary user has
# privileges by them; root may.
privileged() {
    local program
    for program in "$folder/$1" "$folder/$1_static"; do
        job_as=()
        capture natively limited "$program"
        answered "$program"
        counted setuid_images_without_privileges 0

        capture natively limited "${as_user[@]}" "$program"
        capture plain limited "${as_user[@]}" "$folder/plain"
        ! cmp -s <(head -n 1 log/plain) <(head -n 1 log/natively) ||
            skip "$1: the kernel gives no privileges here"
        answered "${as_user[@]}" "$program"
        counted setuid_images 1
        counted setuid_images_without_privileges 0

        job_as=("${as_user[@]}")
        capture natively limited "${as_user[@]}" setpriv --no-new-privs "$program"
        answered "$program"
        counted setuid_images_without_privileges 1
        limited "${as_user[@]}" "$detrun" --seed 7 --no-supervisor --summary summary.json -- "$program" >log/alone 2>&1
        counted setuid_images 1
        counted images_without_shim 1
        (cd "$folder" && limited "${as_user[@]}" "$detrun" --seed 7 --strict -- "./${program##*/}") >log/strict 2>&1
        [ $? = 125 ] || fail "--strict does not mind $program: $(cat log/strict)"
    done
    # By path, by another one, by name, from a script, from a program without the shim.
    printf '#!%s\n' "$folder/$1" >"$folder/script"
    chmod 755 "$folder/script"
    job 7 sh -c 'cd "$0" && "$0/$1" && "$0/$1" && "./$1" && PATH=$0 "$1" && ./script && "./${1}_static"' \
        "$folder" "$1" >log/all 2>&1 || fail "$(cat log/all)"
    counted setuid_images_without_privileges 6
}

what_setuid() {
    copy root
    chmod 4755 "$folder"/root*
    privileged root
    # Their own, a group's without its execute bit, and none.
    copy own
    chown "$user" "$folder"/own*
    copy lock
    chgrp 1 "$folder"/lock*
    chmod 4755 "$folder"/own*
    chmod 2745 "$folder"/lock*
    job 7 sh -c '$0/own && $0/own_static && $0/lock && $0/plain && $0/plain_static' "$folder" >log/none 2>&1 ||
        fail "$(cat log/none)"
    counted setuid_images_without_privileges 0
    # Of root's jobs with other privileges than the caller's
    job_as=()
    chown 1 "$folder"/own*
    chmod 4755 "$folder"/own*
    capture natively limited "$folder/own"
    answered "$folder/own"
    counted setuid_images 1
    nested
}

# In a job inside an ordinary user's.
nested() {
    job_as=("${as_user[@]}")
    job 7 "$detrun" --seed 3 --summary - -- "$folder/root" >log/nested 2>&1
    grep -q '"setuid_images_without_privileges": {.*"count": 1}' log/nested || fail "nested: $(cat log/nested)"
}

what_setgid() {
    copy group
    chgrp 1 "$folder"/group*
    chmod 2755 "$folder"/group*
    privileged group
}

what_capabilities() {
    need setcap
    copy capable
    local program
    for program in "$folder/capable" "$folder/capable_static"; do
        setcap cap_net_bind_service+ep "$program" || skip "no capabilities of files here"
    done
    privileged capable
}

# works COMMAND...: as natively in root's job
works() {
    job_as=()
    capture natively limited "$@"
    [ "$(tail -n 1 log/natively)" = "status 0" ] || skip "$* does not work here: $(tail -n 2 log/natively)"
    answered "$@"
}

# fails COMMAND...: in a user's job, and ends
fails() {
    job_as=("${as_user[@]}")
    capture inside job 7 "$@"
    [ "$(tail -n 1 log/inside)" = "status 1" ] || fail "$*: $(cat log/inside)"
    counted setuid_images_without_privileges 1
}

what_su() {
    need su
    works su nobody -s /bin/sh -c "$folder/plain; $folder/plain_static"
    fails su -c true
}

what_sudo() {
    need sudo
    works sudo -n -u nobody "$folder/plain"
    works sudo -n sh -c "$folder/plain; $folder/plain_static"
    fails sudo -n true
}

"what_$1"
exit 0
