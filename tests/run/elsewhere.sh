#!/bin/bash
# SPDX-License-Identifier: MIT
# With --profile ci one job has equal output and equal records in two folders, on two file systems, on
# two host names, with two sets of processors, with and without network interfaces, and as two users.
. "$(dirname "$0")/lib.sh"
as_root_only
need setpriv cmake gcc jq taskset unshare
[ -x /usr/bin/python3 ] || skip "python3 is not here"
[ "$(stat -fc %T /dev/shm 2>/dev/null)" = tmpfs ] || skip "/dev/shm is no second file system"

here=$(mktemp -d /tmp/detrun-here.XXXXXX) || fail "no temporary folder"
there=$(mktemp -d /dev/shm/another-folder.XXXXXXXXX) || fail "no temporary folder"
trap 'rm -rf "$here" "$there"' EXIT
chmod 755 "$here" "$there"
cmake --install "${detrun%/bin/*}" --prefix "$here/prefix" >log/install 2>&1 || fail "install"
detrun=$here/prefix/bin/detrun

# What the uid or the folder's name are part of is not in here: bash's $RANDOM, libuuid's identifiers
# (both are seeded with it), debug information, addresses in the heap (where children keep their PWD).
# How often threads wait for each other is counted, and timing: there are none.
cat >job.sh <<'S'
hostname; uname -n; nproc; getconf _NPROCESSORS_ONLN; umask; ulimit -s; date; tty; logname
echo "$HOME $USER $TERM $COLUMNS $$"
cut -d' ' -f 1-46 /proc/self/stat; ./where; sh -c ./where
cat /proc/stat /proc/meminfo /proc/self/status | grep -v -e ^Uid: -e ^Gid: -e ^Groups: -e ^Cap -e ^NoNewPrivs: -e ^SigQ:
for name in c b a; do echo $name >$name.txt; done
ls -A; ls -l --time-style=full-iso ./*.txt | cut -d' ' -f1,2,5-; stat -c '%s %y %b %B' a.txt
find . | head -n 3
printf 'int main(void) { return 0; }\n' >m.c
gcc m.c -o m && cksum m
tar cf - --owner=0 --group=0 ./*.txt | cksum
shuf -i 1-1000 -n 5; sort -R a.txt b.txt c.txt
/usr/bin/python3 - <<'P'
import multiprocessing, os, platform, random, socket, tempfile, time, uuid
print(platform.node(), os.cpu_count(), multiprocessing.cpu_count(), random.random(), uuid.uuid4(), time.time(), hash("x"))
t = tempfile.NamedTemporaryFile(dir=".")
st = os.stat(t.name)
print(os.path.basename(t.name), st.st_size, st.st_mtime, st.st_blocks, st.st_blksize, os.statvfs(".").f_bavail)
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname())
before = time.monotonic(); time.sleep(30); print(time.monotonic() - before)
P
(echo one; cat /proc/sys/kernel/random/uuid) & wait
S
printf '#include <stdio.h>\nint main(int n, char **v) { printf("%%p %%p %%d\\n", (void *)&n, (void *)v, n); }\n' >where.c
gcc -O1 -o where where.c || fail "cannot compile"
with_interfaces=$([ -n "$(unshare -n true 2>&1)" ] || echo unshare -n)

# job NAME FOLDER COMMAND...: in that folder, of which the command makes another place
job() {
    local name=$1 folder=$2/$1
    shift 2
    mkdir "$folder"
    chmod 777 "$folder"
    cp job.sh where "$folder"
    touch "$folder.record"
    chmod 666 "$folder.record"
    (cd "$folder" && limited "$@" "$detrun" --seed 7 --profile ci --record "$folder.record" -- bash job.sh) \
        >"log/$name" 2>&1 || fail "$name: $(tail -n 3 "log/$name")"
    jq -c 'del(.volatile)' "$folder.record" >"log/$name.record"
}

last=$(($(nproc) - 1))
# shellcheck disable=SC2016 # the inner shell's
named=(unshare -u sh -c 'hostname builder-two && exec "$@"' -)
user=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/x TZ=Asia/Tokyo TERM=xterm USER=other)
job here "$here" taskset -c 0
job folder "$here" taskset -c "0-$last"
# shellcheck disable=SC2086 # a command or nothing
job host "$there" $with_interfaces "${named[@]}" taskset -c "$last"
job user "$there" "${named[@]}" "${user[@]}" taskset -c "0-$last"
for other in folder host user; do
    cmp log/here "log/$other" || fail "$other: $(diff log/here "log/$other" | head)"
    cmp log/here.record "log/$other.record" || fail "$other: records differ: $(diff log/here.record "log/$other.record" | head)"
done
grep -q '"event":"end".*"exit":0' log/here.record || fail "no record of the end: $(cat log/here.record)"
grep -q '^localhost 2 2 0[.]' log/here || fail "python: $(cat log/here)"
exit 0
