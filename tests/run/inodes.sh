#!/bin/bash
# SPDX-License-Identifier: MIT
# inodes.sh WHAT: files have the same numbers in every run, on every file system and in every folder, and
# who goes by numbers goes on as natively.
. "$(dirname "$0")/lib.sh"
need stat find ls du tar cp python3

# numbers: of files made, linked, moved, removed and made again, one after the other and all at once
cat >numbers.sh <<'END'
mkdir -p d/e && for i in a b c d e; do echo "$i" >"f$i" & done; wait
ln fa la && ln -s fa sa && mv fb d/moved && ln d/moved d/e/again
for i in 1 2 3; do echo "$i" >temp && stat -c '%i %n' temp && rm temp; done
for i in 1 2 3; do (for j in 1 2 3; do echo "$i" >"t$i" && stat -c '%i %n' "t$i" >>"o$i" && rm "t$i"; done) & done
wait && cat o1 o2 o3
for i in 1 2 3; do echo x >w$i; done && rm w? && ln -s fa w1 && stat -c '%y %n' w1 && rm w1
echo other >new && mv new fc && echo other >new
ls -aisR | grep -v '^total' && ls -i f* sa new && stat -c '%d %i %b %B %o %n' f* sa d d/e d/../fa .
stat -L -c '%i %n' sa && find . -printf '%i %b %k %p\n' && du -a && (cd d/e && stat -c '%i' . ../moved)
stat -c '%i %n' /proc/self/cwd/fa - <fa && stat -c %i "$PWD/fa"
python3 -c '
import os
for root, folders, files in os.walk("."):
    for e in os.scandir(root):
        st = e.stat(follow_symlinks=False)
        assert e.inode() == st.st_ino == os.lstat(os.path.join(root, e.name)).st_ino
        print(e.inode(), st.st_blocks, st.st_blksize, e.path)
with open("fa") as f:
    assert os.fstat(f.fileno()).st_ino == os.stat("la").st_ino
'
END

# run_in FOLDER NAME COMMAND...: in a new folder below that one
run_in() {
    local folder=$1 name=$2 here
    shift 2
    here=$(mktemp -d "$folder/detrun-inodes.XXXXXX") || fail "no folder in $folder"
    (cd "$here" && limited "$@" bash -e "$work/numbers.sh") >"log/$name" 2>&1 </dev/null
    echo "status $?" >>"log/$name"
    rm -rf "$here"
    ok "$name"
}

what_numbers() {
    local round seed
    other=$work
    [ "$(stat -f -c %T /dev/shm)" = tmpfs ] && [ -w /dev/shm ] && other=/dev/shm
    run_in "$work" native.1
    run_in "$other" native.2
    ! cmp -s log/native.1 log/native.2 || fail "natively two runs have the same numbers"
    for round in $(seq "$rounds"); do
        for seed in 3 4; do
            run_in "$work" "$round.$seed.a" "$detrun" -q --strict --seed "$seed" --
            run_in "$other" "$round.$seed.b" "$detrun" -q --strict --seed "$seed" --
            same 1.3.a "$round.$seed.a" "round $round"
            same 1.3.a "$round.$seed.b" "round $round, $work and $other"
        done
    done
    [ "$other" != "$work" ] || echo "note: no tmpfs to compare with"
}

# What those do that compare numbers.
cat >tools.sh <<'END'
mkdir -p tree/sub && echo one >tree/one && echo two >tree/two && ln tree/one tree/sub/hard
ln -s one tree/soft && truncate -s 4M tree/holes && head -c 300000 /dev/zero | tr '\0' x >tree/full
[ tree/one -ef tree/sub/hard ] && [ tree/one -ef tree/soft ] && ! [ tree/one -ef tree/two ]
cp tree/one tree/sub/hard || true
mv tree/one tree/sub/hard && ls tree && cp -l tree/sub/hard tree/one || true
ln tree/one tree/two || true
cat tree/one >>tree/one || true
find tree -samefile tree/one && find tree -inum "$(stat -c %i tree/two)" && find tree -links 2
tar cf tree.tar tree && tar tvf tree.tar | sed 's/ [0-9-]\{10\} [0-9:]\{5\} / /' | sort
mkdir out && tar xf tree.tar -C out && diff -r tree out/tree && find out -samefile out/tree/one
tar -S -cf holes.tar tree/holes && [ "$(stat -c %s holes.tar)" -lt 100000 ] && cp -a tree copy
find copy -samefile copy/one && [ "$(du -k copy/holes | cut -f1)" -lt 100 ] && diff -r tree copy
[ "$(du -k tree/full | cut -f1)" -ge 293 ] && [ "$(du -k tree/full | cut -f1)" -lt 400 ]
cd tree/sub && [ "$(env -u PWD /bin/pwd)" = "$(pwd -P)" ] && [ . -ef ../sub ] && cd ../..
exec 3<tree/two && rm tree/two && echo new >tree/two && [ ! tree/two -ef /dev/fd/3 ] && exec 3<&-
i=0; while [ $i -lt 200 ]; do mkdir "d$i" && cd "d$i" && i=$((i + 1)); done && cd "$OLDPWD" && cd "$here"
find . -name 'd*' -type d | wc -l && rm -r d0 copy out && find . | sort
END
cat >git.sh <<'END'
git init -q g && cd g && echo 1 >one && echo 2 >two && git add . && git status --short
git -c user.name=a -c user.email=a@b commit -qm one && git status --short
cp -p one three && mv three one && git status --short && echo 7 >one && git status --short
END

