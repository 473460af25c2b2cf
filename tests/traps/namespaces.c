/* SPDX-License-Identifier: MIT */
/* libc's functions past the symbols: by a handle of libc, in another link namespace, and in a
 * library loaded with RTLD_DEEPBIND. Clocks and bytes are of the same world. */
#include <dlfcn.h>
#include <gnu/lib-names.h>

#include "trap.h"

typedef time_t (*time_fn)(time_t *);
typedef int (*clock_fn)(clockid_t, struct timespec *);
typedef ssize_t (*random_fn)(void *, size_t, unsigned);
typedef pid_t (*pid_fn)(void);

static struct block blocks[16];
static unsigned n;

static uintptr_t symbol(void *handle, const char *name)
{
    uintptr_t at = (uintptr_t)dlsym(handle, name);
    CHECK(at != 0);
    return at;
}

static void check_handle(void *handle)
{
    struct timespec ts;
    long long mono = clock_ns(CLOCK_MONOTONIC);
    clock_fn clock_of = (clock_fn)symbol(handle, "clock_gettime");
    CHECK(same_day(((time_fn)symbol(handle, "time"))(NULL), time(NULL)));
    CHECK(clock_of(CLOCK_REALTIME, &ts) == 0 && same_day(ts.tv_sec, time(NULL)));
    CHECK(clock_of(CLOCK_MONOTONIC, &ts) == 0 && ts.tv_sec * SECOND + ts.tv_nsec >= mono);
    CHECK(ts.tv_sec * SECOND + ts.tv_nsec - mono < 10 * SECOND);
    random_fn random_of = (random_fn)symbol(handle, "getrandom");
    CHECK(random_of(&blocks[n++], sizeof(*blocks), 0) == sizeof(*blocks));
    blocks[n++] = random_block();
}

int main(void)
{
    void *libc = dlopen(LIBC_SO, RTLD_NOW | RTLD_NOLOAD);
    CHECK(libc != NULL);
    check_handle(libc);
    check_handle(RTLD_DEFAULT);
    void *other = dlmopen(LM_ID_NEWLM, LIBC_SO, RTLD_NOW);
    CHECK(other != NULL && other != libc);
    check_handle(other);
    check_distinct(blocks, n);
    return guest_end();
}
