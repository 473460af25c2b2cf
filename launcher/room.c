/* SPDX-License-Identifier: MIT */
#include "room.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>

#define KB (UINT64_C(1) << 10)
#define MB (UINT64_C(1) << 20)
#define GB (UINT64_C(1) << 30)

/* Less stack than this and the launcher itself is ended by SIGSEGV. */
#define LEAST_STACK (64 * KB)

static struct limit {
    const char *what;
    rlim_t need; /* some for jobs inside the job as well */
    unsigned resource;
    int error; /* what tells that there is too little */
    struct rlimit given;
    char flag; /* of ulimit */
    bool raised;
} limits[] = {
    {"the stack", 256 * KB, RLIMIT_STACK, -EFAULT, {0, 0}, 's', false},
    {"address space", GB, RLIMIT_AS, -ENOMEM, {0, 0}, 'v', false},
    {"the size of files", 96 * MB, RLIMIT_FSIZE, -EFBIG, {0, 0}, 'f', false},
    {"open files", 512, RLIMIT_NOFILE, -EMFILE, {0, 0}, 'n', false},
    {"processes", 4096, RLIMIT_NPROC, -EAGAIN, {0, 0}, 'u', false},
};

#define LIMITS (sizeof(limits) / sizeof(limits[0]))

static void raise_limit(struct limit *l)
{
    if (getrlimit(l->resource, &l->given) != 0 || l->given.rlim_cur >= l->need)
        return;
    rlim_t hard = l->given.rlim_max;
    struct rlimit wanted = {l->need, hard > l->need ? hard : l->need};
    struct rlimit allowed = {hard, hard};
    l->raised = setrlimit(l->resource, &wanted) == 0 || setrlimit(l->resource, &allowed) == 0;
}

void room_make(void)
{
    for (size_t i = 0; i < LIMITS; i++)
        raise_limit(&limits[i]);
}

void room_give_back(void)
{
    for (size_t i = 0; i < LIMITS; i++)
        if (limits[i].raised)
            setrlimit(limits[i].resource, &limits[i].given);
}

int room_check(char *error, size_t room)
{
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= LEAST_STACK)
        return 0;
    snprintf(error, room, "no room to start%s", room_advice(limits[0].error));
    return -ENOMEM;
}

const char *room_advice(int error)
{
    static char text[192];
    text[0] = '\0';
    for (size_t i = 0; i < LIMITS; i++) {
        const struct limit *l = &limits[i];
        struct rlimit now;
        if (l->error != error || getrlimit(l->resource, &now) != 0 || now.rlim_cur >= l->need)
            continue;
        snprintf(text, sizeof(text),
                 "; the limit of %s (ulimit -%c) is low: set it behind detrun, as in "
                 "detrun -- bash -c 'ulimit -%c N; exec COMMAND'",
                 l->what, l->flag, l->flag);
    }
    return text;
}
