#!/bin/bash
# SPDX-License-Identifier: MIT
# programs.sh NAME: an unmodified program prints the same in two runs and something else with
# another seed. Lines that begin with "r " must each change with the seed.
. "$(dirname "$0")/lib.sh"

program_python3() {
    need python3
    deterministic python3 "$programs/answers.py"
}

program_node() {
    need node
    deterministic node "$programs/answers.js"
}

program_perl() {
    need perl
    deterministic perl -MTime::HiRes=time -e \
        'print "r $$\nr ", rand(), "\nr ", join(",", keys %{{map {$_ => 1} 1 .. 40}}), "\n", time(), " ", {}, "\n"'
}

program_ruby() {
    need ruby
    deterministic ruby -rsecurerandom -e \
        'puts "r #{$$}", "r #{rand}", "r #{SecureRandom.uuid}", "r #{"a".hash}", Time.now.to_f, Object.new.inspect, Process.clock_gettime(Process::CLOCK_MONOTONIC)'
}

program_php() {
    need php
    deterministic php -r \
        'echo "r ", getmypid(), "\nr ", mt_rand(), "\nr ", bin2hex(random_bytes(16)), "\nr ", rand(), "\n", uniqid("", true), " ", microtime(true), " ", hrtime(true), "\n";'
}

program_java() {
    need java javac
    javac -d . "$programs/Answers.java" || fail "javac"
    deterministic java -Xshare:auto -cp . Answers
}

program_lua() {
    local lua
    lua=$(command -v lua5.4 || command -v lua) || skip "lua is not here"
    # lua seeds math.random with the time and an address: no answer of the seed's is in it.
    seeded=no deterministic "$lua" -e 'print(math.random(1 << 40), os.time(), os.clock(), {})'
}

program_bash() {
    # shellcheck disable=SC2016
    deterministic bash -c 'echo "r $$"; echo "r $RANDOM$RANDOM$RANDOM"; echo "r $SRANDOM"; echo "$EPOCHREALTIME"; date +%N; (echo "$BASHPID")'
}

# Children that a shell reaps in its signal handler or by waiting, as it happens: the time it sees
# afterwards is the same. Races are rare: twenty runs.
program_bash_substitution() {
    same_output 20 bash -c 'x=$(date +%s); y=$(date +%s | cat); echo $EPOCHREALTIME; exec date +%s.%N'
    same_output 20 bash -c 'x=$(sleep 0.01; date +%s)$(date); echo $EPOCHREALTIME'
    same_output 20 bash -c '(date & date & wait) >/dev/null; x=$(date); echo $EPOCHREALTIME'
}

program_go() {
    need go
    CGO_ENABLED=0 GO111MODULE=off go build -o answers "$programs/answers.go" || fail "go build"
    file_is_static answers
    deterministic ./answers
}

# No interpreter is named in the image: no preload can reach it.
file_is_static() {
    readelf -l "$1" | grep -q INTERP && fail "$1 is not static"
    return 0
}

program_musl_dynamic() {
    need musl-gcc
    musl-gcc -O1 -o answers "$programs/answers.c" || fail "musl-gcc"
    deterministic ./answers
}

program_musl_static() {
    need musl-gcc
    musl-gcc -static -O1 -o answers "$programs/answers.c" || fail "musl-gcc"
    file_is_static answers
    deterministic ./answers
}

program_openssl() {
    need openssl
    deterministic openssl rand -hex 32
}

program_uuidgen() {
    need uuidgen
    deterministic sh -c 'echo "r $(uuidgen)"; echo "r $(uuidgen -r)"'
}

program_ssh_keygen() {
    need ssh-keygen
    deterministic sh -c 'rm -f key key.pub; ssh-keygen -q -t ed25519 -N "" -C x -f key && cat key.pub key'
}

program_mktemp() {
    deterministic mktemp -u
}

program_shuf() {
    deterministic shuf -i 1-1000
}

program_sqlite3() {
    need sqlite3
    deterministic sqlite3 :memory: \
        "select 'r ' || random(); select 'r ' || hex(randomblob(16)); select julianday('now');"
}

program_git_commit() {
    need git
    export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
    export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
    # The hash holds the time, which the seed does not move.
    seeded=no pause=1.1 deterministic sh -c \
        'rm -rf g; git init -q g && cd g && echo 1 >f && git add f && git commit -q -m one && git rev-parse HEAD'
}

program_gcc_time() {
    need gcc
    printf '#include <stdio.h>\nint main(void) { puts(__DATE__ " " __TIME__); }\n' >t.c
    seeded=no pause=1.1 deterministic sh -c 'gcc t.c -o t && ./t'
}

program_tr_urandom() {
    deterministic sh -c 'tr -dc a-z </dev/urandom | head -c 20'
}

program_rustc() {
    need rustc
    capture native rustc --version
    same_output "$rounds" rustc --version
    same native same.1 "native and detrun"
}

"program_$1"
