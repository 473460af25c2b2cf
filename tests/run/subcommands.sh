#!/bin/bash
# SPDX-License-Identifier: MIT
# subcommands.sh seed|uuid|fixture|note|config: what detrun does besides running commands.
. "$(dirname "$0")/lib.sh"
need jq
unset E2E_SEED E2E_DETERMINISTIC E2E_TIME_STEP_MS

# says WHAT EXPECTED COMMAND...: it succeeds and prints that
says() {
    local what=$1 expected=$2 actual
    shift 2
    actual=$(limited "$@" 2>&1) || fail "$what: status $?: $actual"
    [ "$actual" = "$expected" ] || fail "$what: \"$actual\" instead of \"$expected\""
}

# refused WHAT COMMAND...: status 2 and one line that begins with detrun:
refused() {
    local what=$1
    shift
    limited "$@" >log/out 2>log/err
    [ $? = 2 ] || fail "$what: is not refused"
    grep -q '^detrun: ' log/err || fail "$what: $(cat log/err)"
    [ "$(cat log/out log/err | wc -l)" = 1 ] || fail "$what: $(cat log/out log/err)"
}

check_help() {
    limited "$detrun" "$1" --help >log/help 2>log/err || fail "$1 --help fails"
    grep -q "^usage: detrun $1" log/help || fail "$1 --help: $(cat log/help)"
    refused "an unknown option" "$detrun" "$1" --nonsense x
}

check_seed() {
    local invariant=test_replication_invariant
    says "the contract's vectors" "0xfe235aa3e4ce1ddb
0x731d761d783a3e4c
0xc356cb1db8a50975
0xf27c583285d5ceb7" "$detrun" seed --job-seed 0xDEADBEEF12345678 "$invariant" a "" тест
    says "seed 0" 0x7f5bf3988182e1a6 "$detrun" seed --seed 0 "$invariant"
    says "the last seed" 0x715a3a3d84af1ed5 "$detrun" seed --seed=18446744073709551615 "$invariant"
    says dec 0xba790d862b674246 "$detrun" seed --seed 0xDEADBEEF12345678 --seed-encoding dec "$invariant"
    says hex 0xc1dd958ef1384b9b "$detrun" seed --seed 0xDEADBEEF12345678 --seed-encoding hex "$invariant"
    says text 0xb2ee21a67410e716 "$detrun" seed --seed seed --seed-encoding text test_a
    says "names behind --" 0xb0ee04f880c4ff42 "$detrun" seed --seed a --seed-encoding text -- b:c
    says "the environment's" 0x51670a6abbeb5232 env E2E_SEED=42 "$detrun" seed "$invariant"
    says "the environment's text" 0xb2ee21a67410e716 env E2E_SEED=seed DETRUN_SEED_ENCODING=text "$detrun" seed test_a
    says "the job's text" 0xb2ee21a67410e716 "$detrun" --seed seed --seed-encoding text -- "$detrun" seed test_a
    says json '["be8",42,"0x2a","test_replication_invariant","0x51670a6abbeb5232"]' \
        sh -c "'$detrun' seed --seed 42 --format json $invariant |
            jq -c '[.seed_encoding,.job_seed,.job_seed_hex,.tests[0].test_name,.tests[0].test_seed_hex]'"
    refused "no name" "$detrun" seed --seed 1
    refused "no seed" "$detrun" seed a
    refused "a bad seed" "$detrun" seed --seed -1 a
    refused "a bad seed in the environment" env E2E_SEED=2x "$detrun" seed a
    refused "a bad encoding" "$detrun" seed --seed 1 --seed-encoding be9 a
    refused "a bad format" "$detrun" seed --seed 1 --format xml a
    refused "a missing value" "$detrun" seed a --seed
    says "a program of that name" "1 2" "$detrun" --seed 1 -q -- seq -s " " 2
    limited "$detrun" seed --seed 1 a >/dev/full 2>log/err
    [ $? = 2 ] || fail "a full disk is no success"
}

