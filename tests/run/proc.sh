#!/bin/bash
# SPDX-License-Identifier: MIT
# proc.sh WHAT: what reads /proc sees the ids that calls tell.
. "$(dirname "$0")/lib.sh"

case $1 in
shell) deterministic sh "$programs/processes.sh" shell ;;
procps)
    need ps pgrep pkill pwdx top
    deterministic sh "$programs/processes.sh" procps
    ;;
psmisc)
    need fuser pstree
    deterministic sh "$programs/processes.sh" psmisc
    ;;
python3)
    need python3
    deterministic python3 "$programs/processes.py"
    ;;
ruby)
    need ruby
    deterministic ruby "$programs/processes.rb"
    ;;
perl)
    need perl
    deterministic perl "$programs/processes.pl"
    ;;
php)
    need php
    deterministic php "$programs/processes.php"
    ;;
java)
    need javac java
    javac -d . "$programs/Processes.java" || fail "cannot compile"
    deterministic java -cp . Processes
    ;;
glibc)
    compile processes
    deterministic ./processes
    ;;
musl)
    need musl-gcc
    musl-gcc -O1 -o processes "$programs/processes.c" || fail "cannot compile"
    deterministic ./processes
    ;;
*) fail "unknown: $1" ;;
esac
