#!/bin/bash
# SPDX-License-Identifier: MIT
# --report DIR: a page for people, from which somebody who knows nothing finds what differs and why.
. "$(dirname "$0")/lib.sh"
need python3

# page STATUS COMMAND OPTIONS...: log/page has what the page says, and the page is in pages/COMMAND
page() {
    local status=$1 command=$2 got
    shift 2
    mkdir -p pages
    limited "$detrun" "$command" --report "pages/$command" "$@" >log/out 2>log/err
    got=$?
    [ "$got" = "$status" ] || fail "$command $*: status $got, not $status: $(cat log/out log/err)"
    [ "$(ls "pages/$command")" = index.html ] || fail "$command: left $(ls "pages/$command")"
    python3 "$source/tests/run/report_page.py" "pages/$command/index.html" >log/page 2>log/err ||
        fail "$command: $(cat log/err)"
}

# says LINE, says_not LINE: fixed texts
says() { grep -qF -- "$1" log/page || fail "the page does not say \"$1\": $(head -n 100 log/page)"; }
says_not() { ! grep -qF -- "$1" log/page || fail "the page says \"$1\""; }

runs() {
    page 1 verify --seed 5 --real random -- sh -c 'echo first; od -An -N9 -tx1 /dev/urandom; echo last >&2'
    says 'page: Of 4 runs, run 1 and run 2 part first in stdout.'
    says 'first: First difference: stdout'
    says '"random" was left to the machine (--real random)'
    says 'first: |1|first||1|first'
    grep -qE '^first: \|2\| *«.*»\|≠\|2\| *«.*»$' log/page || fail "both sides: $(cat log/page)"
    says 'runs: |run 1|passed, exit 0|'
    grep -qE '^runs: \|run 2\|passed, exit 0\|.*\|the same\|◆ first difference .*\|✓ same 5 bytes\|✓ same$' log/page ||
        fail "the first difference: $(grep runs: log/page)"
    [ "$(grep -c '≠ differs' log/page)" = 2 ] || fail "runs 3 and 4: $(grep runs: log/page)"
    grep -qE "^again: cd .*$" log/page || fail "again: $(cat log/page)"
    says 'detrun run --real=random --seed=5 -- sh -c'
    page 0 verify --seed 5 --report pages/verify -- date
    says 'page: 4 runs left the same.'
    says_not 'first:'
    page 3 verify -n 2 -- sh -c 'exit 77'
    says 'page: inconclusive'

    page 1 soak --runs 300 --seed 1 --keep-going --real pid -- sh -c 'echo $$'
    says 'page: Of 300 runs, run 1 and run 2 part first in stdout.'
    says 'runs: 100 more runs are not shown.'
    page 1 soak --seeds 4..5 --real pid -- sh -c 'echo $$'
    says 'detrun run --real=pid --seed=4 -- sh -c'
    page 1 repeat --seed 1 -n 6 --vary-seed -- sh -c 'n=$(od -An -N1 -tu1 /dev/urandom); echo "n is $n"; test $n -lt 128'
    says 'Each run has another seed'
    says 'exit status «'
    grep -q 'others: |1|n is ' log/page || fail "what they wrote: $(cat log/page)"
    page 1 shadow --seed 5 -- printf 'a\nb\n' --vs printf 'a\nc\n'
    says 'first: |baseline 4 bytes||candidate 4 bytes'
    says 'first: |2|«b»|≠|2|«c»'
}

