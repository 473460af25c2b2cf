#!/bin/bash
# SPDX-License-Identifier: MIT
# detrun diff: the first changing boundary, and what kind of change it is.
lib=${TEST_LIBRARY:?}
. "$(dirname "$0")/lib.sh"
need jq python3 gzip tar zip gcc

# kind NAME A B WORDS [LEVEL]: contents of two files of that name, and what diff says of them
kind() {
    mkdir -p a b
    printf '%b' "$2" >"a/$1"
    printf '%b' "$3" >"b/$1"
    limited "$detrun" diff "a/$1" "b/$1" >log/out 2>log/err
    [ $? = 1 ] || fail "$1, $2, $3: $(cat log/out log/err)"
    grep -qE "^first change: .*: $4$" log/out || fail "$1: $2 against $3: $(cat log/out)"
    local level=${5:-none} got
    got=$(limited "$detrun" diff --format json "a/$1" "b/$1" | jq -r '.stages[0].level')
    [ "$got" = "$level" ] || fail "$1: $2 against $3: level $got, not $level"
}

kinds() {
    # The seed document's example: the same values, but the table's columns follow the keys' order.
    kind x.json '[{"id":"07f7","label":"alpha"}]' '[{"label":"alpha","id":"07f7"}]' 'key order' values
    kind x.csv 'id,label\n07f7,alpha\n' 'label,id\nalpha,07f7\n' 'column order' values
    grep -q 'bytes part at offset 0' log/out || fail "offset: $(cat log/out)"
    kind x.csv 'id,n\n1,"two\nlines"\n2,b\n' 'id,n\n2,b\n1,"two\nlines"\n' 'order of rows' values
    kind x.csv 'id,n\n1,"a"\n' 'id,n\n1,a\n' quoting order
    kind x.csv 'id,n\r\n1,a\r\n' 'id,n\n1,a\n' 'line endings' order
    kind x.csv 'id,n\n1,a\n' 'id,n\n1,a' 'trailing newline' order
    kind x.csv 'id,n\n1,null\n' 'id,n\n1,\n' 'null against empty string'
    kind x.csv 'id,n\n1,=a\n' "id,n\n1,'=a\n" 'spreadsheet escaping'
    kind x.csv 'id,n\n1,Abc\n' 'id,n\n1,aBc\n' 'letter case'
    kind x.csv 'id,n\n1,a\n2,b\n' 'id,n\n1,b\n2,a\n' 'same values, other binding'
    kind x.csv 'id,n\n1,a\n' 'id,n\n1,c\n' values
    grep -q 'at row 1, column "n"' log/out || fail "where: $(cat log/out)"
    kind x.json '{"a":[1,2,{"b":"x"}]}' '{"a":[1,2,{"b":"y"}]}' values
    grep -qF 'at a[2].b' log/out || fail "path: $(cat log/out)"
    kind x.json '{"a":"X"}' '{"a":"x"}' 'letter case'
    kind x.json '{"a":null}' '{"a":""}' 'null against empty string'
    kind x.json '[1,2]' '[2,1]' 'order of elements' values
    kind x.json '{"a":1}' '{ "a": 1.0 }' 'blanks or notation' order
    kind x.json '{"a":1}\n' '{"a":1}' 'trailing newline' order
    kind x.json '{"a":1}' '{"a":1,"b":2}' values
    kind x.json '{"id":9007199254740993}' '{"id":9007199254740992}' values
    kind x.json '{"id":12345678901234567890}' '{"id":12345678901234567000}' values
    kind x.json '{"a":1,"a":2}' '{"a":2}' values
    kind x.txt 'a\nb\n' 'b\na\n' 'order of lines' values
    kind x.txt 'a\nb\n' 'a\r\nb\r\n' 'line endings' order
    kind x.txt 'a\nb\n' 'a\nc\n' values
    grep -q 'at line 2' log/out || fail "line: $(cat log/out)"
    kind x.csv 'id,n\n1,"a\n' 'id,n\n1,b\n' values
    limited "$detrun" diff --level values a/x.json a/x.json >log/out || fail "the same file"
    printf '[1,2]' >a/l.json
    printf '[2,1]' >b/l.json
    limited "$detrun" diff --level values a/l.json b/l.json >log/out || fail "--level values: $(cat log/out)"
    limited "$detrun" diff --level order a/l.json b/l.json >log/out && fail "--level order: $(cat log/out)"
    return 0
}

# where NAME WORDS: of two binary files
where() {
    limited "$detrun" diff "a/$1" "b/$1" >log/out 2>log/err
    [ $? = 1 ] || fail "$1: $(cat log/out log/err)"
    grep -q "$2" log/out || fail "$1: $(cat log/out)"
}