check_uuid() {
    says "the golden ones" "c251be24-937a-46cc-8e72-d18ec04bf017
a838024e-6be1-4358-87de-a96060a89f35
3169412d-e4d9-4ffe-87ba-be6488246797" "$detrun" uuid --seed guide-fixture-v1 --count 3
    says "upper case" C251BE24-937A-46CC-8E72-D18EC04BF017 "$detrun" uuid --seed guide-fixture-v1 --uppercase
    says "an empty seed" 865c304b-8824-48a2-b0c9-7daaac46c604 "$detrun" uuid --seed ''
    says none "" "$detrun" uuid --count 0
    says json '[true,"hmac_sha256","a\"b",2]' \
        sh -c "'$detrun' uuid --format json --count 2 --seed 'a\"b' | jq -c '[.synthetic,.algorithm,.seed,(.uuids|length)]'"
    says "json without a seed" '[true,"system_csprng",null,0]' \
        sh -c "'$detrun' uuid --format json --count 0 | jq -c '[.synthetic,.algorithm,.seed,(.uuids|length)]'"
    limited "$detrun" uuid --count 1000 | sort -u >random
    [ "$(grep -cE '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' random)" = 1000 ] ||
        fail "1000 random ones: $(head -n 3 random)"
    deterministic "$detrun" uuid
    refused "a bad count" "$detrun" uuid --count -1
    refused "a word" "$detrun" uuid 5
}

# fixture in a script of a job, which has its own words for it
fixture_script='f() { "$0" fixture doctor_happy "$@"; }
f run-id; f timestamp; f now-ms; f timestamp; f seed; f test-seed a; f deterministic
f time-step-ms; (f timestamp; f now-ms) & wait; f now-ms; f env'

check_fixture() {
    says "in a job" 'doctor_happy_seed0
T000000
7
T000001
0
0x74d97c9253da0447
1
7
T000002
14
21
{"COLORTERM":null,"FTUI_TEST_PROFILE":null,"LANG":null,"LC_ALL":"C","NO_COLOR":false,"TERM":"dumb","TMUX":false,"TZ":"UTC","ZELLIJ":false,"deterministic":true,"seed":0}' \
        "$detrun" --seed 0 --step 7ms -- sh -c "$fixture_script" "$detrun"
    says "the default seed" p_seed4242 env E2E_DETERMINISTIC=1 "$detrun" fixture --default-seed 4242 p run-id
    says "the environment's seed" p_seed5 env E2E_DETERMINISTIC=1 E2E_SEED=5 "$detrun" fixture --default-seed 4242 p run-id
    refused "nowhere to count" env E2E_DETERMINISTIC=1 "$detrun" fixture p timestamp
    refused "nowhere to count" env E2E_DETERMINISTIC=1 "$detrun" fixture p now-ms
    says "a run that is not deterministic" "p_$$_" sh -c "'$detrun' fixture p run-id | sed 's/_[0-9]*\$/_/;s/_'\$\$'_/_$$\_/'"
    limited "$detrun" fixture p timestamp | grep -qE '^[0-9]+\.[0-9]{3}$' || fail "wall time"
    refused "an unknown question" "$detrun" fixture p nonsense
    refused "no name" "$detrun" fixture p test-seed
    refused "a word too many" "$detrun" fixture p seed x
    refused "a bad environment" env E2E_TIME_STEP_MS=x "$detrun" fixture p seed
    grep -q E2E_TIME_STEP_MS log/err || fail "the bad variable is not named"
}

