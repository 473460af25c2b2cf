# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Shared by the tests of whole commands. CTest sets TEST_DETRUN, TEST_PRELOAD, TEST_SOURCE and
# TEST_WORK. A test ends with fail, skip or by itself; the work folder is kept for a look.
set -u

detrun=${TEST_DETRUN:?} preload=${TEST_PRELOAD:?} source=${TEST_SOURCE:?} work=${TEST_WORK:?}
programs=$source/tests/run/programs
rounds=${DETRUN_ROUNDS:-3}
limit=60
: "$detrun" "$preload" "$programs" "$rounds"

fail() {
    echo "FAIL: $*"
    exit 1
}

skip() {
    echo "SKIP: $*"
    exit 77
}

# Native runs and detrun's see the same small environment, whoever calls.
clean_environment() {
    local name
    for name in $(compgen -e); do
        case $name in
        PATH | HOME | CI) ;;
        *) unset "$name" ;;
        esac
    done
    local rust
    rust=$(rustc --print sysroot 2>/dev/null)
    export PATH=/usr/bin:/bin:/usr/sbin:/sbin:${rust:+$rust/bin:}$PATH
    export LC_ALL=C TZ=UTC TERM=dumb HOME=$work/home
}

clean_environment
rm -rf "$work"
mkdir -p "$work/home" "$work/log"
cd "$work" || exit 1

# The tools this test cannot do without.
need() {
    local tool
    for tool; do
        command -v "$tool" >/dev/null || skip "$tool is not here"
    done
}

as_root_only() {
    [ "$(id -u)" = 0 ] || skip "only root can do this"
}

# limited COMMAND...: a hang is a failure, not a stuck test.
limited() {
    timeout -k 2 "$limit" "$@"
}

# under SEED COMMAND...
under() {
    local seed=$1
    shift
    limited "$detrun" --seed "$seed" -- "$@"
}

# wait_for FILE: until it is there
wait_for() {
    local i
    for i in $(seq 200); do
        [ -s "$1" ] && return
        sleep 0.05
    done
    fail "$1 did not appear in 10 s"
}

# capture NAME COMMAND...: output, errors and status into log/NAME
capture() {
    local name=$1
    shift
    "$@" >"log/$name" 2>&1 </dev/null
    local status=$?
    [ -z "$(tail -c 1 "log/$name")" ] || echo >>"log/$name"
    echo "status $status" >>"log/$name"
}

# same A B WHAT: two captures are equal
same() {
    cmp -s "log/$1" "log/$2" && return
    diff "log/$1" "log/$2" | head -n 20
    fail "$3: two runs differ"
}

# ok A: a captured run ended well
ok() {
    [ "$(tail -n 1 "log/$1")" = "status 0" ] && return
    tail -n 20 "log/$1"
    fail "$1: the command failed"
}

# same_output N COMMAND...: N runs with one seed print the same
same_output() {
    local n=$1 i
    shift
    capture same.1 under 7 "$@"
    ok same.1
    for i in $(seq 2 "$n"); do
        capture "same.$i" under 7 "$@"
        same same.1 "same.$i" "run 1 and $i of: $*"
    done
}

# seeds_differ A B: lines that begin with "r " come from the seed, each of them; without such
# lines the whole output does.
seeds_differ() {
    local equal
    if grep -q '^r ' "log/$1"; then
        equal=$(comm -12 <(grep -n '^r ' "log/$1" | sort) <(grep -n '^r ' "log/$2" | sort))
        [ -z "$equal" ] || fail "the same with another seed: $equal"
    elif cmp -s "log/$1" "log/$2"; then
        cat "log/$1"
        fail "the same output with another seed"
    fi
}

# differs_by_seed COMMAND...
differs_by_seed() {
    capture seed.1 under 1 "$@"
    capture seed.2 under 2 "$@"
    ok seed.1
    ok seed.2
    seeds_differ seed.1 seed.2
}

# native_differs COMMAND...: without detrun this is not deterministic, or the test shows nothing
native_differs() {
    local i
    capture native.1 limited "$@"
    ok native.1
    for i in 2 3 4; do
        capture "native.$i" limited "$@"
        cmp -s log/native.1 "log/native.$i" || return 0
        sleep 1
    done
    fail "four native runs print the same: $*"
}

# deterministic COMMAND...: what every program test asserts. With seeded=no only time shows; pause
# is the time between two runs, for programs that show whole seconds.
deterministic() {
    local round seed
    native_differs "$@"
    for round in $(seq "$rounds"); do
        seed=$((round * 2))
        capture "$round.a" under "$seed" "$@"
        ok "$round.a"
        sleep "${pause:-0}"
        capture "$round.b" under "$seed" "$@"
        same "$round.a" "$round.b" "round $round, seed $seed"
        [ "${seeded:-yes}" = yes ] || continue
        capture "$round.c" under $((seed + 1)) "$@"
        ok "$round.c"
        seeds_differ "$round.a" "$round.c"
    done
}

# compile NAME [FLAGS...]: programs/NAME.c into ./NAME
compile() {
    local name=$1
    shift
    gcc -O1 -o "$name" "$programs/$name.c" "$@" || fail "cannot compile $name.c"
}

# milliseconds COMMAND...: real time of a command whose output goes to log/timed
milliseconds() {
    local start end
    start=$(date +%s%N)
    capture timed "$@"
    end=$(date +%s%N)
    # shellcheck disable=SC2034 # the caller reads it
    elapsed=$(((end - start) / 1000000))
}

# valid FILE...: every record is as docs/records.schema.json says
valid() {
    python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is not here"
    python3 "$source/tests/run/valid_records.py" "$source/docs/records.schema.json" "$@" >log/valid 2>&1 ||
        fail "not as the schema says: $(cat log/valid)"
}