what_tools() {
    local script
    for script in tools git; do
        [ "$script" = tools ] || command -v "$script" >/dev/null || continue
        mkdir -p native inside
        here=$work/native capture "$script.native" limited bash -c "cd native && exec bash -e ../$script.sh"
        ok "$script.native"
        here=$work/inside capture "$script.inside" under 7 bash -c "cd inside && exec bash -e ../$script.sh"
        ok "$script.inside"
        sed -i '/^detrun: /d' "log/$script.inside"
        same "$script.native" "$script.inside" "$script natively and under detrun"
    done
}

# Who finds a file's file system by its number.
cat >devices.sh <<'END'
df --output=target,fstype . / && find . -maxdepth 0 -fstype "$(findmnt -n -o FSTYPE -T . | tail -n 1)"
findmnt -n -o TARGET,FSTYPE -T . && stat -c '%m' . / /proc /dev && find / -xdev -maxdepth 1 | sort
mountpoint -q / && mountpoint -q /proc && ! mountpoint -q "$PWD" && ls -id /proc
python3 -c '
import os
shown = {}
for line in open("/proc/self/mountinfo"):
    fields = line.split()
    shown[fields[4].encode().decode("unicode_escape")] = fields[2], fields[fields.index("-") + 1]
for point, (device, kind) in sorted(shown.items()):
    if kind in ("ext4", "xfs", "tmpfs", "overlay", "proc", "sysfs", "devtmpfs") and os.path.isdir(point):
        st = os.stat(point)
        print(point, kind, os.path.ismount(point), "%d:%d" % (os.major(st.st_dev), os.minor(st.st_dev)) == device)
print(os.stat(".").st_dev == os.stat("/proc/self/cwd").st_dev, os.stat(".").st_dev == os.stat("/proc").st_dev)
'
END

what_devices() {
    need df findmnt mountpoint
    local folder here
    for folder in "$work" /dev/shm; do
        [ -w "$folder" ] || continue
        here=$(mktemp -d "$folder/detrun-inodes.XXXXXX") || fail "no folder in $folder"
        (cd "$here" && limited bash -e "$work/devices.sh") >log/native 2>&1 </dev/null
        echo "status $?" >>log/native
        (cd "$here" && limited "$detrun" -q --seed 3 -- bash -e "$work/devices.sh") >log/inside 2>&1 </dev/null
        echo "status $?" >>log/inside
        rmdir "$here"
        ok native
        same native inside "file systems from $folder"
    done
}

# Those that go by inodes through large folders go the same way each time.
what_large() {
    mkdir large
    python3 -c '
for i in range(11000):
    open("large/%d" % (i * 7919 % 11000), "w").close()' || fail "cannot make files"
    capture one limited "$detrun" -q --seed 3 -- find large
    rm -r large && mkdir large
    python3 -c '
for i in range(11000):
    open("large/%d" % i, "w").close()' || fail "cannot make files"
    capture two limited "$detrun" -q --seed 4 -- find large
    ok one
    same one two "find in a large folder"
    [ "$(wc -l <log/one)" = 11002 ] || fail "not all were found"
    capture removed limited "$detrun" -q --strict --seed 3 -- sh -c 'rm -r large && ! test -e large'
    ok removed
}

# Both ends of a pipe are looked at, at once, and it is the one that made it whose number it has.
cat >pipes.sh <<'END'
look='import os, sys; print(os.fstat(%d).st_ino, os.readlink("/proc/self/fd/%d"), file=sys.stderr)'
for i in 1 2 3; do
    python3 -c "${look//%d/1}" 2>left | python3 -c "${look//%d/0}" 2>right
    cat left && cmp left right
done
(readlink /proc/self/fd/1 | cat) & (readlink /proc/self/fd/1 | cat) >other & wait && cat other
python3 -c '
import os, subprocess
p = subprocess.Popen(["readlink", "/proc/self/fd/1"], stdout=subprocess.PIPE)
assert p.stdout.read().decode() == "pipe:[%d]\n" % os.fstat(p.stdout.fileno()).st_ino
print(os.fstat(p.stdout.fileno()).st_ino)
'
perl -e 'print `readlink /proc/self/fd/1`'
ls -l /proc/self/fd/0 | sed 's/.* -> //' && stat -L -c %i /dev/stdin
END

what_pipes() {
    need perl readlink
    local i seed
    for i in 1 2; do
        capture "native.$i" bash -c 'echo | timeout 60 bash -e pipes.sh | cat'
    done
    ! cmp -s log/native.1 log/native.2 || fail "natively two runs have the same pipes"
    for i in $(seq "$rounds"); do
        for seed in 3 4; do
            capture "$i.$seed" bash -c \
                'echo | timeout 60 "$0" -q --strict --seed "$1" -- bash -e pipes.sh | cat' "$detrun" "$seed"
            same 1.3 "$i.$seed" "pipes of two runs"
        done
    done
    [ "$(grep -c '^[0-9]* pipe:' log/1.3)" = 3 ] || fail "not all was told: $(cat log/1.3)"
}

what_real() {
    echo x >file
    capture native stat -c '%i %b' . file
    capture real limited "$detrun" -q --seed 3 --real inodes -- stat -c '%i %b' . file
    same native real "--real inodes"
    capture list.native ls -ai
    capture list.real limited "$detrun" -q --seed 3 --real inodes,dirs -- ls -ai
    same list.native list.real "--real inodes,dirs"
    capture dirs limited "$detrun" -q --seed 3 --real dirs -- bash -c '
        [ "$(ls -i file)" = "$(stat -c "%i %n" file)" ] && [ "$(ls -ai | grep " file$")" = "$(ls -i file)" ]'
    ok dirs
}

"what_$1"
exit 0