check_note() {
    printf 'a,b\n' >rows
    cat >script <<'END'
"$1" note event begun "with \"quotes\""
"$1" note event bare
"$1" note stage rows rows
"$1" note stage rows - <rows
"$1" note call A fine ok
"$1" note call C 'Host C did not respond' failed
END
    limited "$detrun" --seed 7 --record records -- sh script "$detrun" || fail "the script"
    jq -c 'select(.task != "0") | [.event,.name,.text,.index,.bytes,.host,.ok]' records >noted || fail "no JSON"
    says "what was noted" '["event","begun","with \"quotes\"",null,null,null,null]
["event","bare",null,null,null,null,null]
["stage","rows",null,0,4,null,null]
["stage","rows",null,0,4,null,null]
["call",null,"fine",0,null,"A",true]
["call",null,"Host C did not respond",0,null,"C",false]' cat noted
    says "digests" "$(xxh128sum rows 2>/dev/null | cut -d' ' -f1 || true)" \
        sh -c 'command -v xxh128sum >/dev/null || exit 0; jq -r "select(.event == \"stage\").xxh3" records | sort -u'
    says "events of the run" 2 jq 'select(.event == "end").event_count' records
    limited "$detrun" --seed 7 --record again -- sh script "$detrun"
    cmp -s <(jq -c 'del(.volatile)' records) <(jq -c 'del(.volatile)' again) || fail "two runs' records differ"
    # The failure that comes of it has them, in the order of their tasks, whichever came first.
    cat >calls <<'END'
for i in 1 2 3 4 5 6 7 8 9 10 11; do
    (
        while [ ! -e "done.$((i + 1))" ]; do sleep 0.01; done
        "$1" note call "host $i" "it's \"$i\"" "$([ $i -lt 9 ] && echo ok || echo failed)"
        touch "done.$i"
    ) &
done
touch done.12
wait
"$1" note call "host 9" again failed
exit 1
END
    rm -f failed
    limited "$detrun" --seed 7 -q --record failed -- sh calls "$detrun"
    valid failed
    says "calls of a failure" '["host 9","host 10","host 11"] 12 "it'"'"'s \"3\""' jq -r \
        'select(.event == "failure") | "\(.hosts | tojson) \(.calls | length) \(.calls[2].text | tojson)"' failed
    limited "$detrun" failures failed >listed
    grep -qx '  call:      host 9: again (failed)' listed || fail "calls are not listed: $(cat listed)"
    rm -f failed
    limited "$detrun" repeat -n 2 --seed 7 --record failed -- sh -c '"$1" note call C "Host C did not respond" failed; exit 1' sh "$detrun" >/dev/null 2>&1
    valid failed
    says "calls of each run" '["C"]' sh -c 'jq -c "select(.event == \"failure\").hosts" failed | sort -u'
    # More calls than there is room for.
    rm -f failed
    limited "$detrun" --seed 7 -q --record failed -- sh -c 'for i in 1 2 3; do "$1" note call C "$2" failed; done; exit 1' \
        sh "$detrun" "$(head -c 30000 /dev/zero | tr '\0' x)"
    valid failed
    says "calls left out" "2 1" jq -r 'select(.event == "failure") | "\(.calls | length) \(.calls_left_out)"' failed
    says "without a record file" "" "$detrun" --seed 7 -- sh script "$detrun"
    says "without a job" "" sh script "$detrun"
    refused "an unreadable file" "$detrun" note stage rows nowhere
    refused "an unknown kind" "$detrun" note nonsense a
    refused "no text" "$detrun" note call A
    refused "neither ok nor failed" "$detrun" note call A text maybe
}

check_config() {
    printf 'step=5ms\nwait=real\n' >settings
    limited "$detrun" config --seed 0x2a --config settings --epoch 1970-01-02T00:00:00Z -- /bin/true x >shown || fail "config"
    for line in seed=42 step=5ms mono-step=5ms wait=real epoch=86400 test-name=true strict=0; do
        grep -qx -- "$line" shown || fail "$line is not in: $(cat shown)"
    done
    LC_ALL=C sort -c shown || fail "not sorted"
    limited "$detrun" --record records --seed 42 --config settings --epoch 86400 -- /bin/true x || fail "the run"
    says "the record's hash" "$(sha256sum <shown | cut -d' ' -f1)" jq -r 'select(.event == "start").config_sha256' records
    limited "$detrun" config --config shown -- /bin/true | cmp -s - shown || fail "not what --config reads"
    # All that answers depend on is in it, and so in the record's hash.
    local option plain
    plain=$("$detrun" config --seed 1 -- x | sha256sum)
    for option in --set=A=1 --unset=A '--export=A={seed}' --no-follow=x --profile=ci --cpus=3 --real=pid --trap-open --strict \
        --lineage=1.2 --timeout=9 --mono-step=1us --step=1us --epoch=7 --wait=real --clock-scope=job --no-supervisor \
        --subst --max-examples=3 --iteration=4 --run-number=5 --skip-status=9 --seed-encoding=dec --test-name=t; do
        [ "$("$detrun" config --seed 1 "$option" -- x | sha256sum)" != "$plain" ] || fail "config: $option is not in it"
    done
    limited "$detrun" config --set B=1 --unset 'C*' --set A=2 --export 'D={seed}' --seed 1 -- x >shown
    says "variables" "export=D={seed} set=B=1 set=A=2 unset=C* " sh -c "grep -E '^(export|set|unset)=' shown | tr '\\n' ' '"
    limited "$detrun" config --config shown -- x | cmp -s - shown || fail "variables: not what --config reads"
    says "a fresh seed" "# seed=fresh" sh -c "'$detrun' config | grep seed="
    says "the environment" seed=9 sh -c "E2E_SEED=9 '$detrun' config | grep seed="
    says "untouched" "detrun: E2E_DETERMINISTIC is off: commands run untouched" env E2E_DETERMINISTIC=0 "$detrun" config
    refused "a bad value" "$detrun" config --step x
    refused "a missing value" "$detrun" config --seed
}

check_help "$1"
"check_$1"
exit 0
