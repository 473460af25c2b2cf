#!/bin/bash
# SPDX-License-Identifier: MIT
# --cpus N, and --profile ci: every program counts the same processors, on whichever of the machine's
# the job may run; who sets where it runs reads that back.
. "$(dirname "$0")/lib.sh"
need gcc taskset

# affine CPUS OPTIONS... -- COMMAND...: of the machine's processors only these
affine() {
    local cpus=$1
    shift
    limited taskset -c "$cpus" "$detrun" --seed 7 "$@"
}

cat >count.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

/* pthread_setaffinity_np enters the kernel inside libc. */
int main(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        return 1;
    printf("%d\n", CPU_COUNT(&set));
    CPU_ZERO(&set);
    CPU_SET(2, &set);
    CPU_SET(40, &set);
    if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set) != 0)
        return 2;
    CPU_ZERO(&set);
    if (pthread_getaffinity_np(pthread_self(), sizeof(set), &set) != 0)
        return 3;
    printf("%d %d\n", CPU_COUNT(&set), CPU_ISSET(2, &set) != 0);
    CPU_ZERO(&set);
    CPU_SET(40, &set);
    return sched_setaffinity(0, sizeof(set), &set) == -1 ? 0 : 4;
}
C
{ gcc -O1 -o count count.c -pthread && gcc -O1 -static -o count_static count.c -pthread; } || fail "cannot compile"
cat >all.sh <<'S'
nproc
nproc --all
getconf _NPROCESSORS_ONLN
getconf _NPROCESSORS_CONF
cat /proc/stat /sys/devices/system/cpu/online /sys/devices/system/cpu/possible
cd /sys/devices/system/cpu && cat present && cd - >/dev/null
grep -c ^processor /proc/cpuinfo
grep -E '^(siblings|cpu MHz|model name)' /proc/cpuinfo
grep Cpus_allowed /proc/self/status
./count
./count_static
taskset -c 1 sh -c 'nproc; taskset -cp 0 | sed "s/.*: //"; grep Cpus_allowed_list /proc/self/status'
S
if command -v python3 >/dev/null; then
    echo "python3 -c 'import os; print(os.cpu_count(), os.sched_getaffinity(0))'" >>all.sh
fi
if command -v node >/dev/null; then
    echo 'node -p "JSON.stringify(require(\"os\").cpus())"' >>all.sh
fi
if command -v java >/dev/null && command -v javac >/dev/null; then
    echo 'class A{public static void main(String[] a){System.out.println(Runtime.getRuntime().availableProcessors());}}' >A.java
    javac A.java && echo "java A" >>all.sh
fi
if command -v go >/dev/null; then
    printf 'package main\nimport ("fmt"; "runtime")\nfunc main() { fmt.Println(runtime.NumCPU()) }\n' >n.go
    GOCACHE=$work/cache go build -o count_go n.go 2>log/go && echo ./count_go >>all.sh
fi

last=$(($(nproc) - 1))
for cpus in 0 "$last" "0-$last"; do
    affine "$cpus" --cpus 3 -- bash all.sh >"log/of.$cpus" 2>&1 || fail "$(tail -n 3 "log/of.$cpus")"
    cmp log/of.0 "log/of.$cpus" || fail "--cpus 3 on $cpus: $(diff log/of.0 "log/of.$cpus" | head)"
done
[ "$(head -n 4 log/of.0 | sort -u)" = 3 ] || fail "not 3: $(head -n 4 log/of.0)"
[ "$(grep -c '^cpu[0-9]' log/of.0)" = 3 ] || fail "/proc/stat: $(cat log/of.0)"
[ "$(grep -c '^0-2$' log/of.0)" = 3 ] || fail "lists: $(cat log/of.0)"
grep -qx 'Cpus_allowed_list:	1' log/of.0 || fail "what taskset set: $(cat log/of.0)"

# Profiles say how many, and it is in the record; the option wins.
affine 0 --profile ci --record one -- nproc >log/ci
affine "0-$last" --profile ci --record two -- nproc >>log/ci
[ "$(sort -u log/ci)" = 2 ] || fail "--profile ci: $(cat log/ci)"
sed 's/"volatile":{[^}]*}//g' one >log/one
sed 's/"volatile":{[^}]*}//g' two | cmp log/one - || fail "records differ"
grep -q '"cpus":"2"' one || fail "no number in $(cat one)"
[ "$(affine 0 --profile ci --cpus 5 -- nproc)" = 5 ] || fail "--cpus behind a profile"

# As on the machine: by default, and with --real cpus.
for options in "" "--real cpus" "--profile ci --real cpus"; do
    # shellcheck disable=SC2086 # a list
    [ "$(affine 0 $options -- nproc)" = 1 ] || fail "one processor, with ${options:-no option}"
done
# Inside another one as that one has it; without supervisor the shim alone, and behind exec.
[ "$(affine 0 --cpus 3 -- "$detrun" --seed 1 nproc)" = 3 ] || fail "a job inside a job"
[ "$(affine 0 --cpus 3 --no-supervisor -- sh -c 'exec nproc')" = 3 ] || fail "without supervisor"
for bad in 0 65 -1 x ''; do
    limited "$detrun" --seed 1 --cpus "$bad" -- true 2>log/err
    [ $? = 125 ] || fail "--cpus '$bad' was taken"
    [ "$(cat log/err)" = "detrun: --cpus: \"$bad\" is not a number of processors; give 1 to 64" ] ||
        fail "--cpus '$bad': $(cat log/err)"
done
exit 0
