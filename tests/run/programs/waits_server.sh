# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# waits_server.sh [SECONDS]: a server that is there after two and a half units of time, and somebody
# who looks for it once a unit, and gives up after thirty.
unit=${1:-1}
rm -f socket socket.new
python3 -c '
import os, socket, sys, time
time.sleep(2.5 * float(sys.argv[1]))
server = socket.socket(socket.AF_UNIX)
server.bind("socket.new")
server.listen()
os.rename("socket.new", "socket")
client, _ = server.accept()
client.sendall(b"served\n")' "$unit" &
timeout "$(python3 -c "print(30 * $unit)")" bash -c '
looks=0
until [ -S socket ]; do
    looks=$((looks + 1))
    sleep "$1"
done
echo "up after $looks"' bash "$unit" || echo "gave up"
python3 -c '
import socket
client = socket.socket(socket.AF_UNIX)
client.connect("socket")
print(client.recv(100).decode(), end="")'
wait $!
echo "ended $?"
