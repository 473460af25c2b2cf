# SPDX-License-Identifier: MIT
import os, random, secrets, tempfile, threading, time, uuid

print("r", os.getpid())
print("r", uuid.uuid4())
print("r", random.random())
print("r", secrets.token_hex(16))
print("r", hash("text"))
print("r", tempfile.mktemp())
print(time.time_ns(), time.monotonic_ns(), time.perf_counter_ns(), time.process_time_ns())
print(id(object()), {"b", "a", "c", "d"})
time.sleep(0.001)
print(time.time_ns(), time.monotonic_ns())
thread = threading.Thread(target=lambda: print("r", os.urandom(8).hex(), threading.get_native_id()))
thread.start()
thread.join()
