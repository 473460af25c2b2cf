#!/bin/bash
# SPDX-License-Identifier: MIT
# Everything works as an ordinary user, from a folder that root owns.
. "$(dirname "$0")/lib.sh"
as_root_only
need setpriv cmake

folder=$(mktemp -d /tmp/detrun-user.XXXXXX) || fail "no temporary folder"
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cmake --install "${detrun%/bin/*}" --prefix "$folder/prefix" >log/install 2>&1 || fail "install"
detrun=$folder/prefix/bin/detrun
gcc -O1 -o "$folder/answer" "$programs/answer.c" || fail "compile"
gcc -static -O1 -o "$folder/answer_static" "$programs/answer.c" || fail "compile"
cp "$programs/answers.py" "$folder"
mkdir "$folder/home"
chown 65534:65534 "$folder/home"
export HOME=$folder/home

# Everything below is nobody's, native runs as well.
limited() {
    timeout -k 2 "$limit" setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

deterministic "$folder/answer"
deterministic "$folder/answer_static"
deterministic env -i "$folder/answer"
[ -x /usr/bin/python3 ] && deterministic /usr/bin/python3 "$folder/answers.py"
deterministic sh -c 'cd $HOME; for i in 1 2 3 4; do uuidgen >o$i & done; wait; cat o?; head -c 8 /dev/urandom | od -An -tx1'
capture user under 7 sh -c 'id -u; uuidgen; shuf -i 1-99'
ok user
[ "$(head -n 1 log/user)" = 65534 ] || fail "not run as nobody"
exit 0
