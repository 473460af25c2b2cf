#!/bin/bash
# SPDX-License-Identifier: MIT
# Many processes and threads at once: the same answers in every run, and no two the same.
. "$(dirname "$0")/lib.sh"
need python3
limit=240

cat >storm.py <<'E'
import os, subprocess, sys, threading

def work(n):
    out = []
    for i in range(25):
        out.append(os.urandom(8).hex())
        out.append(subprocess.run(["uuidgen"], capture_output=True, text=True).stdout.strip())
        if i % 5 == 0:
            out.append(subprocess.run(["sh", "-c", "uuidgen & uuidgen & wait; env -i /usr/bin/uuidgen"],
                                      capture_output=True, text=True).stdout)
            out[-1] = " ".join(sorted(out[-1].split()))
    results[n] = out

results = {}
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
words = []
for n in sorted(results):
    for line in results[n]:
        print(n, line)
        words += line.split()
if len(words) != len(set(words)):
    sys.exit("two answers are the same")
E
for round in $(seq "$rounds"); do
    capture "$round" under 7 python3 storm.py
    ok "$round"
    same 1 "$round" "round $round of the storm"
done

# Four jobs at once do not disturb each other.
for job in 1 2 3 4; do
    (capture "job.$job" under 7 python3 storm.py) &
done
wait
for job in 1 2 3 4; do
    same 1 "job.$job" "job $job of four at once"
done
exit 0
