/* SPDX-License-Identifier: MIT */
#include "substitute.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t job_seed(const struct options *o)
{
    return o->seed.number;
}

static uint64_t test_seed(const struct options *o)
{
    return o->test_seed;
}

static uint64_t seed32(const struct options *o)
{
    return o->test_seed >> 32 ? o->test_seed >> 32 : 1;
}

static uint64_t iteration(const struct options *o)
{
    return o->run_number ? o->run_number : 1;
}

static const struct {
    const char *name;
    uint64_t (*value)(const struct options *o);
} names[] = {
    {"{seed}", job_seed},
    {"{seed32}", seed32},
    {"{test_seed}", test_seed},
    {"{iteration}", iteration},
};

/* @return the length of the name that is there, its value printed; 0: none */
static size_t put_value(FILE *out, const char *at, const struct options *o)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t n = strlen(names[i].name);
        if (strncmp(at, names[i].name, n) != 0)
            continue;
        fprintf(out, "%" PRIu64, names[i].value(o));
        return n;
    }
    return 0;
}

char *substitute(const char *text, const struct options *o)
{
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    if (!out)
        return NULL;
    while (*text) {
        size_t n = *text == '{' ? put_value(out, text, o) : 0;
        if (n == 0)
            fputc(*text, out);
        text += n ? n : 1;
    }
    return fclose(out) == 0 ? result : NULL;
}

char **substitute_command(const struct options *o)
{
    size_t n = 0;
    if (!o->subst)
        return o->command;
    while (o->command[n])
        n++;
    char **words = calloc(n + 1, sizeof(*words));
    for (size_t i = 0; words && i < n; i++)
        if (!(words[i] = substitute(o->command[i], o)))
            return NULL;
    return words;
}
