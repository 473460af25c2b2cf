#!/bin/bash
# SPDX-License-Identifier: MIT
# valgrind.sh inside|outside: a program under valgrind is answered as one without it, and what
# valgrind finds is what it finds natively, with nothing printed beside it.
. "$(dirname "$0")/lib.sh"
need gcc valgrind

cat >faulty.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char *lost = malloc(10);
    char *small = malloc(8);
    lost[0] = 1;
    small[8] = 1;
    free(small);
    lost = NULL;
    puts("done");
    return 0;
}
C

cat >threads.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void *sleeper(void *unused)
{
    struct timespec ms = {0, 1000000};
    nanosleep(&ms, NULL);
    return unused;
}
int main(void)
{
    pthread_t threads[3];
    unsigned random = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, sleeper, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    getrandom(&random, sizeof random, 0);
    printf("r %d %x\n", (int)getpid(), random);
    printf("%ld\n", (long)time(NULL));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        printf("r %d %d\n", (int)getpid(), (int)getppid());
        fflush(stdout);
        _exit(3);
    }
    int status = 0;
    int same = waitpid(child, &status, 0) == child;
    printf("r %d\n%d %d\n", (int)child, same, WEXITSTATUS(status));
    return 0;
}
C

# findings NAME: what memcheck said, without process ids and addresses
findings() {
    sed -e 's/==[0-9]*==/==/' -e 's/0x[0-9A-Fa-f]*/0x/g' "log/$1" >"log/$1.findings"
}

valgrind_inside() {
    local memcheck=(valgrind --leak-check=full --error-exitcode=9 ./faulty)
    gcc -O0 -g -o faulty faulty.c || fail "cannot compile"
    capture native limited "${memcheck[@]}"
    grep -q 'definitely lost: 10 bytes' log/native || skip "valgrind finds nothing here"
    capture inside under 7 "${memcheck[@]}"
    findings native
    findings inside
    same native.findings inside.findings "memcheck natively and inside"
    deterministic valgrind -q ./threads
    deterministic valgrind -q --tool=callgrind --callgrind-out-file=calls ./threads
    # A child runs without valgrind: it and its parent agree on its pid.
    # shellcheck disable=SC2016 # for the inner shells
    under 7 valgrind -q sh -c 'sh -c "echo \$\$" & echo $!; wait' >log/pids 2>&1
    [ "$(sort -u log/pids | wc -l)" = 1 ] || fail "two pids: $(cat log/pids)"
}

# valgrind knows no seccomp: the shim is alone.
valgrind_outside() {
    local seed
    for seed in 7 8; do
        limited valgrind -q --log-file=log/valgrind "$detrun" --seed "$seed" -- ./threads \
            >"log/outside.$seed" || fail "status $?"
    done
    limited valgrind -q --log-file=log/valgrind "$detrun" --seed 7 -- ./threads >log/again
    same outside.7 again "two runs in valgrind"
    seeds_differ outside.7 outside.8
}

limit=120 rounds=1
gcc -O1 -o threads threads.c -pthread || fail "cannot compile"
"valgrind_$1"
