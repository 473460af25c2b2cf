/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "environment.h"
#include "guest.h"
#include "unfollow.h"

#define MOST_ENTRIES 65536
/* Ours are not longer; of the others the beginning is enough. */
#define TEXT_MAX     8192

static uint64_t before[MOST_ENTRIES];
static uint64_t after[MOST_ENTRIES];

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* By this job or one around it. What --export set may hold the seed. */
static bool is_put_back(const struct supervisor_job *job, const char *text)
{
    for (; job; job = job->outer) {
        const char *putback = job->memory->params.putback;
        for (const char *entry = putback; *entry; entry += strlen(entry) + 1)
            if (strcmp(entry, text) == 0)
                return true;
    }
    return false;
}

static bool is_ours(const struct supervisor_job *job, const char *text)
{
    return begins(text, "E2E_") || begins(text, "DETRUN_") ||
           (!begins(text, ENVIRONMENT_ASAN "=") && is_put_back(job, text));
}

/* A word that was added to a list that others may have begun. @return the list is empty now */
static bool drop_word(const struct question *q, uint64_t address, char *text, const char *word)
{
    char *list = strchr(text, '=') + 1;
    if (!environment_drop_word(list, word))
        return false;
    guest_write(q, address, text, strlen(text) + 1);
    return *list == '\0';
}

static bool is_dropped(const struct question *q, uint64_t address)
{
    char text[TEXT_MAX];
    long n = guest_read_text((int32_t)q->request->pid, address, text, sizeof(text));
    if (n < 0)
        text[sizeof(text) - 1] = '\0';
    if (is_ours(q->job, text))
        return true;
    if (n < 0)
        return false;
    if (begins(text, "LD_PRELOAD="))
        return drop_word(q, address, text, q->m->params.library);
    return begins(text, ENVIRONMENT_ASAN "=") &&
           drop_word(q, address, text, ENVIRONMENT_ASAN_OPTION);
}

/* @return 0 or -errno */
static int read_words(const struct question *q, struct unfollow_stack *stack)
{
    stack->words = before;
    for (stack->count = 0; stack->count < MOST_ENTRIES; stack->count++) {
        uint64_t *word = &before[stack->count];
        int error = guest_read((int32_t)q->request->pid, stack->envp + 8 * stack->count, word,
                               sizeof(*word));
        if (error || *word == 0)
            return error;
    }
    return -E2BIG;
}

int unfollow_clean(const struct question *q, struct unfollow_stack *stack)
{
    unsigned kept = 0;
    int error = read_words(q, stack);
    if (error)
        return error;
    for (unsigned i = 0; i < stack->count; i++)
        if (!is_dropped(q, before[i]))
            after[kept++] = before[i];
    after[kept] = 0;
    stack->count++;
    return guest_write(q, stack->envp, after, sizeof(after[0]) * (kept + 1));
}
