#!/bin/bash
# SPDX-License-Identifier: MIT
# Ports that programs leave to the system follow from the seed; one in use is skipped, and counted.
. "$(dirname "$0")/lib.sh"
need python3

# The option that narrows a socket's range (Linux 6.3): without it there is nothing to see.
python3 -c '
import socket, struct
socket.socket().setsockopt(socket.IPPROTO_IP, 51, struct.pack("I", 40000 << 16 | 40000))' 2>/dev/null ||
    skip "this kernel has no IP_LOCAL_PORT_RANGE"

cat >bind.py <<'P'
import socket, sys
held = [socket.socket() for _ in range(3)]
for one in held:
    one.bind(("127.0.0.1", 0))
    print("r", one.getsockname()[1], flush=True)
datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
datagrams.bind(("127.0.0.1", 0))
client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
client.sendto(b"x", datagrams.getsockname())
print("r", datagrams.recvfrom(1)[1][1], flush=True)
if len(sys.argv) > 1:
    open(sys.argv[1], "w").write("up\n")
    sys.stdin.read()
P
deterministic python3 bind.py

# Two jobs at once with one seed: the second gets others.
mkfifo go
"$detrun" --seed 7 -q -- python3 bind.py up <go >log/held &
holder=$!
exec 8>go
wait_for up
limited "$detrun" --seed 7 --summary summary.json -- python3 bind.py >log/beside || fail "the second job"
exec 8>&-
wait "$holder" || fail "the first job"
comm -12 <(sort log/held) <(sort log/beside) | head -n 3 >log/both
[ ! -s log/both ] || fail "both have $(cat log/both)"
grep -q '"ports_in_use_skipped"' summary.json || fail "nothing is counted: $(cat summary.json)"

# Images without the shim, and --real.
if command -v go >/dev/null; then
    cat >bind.go <<'G'
package main

import (
	"fmt"
	"net"
)

func main() {
	for i := 0; i < 3; i++ {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		fmt.Println("r", l.Addr().(*net.TCPAddr).Port)
	}
}
G
    CGO_ENABLED=0 GOCACHE=$work/cache go build -o bind bind.go 2>log/go || fail "go build: $(cat log/go)"
    deterministic ./bind
fi
native_differs "$detrun" --seed 7 -q --real ports -- python3 bind.py
