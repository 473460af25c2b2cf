#!/bin/bash
# SPDX-License-Identifier: MIT
# sources.sh NAME: a C project from Debian's sources, fetched by a sources list of the test's own, is
# built twice, with -j1 and with -j4: every file is the same. make then has nothing to do, also in
# another job; and after a touch it makes what hangs on that file and no more.
. "$(dirname "$0")/lib.sh"
need apt-get make gcc tar xz bzip2
name=$1
limit=600

# How each is made, and what to touch.
case $name in
hello) configure="./configure --quiet" target="" touched=src/hello.c makes=src/hello.o ;;
zlib) configure=./configure target="" touched=infback.c makes=infback.o ;;
lua5.4) configure=true target=linux touched=src/lmathlib.c makes=src/lmathlib.o ;;
*) fail "no such project: $name" ;;
esac

# The first list of the machine's that names Debian's archive says where it is.
archive=$(grep -rhoE 'https?://[^ ]*/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -n 1)
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
{ [ -n "$archive" ] && [ -n "$suite" ]; } || skip "no archive of Debian's is known here"
mkdir -p apt/lists/partial apt/cache/archives/partial apt/parts fetched
cat >apt/parts/sources.sources <<E
Types: deb-src
URIs: $archive
Suites: $suite
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
E
apt=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$work/apt/parts"
    -o "Dir::State::Lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache" -o APT::Sandbox::User=root)
limited apt-get "${apt[@]}" -qq update >log/update 2>&1 || skip "no source packages here: $(tail -n 1 log/update)"
(cd fetched && limited apt-get "${apt[@]}" -qq source --download-only "$name") >log/fetch 2>&1 ||
    skip "$name: $(tail -n 1 log/fetch)"

unpack() {
    rm -rf tree
    mkdir tree
    tar -xf fetched/*.orig.tar.* -C tree --strip-components 1
}

files() {
    (cd tree && find . -type f -print0 | sort -z | xargs -0 sha256sum)
}

# in_job SEED COMMAND: in the tree
in_job() {
    (cd tree && limited "$detrun" --seed "$1" -q -- sh -c "$2")
}

# build JOBS LIST
build() {
    unpack
    in_job 7 "$configure && make -j$1 $target" >"log/make$1" 2>&1 || fail "make -j$1: $(tail -n 5 "log/make$1")"
    files >"log/$2"
}

rm -f fetched/*.asc
build 1 one
build 4 four
cmp -s log/one log/four || fail "-j1 and -j4 differ: $(diff log/one log/four | head -n 5)"
build 4 again
cmp -s log/four log/again || fail "two builds differ: $(diff log/four log/again | head -n 5)"

made() {
    in_job 7 "make -j4 $target" >log/made 2>&1 || fail "make again: $(tail -n 5 log/made)"
    files >log/after
}

made
! grep -E '(^| )-c ' log/made || fail "a second make compiles"
cmp -s log/four log/after || fail "a second make changes: $(diff log/four log/after | head -n 5)"
# Natively as well: what it has built is not from the future, nor too old.
(cd tree && make $target) >log/native 2>&1
! grep -E '(^| )-c |future|skew' log/native || fail "natively make compiles, or complains"

touch "tree/$touched"
made
grep -qE -- "-c .*$(basename "$touched")|CC +$(basename "$makes")" log/made || fail "after a touch: $(cat log/made)"
[ "$(grep -cE -- '(^| )-c ' log/made)" -le 2 ] || fail "after a touch of one file: $(grep -- ' -c ' log/made)"
cmp -s log/four log/after || fail "after a touch: $(diff log/four log/after | head -n 5)"
