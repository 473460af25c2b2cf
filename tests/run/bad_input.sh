#!/bin/bash
# SPDX-License-Identifier: MIT
# Bad input: one line on standard error, status 125, 126 or 127, nothing started.
. "$(dirname "$0")/lib.sh"

# refused STATUS ARGUMENT...
refused() {
    local want=$1 status
    shift
    limited "$detrun" "$@" >log/out 2>log/err </dev/null
    status=$?
    [ "$status" = "$want" ] || fail "detrun $*: status $status, not $want: $(cat log/err)"
    [ ! -s log/out ] || fail "detrun $*: printed on standard output: $(cat log/out)"
    [ "$(wc -l <log/err)" = 1 ] || fail "detrun $*: not one line: $(cat log/err)"
    [ ! -e started ] || fail "detrun $*: the command was started"
}

for seed in -1 1_000 ' 1' '1 ' 0x '' abc 18446744073709551616 0x10000000000000000 1.5 +1; do
    refused 125 --seed "$seed" -- touch started
    [ -z "$seed" ] || E2E_SEED=$seed refused 125 -- touch started
done
for step in -1 16xs ms '' 1e3ms 99999999999999999999ms; do
    refused 125 --seed 1 --step "$step" -- touch started
    refused 125 --seed 1 --mono-step "$step" -- touch started
done
for step in -1 x 1.5 0x 18446744073709551616; do
    E2E_TIME_STEP_MS=$step refused 125 --seed 1 -- touch started
done
for epoch in x '' 2025-13-01T00:00:00Z 2025-02-30T00:00:00Z +30x 99999999999999999999; do
    refused 125 --seed 1 --epoch "$epoch" -- touch started
done
# A number that is one, and too large: the range is told.
for out_of_range in '--epoch 9000000001' '--epoch 2256-01-01T00:00:00Z' '--epoch 1969-12-31T23:59:59Z' '--epoch +400y'; do
    # shellcheck disable=SC2086 # two words
    refused 125 --seed 1 $out_of_range -- touch started
    grep -q '1970 to 2255; give .* 0 to 9000000000' log/err || fail "$out_of_range: $(cat log/err)"
done
for option in --step --mono-step --timeout; do
    refused 125 --seed 1 $option 367d -- touch started
    grep -q '366 days' log/err || fail "$option: $(cat log/err)"
done
limited "$detrun" --seed 1 --epoch 9000000000 -- date -u +%Y >log/out || fail "the last second"
[ "$(cat log/out)" = 2255 ] || fail "the last second: $(cat log/out)"
for variable in SOURCE_DATE_EPOCH DETRUN_EPOCH; do
    env "$variable=yesterday" bash -c '"$@"' - "$detrun" --seed 1 -- touch started 2>log/err
    [ $? = 125 ] || fail "$variable=yesterday is taken"
    [ "$(wc -l <log/err)" = 1 ] || fail "$variable=yesterday: $(cat log/err)"
done
E2E_DETERMINISTIC=perhaps refused 125 --seed 1 -- touch started
refused 125 --seed 1 --real nonsense -- touch started
refused 125 --seed 1 --seed-encoding base64 -- touch started
refused 125 --seed 1 --timeout soon -- touch started
refused 125 --seed 1 --clock-scope=thread -- touch started
refused 125 --nonsense -- touch started
refused 125 --seed
refused 125 --seed 1
refused 125 --seed 1 --
refused 125 --seed 1 --config /nonexistent/file -- touch started
refused 125 --seed 1 --summary /nonexistent/file -- touch started
# A file's line is named, as compilers do.
for line in 'nonsense' 'nonsense=1' 'step=soon' 'trap-open=maybe' 'clock-scope=none' 'seed=-1'; do
    printf 'quiet=1\n\n# a comment\n%s\nstrict=0\n' "$line" >config
    refused 125 --config config -- touch started
    grep -q '^detrun: config:4: ' log/err || fail "$line: the line is not named: $(cat log/err)"
