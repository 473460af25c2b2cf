#!/bin/bash
# SPDX-License-Identifier: MIT
# --profile ci: whoever calls, and from wherever, the program finds the same around it.
. "$(dirname "$0")/lib.sh"
need gcc jq

cat >around.c <<'E'
#include <stdio.h>
int main(int argc, char **argv)
{
    int here;
    printf("%p %p %d\n", (void *)&here, (void *)argv, argc);
}
E
gcc -O1 -o around around.c || fail "cannot compile"
mkdir -p deeper/and/deeper
cp around deeper/and/deeper/
cat >look.sh <<'E'
env | grep -v -e '^DETRUN_PAD[A-Z_]*=' -e ^_= -e ^PWD=
umask
ulimit -s
date -d @0
E

# look FOLDER VARIABLE=VALUE...: what a program finds that is called so
look() {
    local folder=$1
    shift
    (cd "$folder" && env "$@" "$detrun" --seed 7 "${options[@]}" -- sh "$work/look.sh") 2>&1
}

options=(--profile ci)
one=$(look . TERM=xterm TZ=UTC HOME=/one USER=me) || fail "$one"
two=$(
    umask 077
    ulimit -S -s 4096
    look deeper/and/deeper TZ=Pacific/Kiritimati COLUMNS=50 LANG=ru_RU LC_TIME=x HOME=/home/another/one \
        USER=other LOGNAME=other TMUX=x NO_COLOR= LINES=3 SHELL=/bin/zsh SHLVL=7 HOSTNAME=here PWD=/wrong COLORTERM=y
) || fail "$two"
diff <(echo "$one") <(echo "$two") >log/diff || fail "two callers: $(cat log/diff)"
grep -qx 0022 <<<"$one" || fail "umask: $one"
grep -qx TERM=dumb <<<"$one" || fail "TERM: $one"
# By another path the program lies at the same addresses.
places=$(for path in ./around "$work/deeper/and/deeper/around"; do "$detrun" --seed 7 --profile ci -- "$path"; done | sort -u | wc -l)
[ "$places" = 1 ] || fail "the program's path moves the stack"
options=()
three=$(look deeper/and/deeper TZ=Pacific/Kiritimati)
[ "$one" != "$three" ] || fail "the profile changes nothing"

options=(--profile modern --set EXTRA=1 --set TERM=screen --unset 'NO_*' --unset LINES)
one=$(look .)
for line in COLORTERM=truecolor EXTRA=1 TERM=screen COLUMNS=80; do
    grep -qx "$line" <<<"$one" || fail "modern: no $line in $one"
done
grep -q ^LINES= <<<"$one" && fail "--unset LINES: $one"

# What passes stands in the records, and they are equal.
FTUI_TEST_PROFILE=modern TZ=UTC "$detrun" --seed 7 --profile ci --set A=b --record r1 -- sh -c 'exit 1' 2>/dev/null
FTUI_TEST_PROFILE=modern TZ=Asia/Tokyo HOME=/x "$detrun" --seed 7 --profile ci --set A=b --record r2 -- sh -c 'exit 1' 2>/dev/null
diff <(jq -c 'del(.volatile)' r1) <(jq -c 'del(.volatile)' r2) >log/diff || fail "records: $(cat log/diff)"
jq -es 'any(.[]; .snapshot.FTUI_TEST_PROFILE == "modern" and .snapshot.TZ == "UTC")' r1 >/dev/null || fail "snapshot: $(cat r1)"
jq -r 'select(.event == "failure") | .reproduce' r1 >again
grep -q -- '--profile=ci .*--set=A=b -- ' again || fail "the line that repeats it: $(cat again)"
valid r1
for words in "--profile x" "--set x" "--set =x" "--unset A=b" "--unset="; do
    # shellcheck disable=SC2086
    "$detrun" --seed 1 $words -- true 2>log/err
    [ $? = 125 ] || fail "$words"
    [ "$(wc -l <log/err)" = 1 ] || fail "$words: $(cat log/err)"
done
exit 0
