#!/bin/bash
# SPDX-License-Identifier: MIT
# A program of the job waits, with a limit of a quarter of an hour, for one outside that answers
# through a pipe after a moment, 2000 times: no time passes in the job, however the answer meets the
# keeper's look.
. "$(dirname "$0")/lib.sh"
need python3

cat >answer.py <<'P'
import subprocess, sys, time
asker = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
while request := asker.stdout.read(1):
    time.sleep(request[0] / 1e6)
    asker.stdin.write(request)
sys.exit(asker.wait())
P
cat >ask.py <<'P'
import os, select, sys, time
for i in range(2000):
    os.write(1, bytes([i % 256]))
    select.select([0], [], [], 900)
    assert os.read(0, 1) == bytes([i % 256])
print(time.time(), file=sys.stderr)
P
for round in $(seq "$rounds"); do
    capture "$round" limited python3 answer.py "$detrun" --seed 7 -- python3 ask.py
    ok "$round"
    same 1 "$round" "round $round"
done
grep -q '^17356896' log/1 || fail "time has passed: $(cat log/1)"
