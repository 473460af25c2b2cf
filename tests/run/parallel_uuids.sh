#!/bin/bash
# SPDX-License-Identifier: MIT
# Siblings that run at once get the same answers in every run, and not each other's.
. "$(dirname "$0")/lib.sh"
need python3

command='for i in 1 2 3 4; do (python3 -c "import uuid;print(uuid.uuid4())" >o$i) & done; wait; cat o?'
deterministic sh -c "$command"

count=$(grep -cE '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' log/1.a)
[ "$count" = 4 ] || fail "expected four version 4 UUIDs: $(cat log/1.a)"
[ "$(sort -u log/1.a | wc -l)" = 5 ] || fail "two siblings got the same UUID"