# Four artefacts of one test: what comes before the first change is not to blame.
stages() {
    local one=07f7f6ad-b06e-4aaa-8e69-15c2c6d1508c two=e524b401-0564-4a14-a2c7-5d7c2109b08c
    mkdir a b
    echo "[\"$one\",\"$two\"]" | tee a/generator.json >b/generator.json
    echo "[{\"id\":\"$one\",\"label\":\"alpha\"},{\"id\":\"$two\",\"label\":\"beta\"}]" | tee a/bound.json >a/snapshot.json
    echo "[{\"id\":\"$one\",\"label\":\"beta\"},{\"id\":\"$two\",\"label\":\"alpha\"}]" | tee b/bound.json >b/snapshot.json
    page 1 diff --stage generator=generator.json --stage binding=bound.json --stage snapshot=snapshot.json a b
    says 'page: binding is the first of 3 stages that differs.'
    says 'first: Kind of difference: same values, other binding, at [0].label'
    says 'first: generator comes before it and is the same: it is not to blame.'
    says 'Sort these things by something that does not change'
    says "«alpha»\"},{\"id\":\"$two\",\"label\":\"«beta»\"}]|≠|1|"
    says 'runs: |b|✓ same 80 bytes|◆ first difference 125 bytes|≠ differs 125 bytes'
    says 'others: snapshot: same values, other binding'
    page 0 diff a a
    says 'page: Both are the same, compared at level bytes.'
    echo x >a/only
    page 1 diff --stage only=only a b
    says 'b left no such file'
    rm -r a b
    mkdir a b
    for ((i = 0; i < 40; i++)); do echo x | tee "a/$i" >"b/$i"; done
    echo y >b/7
    page 1 diff a b
    grep -qF 'runs: |side|0|7' log/page || fail "columns: $(grep runs: log/page)"
    says 'runs: 38 more columns are the same everywhere.'
}

# Where the answers of two runs part, and a line of events for each task.
traces() {
    local side
    for side in a b; do
        limited "$detrun" -q --seed 5 --real random --trace "$side.trace" -- \
            sh -c 'date; python3 -c "import os; print(os.urandom(4))"; uuidgen >/dev/null & wait' >/dev/null || fail "run $side"
    done
    page 1 diff a.trace b.trace
    says 'page: Two traces part. Likely cause: random: the kernel answered'
    says ': other value of random'
    says 'trace: |a.trace||b.trace'
    grep -qE '^trace: \|[0-9]+\|random: .*\|≠\|[0-9]+\|random: ' log/page || fail "the event: $(grep trace: log/page)"
    [ "$(grep -cE '^trace: \|task .*◆\|[0-9 ]+ events?\|[0-9 ]+ events?$' log/page)" = 1 ] ||
        fail "the task: $(grep trace: log/page)"
    [ "$(grep -c '<svg' pages/diff/index.html)" -ge 3 ] || fail "lines of events"
    page 0 diff a.trace a.trace
    says 'trace: All events are the same.'
    # verify has traces of its own.
    page 1 verify --seed 5 -n 2 --real random -- od -An -N9 -tx1 /dev/urandom
    says 'trace: |run 1||run 2'
}

# What programs write is text, whatever it is; what is long is cut; a binary is in hexadecimal.
hostile() {
    local name='<b>bold&'
    page 1 verify --seed 5 -n 2 --real random --artifact blob --artifact "$name" -- \
        sh -c "python3 '$programs/hostile.py'; echo \$\$ >'$name'"
    says 'first: First difference: blob'
    says 'first: |f0|f0 f1 f2 f3 f4 f5 f6 f7  f8 f9 fa fb fc fd fe ff'
    grep -qE '^first: \|100\|(«?[0-9a-f]{2}»? ?)+  00 01 02 03 04 05 06 07' log/page || fail "hexadecimal: $(cat log/page)"
    grep -q 'Cut here: .* follow\.' log/page || fail "a long binary: $(cat log/page)"
    says "<script>document.title='obeyed'</script><img src=http://example.invalid/ onerror=alert(1)>"
    says "</td></table></style><!-- &amp; \"'"
    says '\x1b[31mred\x1b[0m'
    says 'café, \xff\xfe, turned U+202Earound'
    grep -qE '…2 881 bytes…x{119} «[0-9a-f]{12}» y{119}…2 881 bytes…' log/page ||
        fail "a long line: $(grep xxx log/page)"
    grep -qE 'the last one, «[0-9a-f]{12}»' log/page || fail "the last line: $(cat log/page)"
    says 'lines the same on both sides'
    [ "$(wc -c <pages/verify/index.html)" -lt 100000 ] || fail "the page is long"
    # Larger than what is looked at.
    seq 100000 >big.1
    sed 's/^500$/other/; s/^90000$/other/' big.1 >big.2
    page 1 diff big.1 big.2
    says '|500|«500»|≠|500|«other»'
    grep -q 'Cut here: .* on the left' log/page || fail "a long text: $(cat log/page)"
    [ "$(wc -c <pages/diff/index.html)" -lt 100000 ] || fail "the page is long"
}

