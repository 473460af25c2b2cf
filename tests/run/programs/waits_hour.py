# SPDX-License-Identifier: MIT
# An hour (or the seconds that are given) of Python's ways to wait, each its part.
import asyncio
import queue
import select
import sys
import threading
import time

hour = float(sys.argv[1])


async def three():
    await asyncio.gather(*(asyncio.sleep(hour * part / 10) for part in (1, 2, 3)))


def timer():
    done = threading.Event()
    threading.Timer(hour / 10, done.set).start()
    return done.wait(hour)


def empty():
    try:
        queue.Queue().get(timeout=hour / 10)
    except queue.Empty:
        return "empty"


def part(name, wait):
    before = time.monotonic()
    result = wait()
    print(name, result, round((time.monotonic() - before) / hour * 100), flush=True)


start = time.monotonic()
part("sleep", lambda: time.sleep(hour * 2 / 10))
part("gather", lambda: asyncio.run(three()))
part("timer", timer)
part("empty", empty)
part("event", lambda: threading.Event().wait(hour / 10))
part("select", lambda: select.select([], [], [], hour * 2 / 10))
print("all", round((time.monotonic() - start) / hour * 100))
print("clock", time.time_ns(), time.monotonic_ns())
