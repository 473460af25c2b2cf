#!/bin/bash
# SPDX-License-Identifier: MIT
# chromium.sh: a browser with its own sandbox (namespaces, filters that trap), a zygote and a dozen
# of processes: it shows the page, whose time and random numbers are the seed's.
. "$(dirname "$0")/lib.sh"
need chromium
limit=60
user=()
if [ "$(id -u)" = 0 ]; then
    need setpriv
    id nobody >/dev/null 2>&1 || skip "there is no user nobody"
    chmod 777 home
    user=(setpriv --reuid=nobody --clear-groups --)
    "${user[@]}" test -x "$detrun" -a -r "$preload" -a -w "$work/home" ||
        skip "nobody cannot reach $detrun"
fi

# browse NAME WRAPPER...
browse() {
    local name=$1
    shift
    rm -rf home/profile
    limited "${user[@]}" env HOME="$work/home" "$@" chromium --headless --disable-gpu \
        --user-data-dir="$work/home/profile" --dump-dom \
        'data:text/html,<script>document.write("r " + Math.random() + "<br>" + new Date().getFullYear())</script>' \
        >"log/$name" 2>log/errors </dev/null
    status=$?
    page=$(grep -o 'r 0\.[0-9]*<br>[0-9]*' "log/$name")
}

browse native
[ "$status" = 0 ] || skip "chromium ends with status $status here"
[ -n "$page" ] || skip "chromium shows nothing here: $(tail -n 1 log/errors)"
declare -A pages
for name in a b c; do
    seed=7
    [ "$name" = c ] && seed=8
    browse "$name" "$detrun" -q --seed "$seed" --
    [ "$status ${page##*>}" = "0 2025" ] ||
        fail "status $status, $page: $(grep -m 3 FATAL log/errors || tail -n 3 log/errors)"
    pages[$name]=$page
done
[ "${pages[a]}" = "${pages[b]}" ] || fail "two runs differ: ${pages[a]} ${pages[b]}"
[ "${pages[a]}" != "${pages[c]}" ] || fail "the same with another seed: ${pages[a]}"
