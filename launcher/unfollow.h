/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Programs that are not followed (--no-follow): real answers at every door, address randomisation,
 * and nothing of ours in their environment, for them and all that they start.
 *
 * A new program is known at the first notification of its image, whichever way it was executed. It
 * is then made to execute itself once more, before anything of it has run: with another
 * environment, under another personality.
 */
#ifndef DETRUN_LAUNCHER_UNFOLLOW_H
#define DETRUN_LAUNCHER_UNFOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "image.h"
#include "supervisor.h"

/** Is this path named by one of the patterns, which have colons between them? */
bool unfollow_matches(const char *patterns, const char *path);

/** Is the image that begins just now one of those? The one read last. */
bool unfollow_is_meant(const struct question *q, const struct image *image);

/** Let it begin anew. @return true: its request has been answered; false: it could not be done, and
 * goes on as if it were not meant, counted. */
bool unfollow(struct question *q, const struct image *image);

/** Was this process, whose parent has gone, started by one of those? */
bool unfollow_is_heir(const struct detrun_memory *m, int32_t pid);

/** From now on this process is one. */
void unfollow_mark(struct detrun_task *process);

/** Has there been one in this job? */
bool unfollow_any(const struct detrun_memory *m);

/** A new image's arguments and environment, as addresses in it. */
struct unfollow_stack {
    uint64_t argv;
    uint64_t envp;
    uint64_t *words; /**< what stood at envp, and its end */
    unsigned count;  /**< of words */
};

/**
 * unfollow_environment.c: take what is ours out of the environment of an image that has just been
 * loaded. Its words are kept, so that they can be put back.
 * @return 0 or -errno: nothing but texts has changed
 */
int unfollow_clean(const struct question *q, struct unfollow_stack *stack);

/** What the thread is to execute. */
struct unfollow_again {
    const struct question *q;
    uint64_t path;
    uint64_t argv;
    unsigned long personality;
    struct unfollow_stack stack;
    bool answered; /**< its request has been */
    bool done;
};

/** unfollow_exec.c: answer the request, and have the thread execute that instead of going on. */
void unfollow_exec(struct unfollow_again *again);

#endif
