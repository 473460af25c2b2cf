/* SPDX-License-Identifier: MIT */
/* RTLD_DEEPBIND binds a library to libc itself: what it reads is of the same world. */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>

#include "trap.h"

int main(int argc, char **argv)
{
    char path[PATH_MAX];
    struct timespec ts;
    struct block blocks[2];
    long (*look)(struct timespec *, void *, size_t);
    CHECK(argc == 1);
    snprintf(path, sizeof(path), "%s/libtrap_deep.so", dirname(argv[0]));
    void *library = dlopen(path, RTLD_NOW | RTLD_DEEPBIND);
    CHECK(library != NULL);
    look = (long (*)(struct timespec *, void *, size_t))(uintptr_t)dlsym(library, "deep_look");
    CHECK(look != NULL);
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(same_day(look(&ts, &blocks[0], sizeof(blocks[0])), time(NULL)));
    CHECK(ts.tv_sec * SECOND + ts.tv_nsec >= before);
    CHECK(ts.tv_sec * SECOND + ts.tv_nsec <= clock_ns(CLOCK_MONOTONIC));
    blocks[1] = random_block();
    check_distinct(blocks, 2);
    return guest_end();
}
