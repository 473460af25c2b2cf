#!/bin/bash
# SPDX-License-Identifier: MIT
# commands.sh few|all: commands that are deterministic under detrun; verify must raise no alarm.
. "$(dirname "$0")/lib.sh"
need git make tar gzip
which=$1

# What the commands work on. Dates are fixed, because file times are real for files that were there.
mkdir src
printf 'beta 2\nalpha 1\nbeta 2\ngamma 3\n' >words
printf '{"b":[1,2],"a":{"d":null,"c":"x"}}\n' >data.json
printf '#include <stdio.h>\nint main(void) { puts(__DATE__ __TIME__); return 0; }\n' >src/hello.c
printf 'OUT ?= hello\nall: $(OUT)\n$(OUT): hello.c\n\t$(CC) -o $@ $<\nmany: a b c d\na b c d:\n\t@sleep 0.$(words $@ x); echo $@ >$@; uuidgen >>$@\n.PHONY: a b c d many\n' >src/Makefile
touch -d @1700000000 words data.json src/* src
git init -q repo || fail "git init"
cp words repo
git -C repo add . || fail "git add"
git -C repo -c user.name=n -c user.email=e commit -qm words || fail "git commit"

# ARTIFACT (- for none), whether the short test has it (*), command
commands() {
    cat <<'END'
-       * ls -l --time-style=full-iso src
-       * sort -k2 words
-       * python3 -c 'import json; print(json.dumps({w: len(w) for w in open("words").read().split()}))'
-       * perl -e 'my %h = map { $_ => 1 } 1..50; print "$_\n" for sort keys %h'
-       * awk '{ n[$1]++ } END { for (k in n) print k, n[k] }' words
hello.o * gcc -O2 -c -o hello.o src/hello.c
src.tar * tar -cf src.tar src
words.gz * gzip -c words >words.gz
-       * find src -type f -exec sha256sum {} +
-       * sh -c 'for i in 1 2 3 4; do echo $i $$; done | tac; date'
-       - cat words src/hello.c
-       - wc words
-       - head -n 3 words
-       - tail -c 40 words
-       - cut -d' ' -f2 words
-       - tr a-z A-Z <words
-       - sed -n 's/alpha/omega/p' words
-       - grep -rn main src
-       - uniq -c words
-       - od -c words
-       - comm words words
-       - diff -u words src/hello.c
-       - join words words
-       - paste words words
-       - nl words
-       - fold -w 7 words
-       - base64 words
-       - md5sum words
-       - cksum words
-       - expr 6 '*' 7
-       - seq 1 1000
-       - factor 1234567890123
-       - stat -c '%n %s %a' words
-       - du -a src
-       - date -u +%s.%N
-       - env
-       - id
-       - printf '%s\n' a b c
-       - xargs -n 1 echo <words
-       - xargs -P 4 -n 1 test -n <words
-       - bash -c 'declare -A m=([a]=1 [b]=2 [c]=3); echo "${!m[@]}" $RANDOM; sleep 1; echo $SECONDS'
-       - sh -c '(sleep 2; echo two) & (sleep 1; echo one) & wait; echo end'
hello   - make -s -C src OUT=../hello
-       - make -j4 -s -C src many
hello   - gcc -g -o hello src/hello.c
hello.s - gcc -S -o hello.s src/hello.c
hello   - g++ -x c++ -o hello src/hello.c
hello   - clang -O1 -o hello src/hello.c
src.tgz - tar -czf src.tgz src
src.zip - sh -c 'rm -f src.zip; zip -qr src.zip src'
words.xz - xz -kf words
words.bz2 - bzip2 -kf words
-       - git -C repo log --stat
-       - sh -c 'rm -rf new; git init -q new; cd new; cp ../words .; git add .; git -c user.name=n -c user.email=e commit -qm words; git log --format=fuller'
-       - python3 -c 'import random, uuid, time, os; print(random.random(), uuid.uuid4(), time.time(), os.getpid(), {str(i) for i in range(20)})'
-       - python3 -c 'import concurrent.futures as f; print(list(f.ThreadPoolExecutor(4).map(lambda n: n * n, range(100))))'
-       - python3 -c 'import tempfile; print(tempfile.NamedTemporaryFile().name)'
-       - python3 -c 'import sqlite3; c = sqlite3.connect(":memory:"); print(c.execute("select random(), datetime()").fetchall())'
-       - perl -e 'print join(" ", keys %{{ map { $_ => 1 } 1..20 }}), rand, "\n"'
-       - ruby -e 'puts [1, 2, 3].shuffle.inspect, rand, Time.now.to_f, "a".hash'
-       - php -r 'echo mt_rand(), " ", uniqid(), " ", microtime(true), "\n";'
-       - node -e 'console.log(Math.random(), Date.now(), [...new Set([3, 1, 2])], process.pid); setTimeout(() => console.log("later"), 500)'
-       - java -version
-       - lua5.4 -e 'for k in pairs({a=1, b=2, c=3, d=4}) do print(k) end'
-       - sqlite3 :memory: 'select hex(randomblob(8)), strftime("%s")'
-       - openssl rand -hex 16
-       - openssl dgst -sha256 words
-       - jq -S . data.json
-       - dc -e "2 100 ^ p"
-       - m4 src/hello.c
-       - ps -o pid,comm -p $$
-       - hostname
-       - uname -a
-       - mktemp -u
-       - shuf -n 3 words
-       - cmake --version
-       - go version
END
}

tried=0 missing=0 wrong=0
while read -r artifact few command; do
    [ "$which" = all ] || [ "$few" = "*" ] || continue
    program=${command%% *}
    if ! command -v "$program" >/dev/null; then
        missing=$((missing + 1))
        continue
    fi
    tried=$((tried + 1))
    files=()
    [ "$artifact" = - ] || files=(--artifact "$artifact")
    if ! limited "$detrun" verify --seed 5 "${files[@]}" -- sh -c "$command" >log/out 2>log/err </dev/null ||
        ! grep -q '^same: 4 runs' log/out; then
        wrong=$((wrong + 1))
        echo "$command: $(cat log/out log/err)"
    fi
done < <(commands)
echo "$tried commands tried, $missing not here"
[ "$wrong" = 0 ] || fail "$wrong commands raised an alarm"
[ "$which" = all ] && [ "$tried" -lt 50 ] && skip "only $tried of these commands are here, fewer than 50"
[ "$tried" -gt 0 ] || fail "nothing was tried"
exit 0