done

: >not_executable
mkdir folder
printf '#!/nonexistent/interpreter\n' >no_interpreter
chmod +x no_interpreter
refused 126 --seed 1 -- ./not_executable
refused 126 --seed 1 -- ./folder
refused 127 --seed 1 -- ./nonexistent
refused 127 --seed 1 -- nonexistent-command
limited "$detrun" --seed 1 -- ./no_interpreter >log/out 2>log/err
case $? in
126 | 127) ;;
*) fail "a missing interpreter: $(cat log/err)" ;;
esac
if [ "$(id -u)" != 0 ]; then
    printf '#!/bin/sh\n' >unreadable
    chmod 000 unreadable
    refused 126 --seed 1 -- ./unreadable
fi

refused 127 --seed 1 -- ''
grep -q 'an empty name' log/err || fail "an empty name: $(cat log/err)"

# Nothing of the caller's moves the cursor of a terminal.
escaped=$'a\e[31mb\nc\x7f'
for option in --seed --real --epoch --step; do
    refused 125 --seed 1 "$option" "$escaped" -- touch started
    grep -qF '"a\x1b[31mb\nc\x7f"' log/err || fail "$option: not escaped: $(cat -v log/err)"
done
refused 125 "--$escaped" -- touch started
refused 127 --seed 1 -- "$escaped"
LC_ALL=C grep -q '[[:cntrl:]]' log/err && fail "raw: $(cat -v log/err)"
limited "$detrun" --seed 1 --test-name "$escaped" -v -- true 2>log/err || fail "--test-name"
LC_ALL=C grep -q '[[:cntrl:]]' log/err && fail "the summary, raw: $(cat -v log/err)"
# shellcheck disable=SC2016 # the inner shell's
words=(-c 'printf "%s\n" "$@" $$' - "$escaped" "it's" 'back\slash' 'and	tab' '')
limited "$detrun" sh "${words[@]}" >log/out 2>log/err || fail "$(cat log/err)"
[ "$(wc -l <log/err)" = 1 ] || fail "not one line: $(cat -v log/err)"
eval "$(sed 's/.*to repeat: //' log/err)" >log/repeated 2>&1
cmp log/out log/repeated || fail "this repeats nothing: $(cat -v log/err)"

# Sources that nothing answers are taken, for later versions, and named.
limited "$detrun" --seed 1 --real wall,timer,files,cpus,env -- true 2>log/err || fail "$(cat log/err)"
[ "$(cat log/err)" = 'detrun: --real: nothing answers these yet, with it or without: env' ] ||
    fail "--real: $(cat log/err)"
for list in 'clock,files,world,wall,mtimes,inodes,proc,timer' dirs,host,cpus,ports,env; do
    limited "$detrun" -q --seed 1 --real "$list" -- true 2>log/err || fail "$(cat log/err)"
    [ ! -s log/err ] || fail "-q: $(cat log/err)"
done
limited "$detrun" --seed 1 --real clock,files,world,wall -- true 2>log/err || fail "$(cat log/err)"
[ ! -s log/err ] || fail "groups: $(cat log/err)"

# What is accepted.
for seed in 0 18446744073709551615 0XdeadBEEF 0xffffffffffffffff; do
    limited "$detrun" --seed "$seed" -- true || fail "--seed $seed is refused"
done
limited "$detrun" --job-seed 5 true || fail "--job-seed"
limited "$detrun" run --seed 5 true || fail "detrun run"
limited "$detrun" --seed=5 -- true || fail "--seed=5"
[ "$(limited "$detrun" --seed 5 sh -c 'echo "$@"' - --seed x -v)" = '--seed x -v' ] ||
    fail "options after the command are not the command's"
[ "$(limited "$detrun" --version)" ] || fail "--version"
limited "$detrun" --help | grep -q -- --seed || fail "--help"
exit 0