bad_input() {
    local command folder
    echo x >file
    mkdir -p taken/index.html
    for command in 'verify -n 2' 'soak --runs 2' 'repeat -n 2'; do
        for folder in file /nowhere/below /proc/self taken; do
            # shellcheck disable=SC2086
            limited "$detrun" $command --report "$folder" --record r.jsonl -- touch was_run >log/out 2>log/err
            [ $? = 2 ] || fail "$command --report $folder: $(cat log/out log/err)"
            [ "$(wc -l <log/err)" = 1 ] || fail "$command --report $folder: $(cat log/err)"
            if [ -e was_run ] || [ -e r.jsonl ]; then fail "$command --report $folder: something was done"; fi
        done
        # shellcheck disable=SC2086
        limited "$detrun" $command --report= -- true >log/out 2>log/err
        [ $? = 2 ] || fail "$command --report=: $(cat log/out log/err)"
    done
    limited "$detrun" diff --report file file file >log/out 2>log/err
    [ $? = 2 ] || fail "diff --report file: $(cat log/out log/err)"
    [ "$(wc -l <log/err)" = 1 ] || fail "diff --report file: $(cat log/err)"
    # A page that cannot be written is no success, and the old one stays.
    mkdir full
    echo old >full/index.html
    (
        ulimit -f 1
        trap '' XFSZ
        exec "$detrun" diff --report full file file
    ) >log/out 2>log/err
    [ $? = 2 ] || fail "no room: $(cat log/out log/err)"
    [ "$(cat full/index.html) $(ls full)" = "old index.html" ] || fail "no room: $(ls full)"
}

# In a browser: nothing is wider than the window, on light and dark, and nothing is asked for.
browser() {
    need chromium
    local width colours
    page 1 verify --seed 5 -n 2 --real random --artifact blob --artifact "<b>bold&" -- \
        sh -c "python3 '$programs/hostile.py'; echo \$\$ >'<b>bold&'"
    chmod 755 . pages pages/verify
    # The test's own script is all that is added, and the policy that would forbid it taken out.
    sed 's/<meta http-equiv[^>]*>//' pages/verify/index.html >measured.html
    cat >>measured.html <<'END'
<script>
document.title = [
    document.documentElement.scrollWidth - document.documentElement.clientWidth,
    document.querySelectorAll("script, img, link, iframe").length,
    ...[...document.querySelectorAll("td.first")].map(cell => cell.innerText.split("\n")[0].trim()),
    getComputedStyle(document.body).backgroundColor
].join(" ");
</script>
END
    for width in 400 1400; do
        for colours in 0 1; do
            limited chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/home/$width$colours" \
                --window-size="$width,900" --blink-settings=preferredColorScheme="$colours" \
                --dump-dom "file://$work/measured.html" >log/dom 2>log/err </dev/null ||
                skip "chromium does not run here: $(tail -n 1 log/err)"
            grep -o '<title>.*</title>' log/dom >log/title || fail "no title: $(head -c 500 log/dom)"
            case $colours$(cat log/title) in
            '0<title>0 1 ◆ first difference rgb(15, 20, 25)</title>') ;;
            '1<title>0 1 ◆ first difference rgb(255, 255, 255)</title>') ;;
            *) fail "$width wide, colours $colours: $(cat log/title)" ;;
            esac
        done
    done
    # As it is: what it says is text, and its policy holds.
    limited chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/home/whole" --log-net-log="$work/log/net" \
        --screenshot="$work/page.png" --window-size=1200,2400 "file://$work/pages/verify/index.html" >log/out 2>&1 </dev/null
    [ -s page.png ] || fail "no screenshot: $(tail -n 2 log/out)"
    [ -s log/net ] || fail "chromium kept no log of what it asked for"
    ! grep -q 'example\.invalid' log/net || fail "it asked for something from elsewhere"
}

"$1"
exit 0
