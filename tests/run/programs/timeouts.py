# SPDX-License-Identifier: MIT
# Python's own ways to wait for a time: each ends, and takes the time that it was asked for.
import asyncio
import queue
import select
import signal
import subprocess
import threading
import time


def taken(name, wait):
    before = time.monotonic()
    try:
        wait()
    except (queue.Empty, asyncio.TimeoutError, subprocess.TimeoutExpired, TimeoutError) as error:
        name += " " + type(error).__name__
    print(name, "short" if time.monotonic() - before < 0.02 else "waited")


async def gather():
    await asyncio.gather(*(asyncio.sleep(0.02 + i / 1000) for i in range(3)))


def timer():
    done = threading.Event()
    threading.Timer(0.03, done.set).start()
    done.wait(10)


def pool():
    with subprocess.Popen(["sleep", "5"]) as child:
        try:
            child.wait(0.05)
        finally:
            child.kill()


lock = threading.Lock()
lock.acquire()
signal.signal(signal.SIGALRM, lambda *_: None)
taken("asyncio.sleep", lambda: asyncio.run(gather()))
taken("asyncio.wait_for", lambda: asyncio.run(asyncio.wait_for(asyncio.sleep(10), 0.03)))
taken("queue.get", lambda: queue.Queue().get(timeout=0.03))
taken("Event.wait", lambda: threading.Event().wait(0.03))
taken("Condition.wait", lambda: threading.Condition(lock).wait(0.03))
taken("Lock.acquire", lambda: lock.acquire(timeout=0.03))
taken("Semaphore.acquire", lambda: threading.Semaphore(0).acquire(timeout=0.03))
taken("Timer", timer)
taken("select", lambda: select.select([], [], [], 0.03))
taken("sigtimedwait", lambda: signal.sigtimedwait([signal.SIGUSR1], 0.03))
taken("Popen.wait", pool)
print("EXIT-SUCCESS")
