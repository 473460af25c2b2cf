#!/bin/bash
# SPDX-License-Identifier: MIT
# file_times.sh: no tool finds a file of the future, and what depends on the order of files goes on.
. "$(dirname "$0")/lib.sh"

quiet() {
    if grep -iE 'skew|future|changed as we read|differ|implausibl' "log/$1"; then
        fail "$1: a file is later than the clock"
    fi
}

# job NAME COMMAND...: a job of its own, with no complaint about times
job() {
    capture "$@" || true
    ok "$1"
    quiet "$1"
}

says() {
    grep -q -- "$2" "log/$1" || {
        cat "log/$1"
        fail "$1: no line with: $2"
    }
}

says_not() {
    if grep -- "$2" "log/$1"; then
        fail "$1: a line with: $2"
    fi
}

# Two programs of two parts each; one.h belongs to one of them.
make_tree() {
    mkdir -p "$1"
    printf 'int one(void){return 1;}\n' >"$1/one.c"
    printf 'int two(void){return 2;}\n' >"$1/two.c"
    printf '/* 1 */\n' >"$1/one.h"
    sed 's/^ /\t/' >"$1/Makefile" <<'END'
all: one.a two.a
one.o: one.c one.h
 gcc -c one.c
two.o: two.c
 gcc -c two.c
%.a: %.o
 ar rcD $@ $<
END
    cat >"$1/build.ninja" <<'END'
rule cc
  command = gcc -c $in -o $out
rule copy
  command = cmp -s $in $out || cp $in $out
  restat = 1
rule ar
  command = rm -f $out && ar rcD $out $in
build copy.c: copy two.c
build n1.o: cc one.c | one.h
build n2.o: cc copy.c
build n1.a: ar n1.o
build n2.a: ar n2.o
END
}

# rebuilds TOOL ONE TWO OPTION SOURCE CHANGED OTHER: what is made anew says ONE or TWO after a touch of
# one.h, CHANGED and not OTHER after a change of SOURCE in a job.
rebuilds() {
    local tool=$1 one=$2 two=$3 source=$5 changed=$6 other=$7
    make_tree "$tool"
    job "$tool.1" under 3 "$tool" -C "$tool"
    says "$tool.1" "gcc\|5/5"
    job "$tool.2" under 3 "$tool" -C "$tool"
    says "$tool.2" "Nothing to be done\|no work to do"
    touch "$tool/one.h"
    job "$tool.3" under 3 "$tool" -C "$tool" ${4:+"$4"}
    says "$tool.3" "$one"
    says_not "$tool.3" "$two"
    job "$tool.4" under 3 sh -c "touch $tool/$source && echo 'int x(void){return 3;}' >$tool/$source &&
        $tool -C $tool $4 && $tool -C $tool"
    says "$tool.4" "$changed"
    says_not "$tool.4" "$other"
    says "$tool.4" "Nothing to be done\|no work to do"
}

need make ar gcc find tar
rebuilds make one.c two.c '' two.c two.c one.c

# By ninja's log alone a rule with restat is decided: within one job it is.
if command -v ninja >/dev/null; then
    rebuilds ninja n1.o n2.o -v one.c n1.o n2.o
    make_tree restat
    job restat under 3 sh -c "ninja -C restat >first && echo 'int two(void){return 3;}' >restat/two.c &&
        ninja -C restat -v && ninja -C restat"
    says restat n2.o
    says_not restat n1.o
    says restat 'no work to do'
fi

# What is written later in a job is later, by whatever way, though nobody waits and nothing is read from
# the clock; and every run says the same, whatever the seed.
need stat sed
wrote='for i in 1 2 3; do
    echo one >a && mkdir -p d && echo two >b && sed -i s/one/1/ a && touch b && install -p a c
    sort a >e && touch f && echo && test f -nt e && rm -f e f
    echo three >>b && test b -nt a && ! test c -nt a && ! test a -nt c && rm -f c
    stat -c "%n %y %x %z %w" a b d
done'
for seed in 3 4 5; do
    rm -rf wrote && mkdir wrote
    job "wrote.$seed" limited "$detrun" -q --seed "$seed" -- sh -e -c "cd wrote && $wrote"
    cmp "log/wrote.3" "log/wrote.$seed" || fail "times of files written by two runs differ"
done
says wrote.3 '^a 2025-01-01 00:00:00'

job shell under 3 bash -e -c '
    touch old && sleep 0.02 && touch new
    test new -nt old && ! test old -nt new
    [ "$(find . -maxdepth 1 -newer old -name new)" = ./new ]
    touch -d "2001-02-03 04:05:06.789" set
    [ "$(stat -c %y set)" = "2001-02-03 04:05:06.789000000 +0000" ]
    now=$(date +%s) && touch -d "@$now" set && [ "$(stat -c %Y set)" = "$now" ]
    cp -p new copy && ! test new -nt copy && ! test copy -nt new'

job tar under 3 bash -e -c '
    tar cf tree.tar make && mkdir out && tar xf tree.tar -C out && tar df tree.tar -C out
    tar -C out --format=pax -cf pax.tar make && rm -r out/make && tar xf pax.tar -C out
    tar df pax.tar -C out && touch out/make/one.h && tar -C out -uvf pax.tar make'
says tar '^make/one.h$'
says_not tar '^make/two.c$'

if command -v rsync >/dev/null; then
    job rsync under 3 bash -e -c 'rsync -rt make/ mirror && rsync -rtv make/ mirror &&
        touch make/one.h && rsync -rtv make/ mirror | sed "s/one.h/sent again/"'
    says_not rsync one.h
    says rsync 'sent again'
fi

if command -v git >/dev/null; then
    job git under 3 bash -e -c 'git init -q tree && cd tree && cp ../make/*.c . && git add . &&
        git -c user.name=a -c user.email=a@b commit -qm one && git status --short &&
        sed -i s/1/7/ one.c && git status --short'
    says git '^ M one.c$'
    says_not git two.c
fi

# A source of Python's is a file as any other for those that do not run it.
if command -v python3 >/dev/null; then
    mkdir script
    printf 'out: gen.py\n\tpython3 gen.py >out\n' >script/Makefile
    echo 'print(1)' >script/gen.py
    job script under 3 sh -c 'make -C script && make -C script'
    says script 'is up to date'
fi

# A source of the same size, a second later, is another one; so it is for the next job.
if command -v python3 >/dev/null; then
    mkdir py
    echo 'print(1)' >py/one.py
    job py.1 under 3 env PYTHONPATH=py python3 -c 'import one'
    sleep 1.1
    echo 'print(2)' >py/one.py
    DETRUN_WAIT=real job py.2 under 3 env PYTHONPATH=py bash -c 'python3 -c "import one" && sleep 1.1 &&
        echo "print(3)" >py/one.py && python3 -c "import one"'
    says py.2 '^2$'
    says py.2 '^3$'
    PYTHONPATH=py job py.3 under 3 python3 -v -c 'import one'
    says py.3 'matches .*one.py'
fi

# What is asked for is real.
touch real
for what in mtimes wall; do
    job "$what" limited "$detrun" --seed 3 --real "$what" -- stat -c %Y real
    says "$what" "^$(stat -c %Y real)$"
done

# The start is the real one: nothing is later than it either. And no room before it.
for epoch in now 0 946684800; do
    job "epoch.$epoch" limited "$detrun" --seed 3 --epoch "$epoch" -- bash -c '
        touch fresh && (( $(stat -c %Y fresh) <= $(date +%s) ))'
done
exit 0
