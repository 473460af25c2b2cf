/* SPDX-License-Identifier: MIT */
/* fork() in a signal handler, which interrupts a taking of bytes, a read of a clock or another
 * fork: the child goes on asking, as itself. */
#include "storm.h"

#define MOST 200

static struct {
    _Atomic unsigned n;
    struct block blocks[2 * MOST];
} * seen;

static void fork_here(void)
{
    pid_t parent = getpid();
    if (seen->n >= 2 * MOST - 2)
        return;
    pid_t pid = fork();
    if (pid == 0) {
        CHECK(getppid() == parent && getpid() != parent && time(NULL) > 0);
        seen->blocks[seen->n++] = random_block();
        _exit(5);
    }
    seen->blocks[seen->n++] = random_block();
    child_exits(pid, 5);
}

int main(void)
{
    seen = shared_memory(sizeof(*seen));
    storm_begin(fork_here, 2000);
    while (storm_signals < 50) {
        random_block();
        CHECK(clock_ns(CLOCK_REALTIME) > 0 && getpid() > 0);
        if (storm_signals % 8 == 0) {
            pid_t pid = fork();
            if (pid == 0)
                _exit(0);
            child_exits(pid, 0);
        }
    }
    storm_end();
    check_distinct(seen->blocks, seen->n);
    return guest_end();
}
