# SPDX-License-Identifier: MIT
"""A client sends its requests in two small parts, as many do: TCP holds the second back until the
first is acknowledged, which the server's end does late, since it waits for the second. Prints what came,
and what the clock says; with "real" how long the longest request took."""
import select
import socket
import sys
import threading
import time


def serve(connection):
    while True:
        data = b""
        while len(data) < 2:
            part = connection.recv(1)
            if not part:
                return
            data += part
        connection.sendall(data.upper())


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
client = socket.create_connection(listener.getsockname())
connection, _ = listener.accept()
threading.Thread(target=serve, args=(connection,)).start()
start = time.monotonic()
longest = 0.0
came = 0
for _ in range(15):
    before = time.monotonic()
    client.send(b"a")
    client.send(b"b")
    ready, _, _ = select.select([client], [], [], 30)
    if not ready:
        print("timed out")
        break
    came += len(client.recv(2))
    longest = max(longest, time.monotonic() - before)
client.close()
print(came, "bytes")
if sys.argv[1:] == ["real"]:
    print("longest %.0f ms" % (longest * 1000))
else:
    print("after %.3f s" % (time.monotonic() - start))