binaries() {
    mkdir -p a b f
    echo text >f/t
    local side seconds=1000000000
    for side in a b; do
        seconds=$((seconds + 100000000))
        touch -d "@$seconds" f/t
        gzip -c f/t >"$side/t.gz"
        tar -cf "$side/t.tar" -C f t
        (cd f && zip -qX "../$side/t.zip" t)
        printf 'const char version[] = "%s"; int main(void) { return version[0]; }\n' "$side" >v.c
        gcc -o "$side/program" v.c
        python3 - "$side" <<'E'
import struct, sys, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
side = sys.argv[1]
open(side + "/p.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + chunk(b"tEXt", b"made\0" + side.encode()) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))
E
    done
    where t.gz 'gzip: modification time'
    where t.tar 'tar: modification time of t'
    where t.zip 'zip: modification time of t'
    where program 'ELF: section '
    where p.png 'png: chunk tEXt'
    printf '\0\1' >a/raw
    printf '\0\2' >b/raw
    where raw 'offset 1'
}

# Four artefacts of one test: generator list, bound records, sorted records, snapshot.
stages() {
    local one=07f7f6ad-b06e-4aaa-8e69-15c2c6d1508c two=e524b401-0564-4a14-a2c7-5d7c2109b08c
    mkdir -p a b
    echo "[\"$one\",\"$two\"]" | tee a/generator.json >b/generator.json
    echo "[{\"id\":\"$one\",\"label\":\"alpha\"},{\"id\":\"$two\",\"label\":\"beta\"}]" | tee a/bound.json a/sorted.json >a/snapshot.json
    echo "[{\"id\":\"$one\",\"label\":\"beta\"},{\"id\":\"$two\",\"label\":\"alpha\"}]" | tee b/bound.json b/sorted.json >b/snapshot.json
    local options=(--stage generator=generator.json --stage binding=bound.json --stage sorted=sorted.json --stage snapshot=snapshot.json)
    limited "$detrun" diff "${options[@]}" a b >log/out
    [ $? = 1 ] || fail "$(cat log/out)"
    grep -qx 'generator: same' log/out || fail "$(cat log/out)"
    grep -qx 'first change: binding: same values, other binding' log/out || fail "$(cat log/out)"
    grep -qx 'generator is the same: it is not to blame' log/out || fail "$(cat log/out)"
    [ "$(limited "$detrun" diff --format json "${options[@]}" a b | jq -r '"\(.first_change) \(.stages[1].same_values)"')" = "binding true" ] ||
        fail "--format json"
    # Sorted by a stable field before ids are given, all four are the same.
    cp a/*.json b/
    limited "$detrun" diff "${options[@]}" a b >log/out || fail "$(cat log/out)"
    grep -qx 'same, at level bytes' log/out || fail "$(cat log/out)"
    echo more >b/extra
    limited "$detrun" diff a b >log/out
    grep -qx 'first change: extra: only in the second' log/out || fail "$(cat log/out)"
    mkdir c d
    limited "$detrun" diff c d >log/out
    [ $? = 3 ] || fail "two empty folders: $(cat log/out)"
}

# All below a folder is compared: what is hidden, what is deeper, what links say, what is no file.
folders() {
    local row name
    rm -rf a b
    mkdir -p a/.git/x a/deep/er a/empty other
    echo 1 | tee a/.hidden a/.git/x/f a/deep/er/f >a/f
    ln -s f a/link
    ln -s nowhere a/broken
    ln -s ../other a/folder
    ln -s .. a/loop
    mkfifo a/fifo
    cp -a a b
    echo "only once" >other/file
    limited "$detrun" diff a/ b >log/out || fail "copies: $(cat log/out)"
    [ "$(sed -n 's/: same$//p' log/out | tr '\n' ' ')" = ".git/x/f .hidden broken deep/er/f f fifo folder link loop " ] ||
        fail "not all of it: $(cat log/out)"
    for row in ".git/x/f:values" "deep/er/f:values" ".hidden:values" "f:values" "link:values" "deep/er/new:only in the second" \
        "folder:values" "broken:values" "fifo:values" "deep/er/f:only in the first"; do
        name=${row%%:*}
        rm -rf b
        cp -a a b
        rm -rf "b/$name"
        case $row in
        link:* | broken:*) ln -s other "b/$name" ;;
        folder:*) mkdir "b/$name" ;;
        *first) ;;
        *) echo 2 >"b/$name" ;;
        esac
        [ "$name" != link ] || echo 2 >b/other
        limited "$detrun" diff a b >log/out 2>log/err
        [ $? = 1 ] || fail "$row: $(cat log/out log/err)"
        grep -q "^first change: $name: ${row#*:}$" log/out || fail "$row: $(cat log/out)"
    done
    rm -rf b
    cp -a a b
    rm -r b/deep
    echo 1 >b/deep
    limited "$detrun" diff a b >log/out
    grep -qx 'first change: deep: values' log/out || fail "a folder against a file: $(cat log/out)"
    mkdir many
    (cd many && seq 5000 | xargs touch)
    limited "$detrun" diff many many >log/out 2>log/err
    [ $? = 2 ] || fail "5000 files: status"
    [ "$(cat log/err)" = 'detrun: "many" has more than 4096 files; name those that count with --stage' ] || fail "$(cat log/err)"
}

# Two files of records: the first record, and the first member of it; what is volatile is nothing.
records() {
    local row
    one() {
        rm -f "$1"
        limited "$detrun" --seed 1 -q --record "$1" -- sh -c '"$1" note call C "$2" failed; "$1" note event "$3"; exit "$4"' \
            sh "$detrun" "${@:2}" 2>/dev/null
    }
    one a.jsonl text e 3
    one b.jsonl text e 3
    cmp -s a.jsonl b.jsonl && fail "nothing is volatile"
    [ "$(limited "$detrun" diff a.jsonl b.jsonl)" = "same: 7 records" ] || fail "equal runs: $("$detrun" diff a.jsonl b.jsonl)"
    sed -i 1d a.jsonl b.jsonl
    for row in 'record 2, call, text: letter case|TEXT e 3' 'record 2, call, text: values|other e 3' \
        'record 3, event, name: values|text E2 3' 'record 5, failure, reason: values|text e 4'; do
        # shellcheck disable=SC2086 # words
        one b.jsonl ${row#*|}
        sed -i 1d b.jsonl
        limited "$detrun" diff a.jsonl b.jsonl >log/out 2>log/err
        [ $? = 1 ] || fail "$row: $(cat log/out log/err)"
        [ "$(head -n 1 log/out)" = "first change: ${row%|*}" ] || fail "$row: $(cat log/out)"
    done
    sed 's/"calls":\[{"host":"C","text":"text"/"calls":[{"host":"C","text":"other"/' a.jsonl >b.jsonl
    limited "$detrun" diff --format json a.jsonl b.jsonl | jq -e '.first_change.path == "calls[0].text" and .status == 1' >/dev/null ||
        fail "a deep one: $("$detrun" diff a.jsonl b.jsonl)"
    head -n -1 a.jsonl >b.jsonl
    limited "$detrun" diff a.jsonl b.jsonl >log/out
    grep -q '^first change: record 6, end: only in the first$' log/out || fail "a missing one: $(cat log/out)"
    sed 's/"state":null/"state":""/' a.jsonl >b.jsonl
    limited "$detrun" diff a.jsonl b.jsonl >log/out
    grep -q ': null against an empty string$' log/out || fail "null: $(cat log/out)"
    (head -n 2 a.jsonl && head -c 50 a.jsonl) >b.jsonl
    limited "$detrun" diff a.jsonl b.jsonl >log/out 2>log/err
    [ "$?.$(wc -l <log/err).$(grep -c 'b.jsonl:3: cut off' log/err)" = 2.1.1 ] || fail "cut off: $(cat log/out log/err)"
}

# Four artefacts that a program records as stages and writes: verify names the first stage that
# differs, diff of the files the kind; sorted before ids are given, all of them are the same.
recorded() {
    local side how got options swap
    gcc -O1 -I"$source/include" -o binding "$programs/binding.c" -L"$lib" -ldetrun -Wl,-rpath,"$lib" || fail "cannot compile"
    options=(--stage generator=generator.json --stage binding=binding.json --stage sorted=sorted.json --stage snapshot=snapshot.json)
    # In the other order every second time.
    swap='set -- alpha beta; if [ -e seen ]; then rm seen; set -- beta alpha; else : >seen; fi'
    for how in as-they-come sorted-first; do
        rm -rf a b seen
        limited "$detrun" verify -n 2 --seed 5 -- sh -c "$swap; exec ./binding $how \"\$@\"" >log/verify 2>&1
        got=$?
        for side in a b; do
            mkdir "$side"
            set -- alpha beta
            [ "$side" = a ] || set -- beta alpha
            (cd "$side" && limited "$detrun" -q --seed 5 -- ../binding "$how" "$@") || fail "$how $side"
        done
        limited "$detrun" diff "${options[@]}" a b >log/files
        echo "status $?" >>log/files
        if [ "$how" = sorted-first ]; then
            [ "$got" = 0 ] || fail "$(cat log/verify)"
            [ "$(grep -c ': same$' log/files) $(tail -n 1 log/files)" = "4 status 0" ] || fail "$(cat log/files)"
            continue
        fi
        [ "$got" = 1 ] || fail "$(cat log/verify)"
        grep -q '^run 1 and run 2 part in stages at byte [0-9]*, line 2 ' log/verify || fail "$(cat log/verify)"
        grep -q '^  - binding: 125 bytes, ' log/verify || fail "$(cat log/verify)"
        grep -qx 'generator: same' log/files || fail "$(cat log/files)"
        grep -qx 'first change: binding: same values, other binding' log/files || fail "$(cat log/files)"
        grep -qx 'generator is the same: it is not to blame' log/files || fail "$(cat log/files)"
    done
}

bad_input() {
    local words
    mkdir -p a b
    echo x >file
    for words in "" "file" "file file file" "file a" "/nowhere file" "--level x file file" "--unknown file file" \
        "--stage x a b" "--stage x=y a b" "--stage x=y file file" "--format x file file"; do
        # shellcheck disable=SC2086
        limited "$detrun" diff $words >log/out 2>log/err
        [ $? = 2 ] || fail "diff $words: status"
        [ "$(wc -l <log/err)" = 1 ] || fail "diff $words: $(cat log/err)"
    done
}

"$1"
exit 0
