/* SPDX-License-Identifier: MIT */
/* A property test: a cluster of some nodes, of which some are cut off, keeps what was written. Host
 * C does not know what to do when two of three are gone. With a second test beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "detrun.h"

static unsigned draw(unsigned first, unsigned last)
{
    unsigned number;
    if (getrandom(&number, sizeof(number), 0) != sizeof(number))
        exit(3);
    return first + number % (last - first + 1);
}

static int has_quorum(unsigned nodes, unsigned partition)
{
    detrun_call("A", "written", 1);
    if (nodes != 3 || partition != 2)
        return 1;
    detrun_call("C", "Host C did not respond", 0);
    return 0;
}

static int run_one(void)
{
    char nodes[16];
    char partition[16];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    unsigned n = draw(3, 6);
    unsigned p = draw(0, 3);
    snprintf(nodes, sizeof(nodes), "%u", n);
    snprintf(partition, sizeof(partition), "%u", p);
    detrun_value("nodes", nodes);
    detrun_value("partition", partition);
    int good = has_quorum(n, p);
    printf("nodes=%s partition=%s at %lld.%09ld %s\n", nodes, partition, (long long)now.tv_sec,
           now.tv_nsec, good ? "kept" : "lost");
    return good;
}

int main(void)
{
    int failed = 0;
    detrun_test_begin("test_replication_invariant");
    detrun_max_examples(10);
    for (unsigned long long i; (i = detrun_iteration_begin()) != 0;) {
        printf("%llu ", i);
        int good = run_one();
        failed |= !good;
        if (detrun_iteration_end(good ? DETRUN_PASSED : DETRUN_FAILED, 0,
                                 good ? NULL : "a write was lost") != 0)
            return 2;
    }
    return failed;
}
