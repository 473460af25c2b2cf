/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The environment a new image gets: what detrun needs is put back where a program dropped it.
 */
#ifndef DETRUN_SHIM_ENVIRONMENT_H
#define DETRUN_SHIM_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

struct detrun_task;

/** @return the value of a variable in an environment, or NULL. */
const char *environment_get(char *const *envp, const char *name);

/** What a completed environment takes: for the caller's stack. 0: envp serves as it is. */
struct environment_size {
    size_t pointers; /**< of the new array, the final NULL included */
    size_t text;     /**< bytes of new strings */
};

/** The image that it is for. */
struct environment_for {
    const struct detrun_task *child; /**< its state travels in DETRUN_CONTEXT without supervisor */
    bool preload;     /**< false: the shim cannot live in it, and is taken out of LD_PRELOAD */
    const char *path; /**< as it is named; NULL: not by us, and DETRUN_PAD stays as it is */
    char *const *argv;
};

struct environment_size environment_measure(char *const *envp, const struct environment_for *image);

/** Fill array and text, sized by environment_measure(). */
void environment_complete(char *const *envp, const struct environment_for *image, char **array,
                          char *text);

/**
 * Declares `name`: envp completed for an image, of whose description the rest of the arguments are
 * the fields, on the caller's stack (a vfork child may not write elsewhere).
 */
#define ENVIRONMENT_ON_STACK(name, envp, ...)                                                      \
    const struct environment_for name##_image = {__VA_ARGS__};                                     \
    struct environment_size name##_size = environment_measure(envp, &name##_image);                \
    char *name##_array[1];                                                                         \
    char *const *name = envp;                                                                      \
    (void)name##_array;                                                                            \
    if (name##_size.pointers != 0) {                                                               \
        char **array_ = __builtin_alloca(name##_size.pointers * sizeof(char *));                   \
        environment_complete(envp, &name##_image, array_, __builtin_alloca(name##_size.text));     \
        name = array_;                                                                             \
    }

#endif
