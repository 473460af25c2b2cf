#!/bin/bash
# SPDX-License-Identifier: MIT
# spawns.sh: of a thousand children, four at a time, wait() names only those that were started. The
# creator and the supervisor both give a child its record; once in 600 times it got two.
. "$(dirname "$0")/lib.sh"
need gcc
limit=120

compile spawns
capture spawns under 7 ./spawns 1000
ok spawns
