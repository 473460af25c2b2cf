# SPDX-License-Identifier: MIT
# Python's ways to wait for a process with a time-out look for its end again and again.
import multiprocessing
import subprocess
import sys
import time


def run(*command, **options):
    return subprocess.Popen([sys.executable, "-S", "-c", *command], **options)


def told(name, value):
    print(name, value, time.monotonic_ns(), time.time_ns(), flush=True)


told("computes", run("sum(range(100000))").wait(timeout=5))
told("sleeps", run("import time; time.sleep(0.2)").wait(timeout=5))
told("pipes", run("print(1)", stdout=subprocess.PIPE).communicate(timeout=5))
child = run("import time; time.sleep(3)")
try:
    child.wait(timeout=1)
except subprocess.TimeoutExpired:
    told("expired", child.poll())
child.kill()
told("killed", child.wait(timeout=5))
for seconds in (0.1, 0.3):
    child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(seconds,))
    child.start()
    child.join(0.2)
    told("joined", (child.is_alive(), child.exitcode))
    child.join()
