#!/bin/bash
# SPDX-License-Identifier: MIT
# interactive.sh shell|programs: an interactive bash in a terminal (tmux's): jobs, Ctrl-C, Ctrl-Z, fg,
# bg, wait, kill %1, a stopped pipeline, python and less. Natively, under detrun and with the shim
# alone the screen shows the same, but for pids.
. "$(dirname "$0")/lib.sh"
# A foreground sleep is there to be stopped.
export DETRUN_WAIT=real
need tmux bash less python3 seq
limit=60

cat >home/rc <<'RC'
PS1='$ '
unset PROMPT_COMMAND HISTFILE
bind 'set enable-bracketed-paste off'
RC

terminal() {
    tmux -L "$socket" -f /dev/null "$@"
}

screen() {
    terminal capture-pane -p -S -300
}

# shows PATTERN: wait until a line of the screen does
shows() {
    local i
    for i in $(seq 300); do
        screen | grep -qE -- "$1" && return
        sleep 0.05
    done
    screen | grep -v '^$' | tail -n 30
    fail "$name: the screen does not show \"$1\""
}

# busy, idle: wait until another program than the shell has the terminal, or the shell
waits_for() {
    local i
    for i in $(seq 300); do
        # shellcheck disable=SC2053 # a pattern
        [[ $(terminal display-message -p '#{pane_current_command}') == $1 ]] && return
        sleep 0.05
    done
    screen | grep -v '^$' | tail -n 20
    fail "$name: $1 has not got the terminal"
}

busy() {
    waits_for '[!b]*'
}

idle() {
    waits_for bash
}

# Typed before there is a prompt, a line is shown twice.
prompted() {
    local i
    for i in $(seq 300); do
        [[ $(screen | grep -v '^ *$' | tail -n 1) =~ ^(\$|\>\>\>)\ *$ ]] && return
        sleep 0.05
    done
    screen | grep -v '^$' | tail -n 20
    fail "$name: no prompt"
}

type_in() {
    terminal send-keys -l -- "$1"
    terminal send-keys Enter
}

line() {
    prompted
    type_in "$1"
}

press() {
    terminal send-keys "$1"
}

# said TEXT: the shell is back, and says what $? was
said() {
    idle
    line "echo $1\$?"
    shows "^$1[0-9]"
}

do_shell() {
    line 'sleep 100 &'
    shows '^\[1\] [0-9]+'
    line 'jobs'
    shows 'Running +sleep 100'
    line 'kill %1; wait'
    said waited
    line 'sleep 200'
    busy
    press C-c
    said interrupted
    line 'sleep 300'
    busy
    press C-z
    shows 'Stopped +sleep 300'
    said stopped
    line 'bg'
    shows 'sleep 300 &$'
    line 'fg'
    busy
    press C-c
    said foreground
    line 'sleep 0.1 | cat | sleep 400'
    busy
    sleep 0.5
    press C-z
    shows 'Stopped .*sleep 400'
    line 'fg'
    busy
    press C-c
    said pipeline
    line '(exit 7) & wait $!'
    said child
    # shellcheck disable=SC2016 # for the inner shells
    line 'sh -c "kill -TSTP \$\$; echo resumed"'
    shows 'Stopped +sh -c'
    line 'fg'
    shows '^resumed'
    # shellcheck disable=SC2016
    line 'trap "echo trapped" USR1; kill -USR1 $$'
    said signalled
}

do_programs() {
    line 'python3 -q -i'
    shows '^>>>'
    line 'import os, time; print(6 * 7, os.getpid() > 0)'
    shows '^42 True'
    line 'time.sleep(50)'
    sleep 0.5
    press C-c
    shows '^KeyboardInterrupt'
    press C-z
    shows 'Stopped +python3'
    line 'fg'
    busy
    type_in 'print("back")'
    shows '^back'
    press C-d
    said python
    line 'seq 500 | less'
    shows '^:'
    press G
    shows '^500'
    press q
    said less
}

# session NAME [COMMAND...]: a terminal whose shell COMMAND starts; what it showed goes to log/NAME
session() {
    name=$1 socket=detrun-$$-$1
    shift
    terminal new-session -d -x 100 -y 50 \
        "cd $work; $* bash --noprofile --rcfile home/rc -i; echo ended \$?; sleep 1000" ||
        skip "tmux does not start here"
    shows '^\$'
    "do_$part"
    screen | sed -E 's/^(\[[0-9]+\]) [0-9]+$/\1 PID/' >"log/$name"
    line 'exit 3'
    shows '^ended'
    screen | grep '^ended' >>"log/$name"
}

end_terminals() {
    local server
    for server in native inside alone; do
        tmux -L "detrun-$$-$server" kill-server 2>/dev/null
    done
}

trap end_terminals EXIT
part=$1
export TERM=screen
session native
session inside "$detrun" --seed 7 --
session alone "$detrun" --seed 7 --no-supervisor --
same native inside "natively and inside"
same native alone "natively and with the shim alone"
grep -q '^ended 3$' log/inside || fail "the shell's status is lost"
exit 0
