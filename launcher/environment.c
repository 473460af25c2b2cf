/* SPDX-License-Identifier: MIT */
#include "environment.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "substitute.h"

/* What we may add: the entries below, and DETRUN_CONTEXT. */
#define ADDED        (10 + 2 * OPTIONS_WORDS + PROFILE_VARIABLES_MAX)
/* OpenSSL: no RDRAND (leaf 1, ECX bit 30), no RDSEED (leaf 7, EBX bit 18). */
#define OPENSSL_NAME "OPENSSL_ia32cap"
#define NO_RDRAND    "~0x4000000000000000:~0x40000"

const char *environment_find(char *const *environment, const char *name)
{
    size_t n = strlen(name);
    for (; *environment; environment++)
        if (strncmp(*environment, name, n) == 0 && (*environment)[n] == '=')
            return *environment + n + 1;
    return NULL;
}

static size_t name_length(const char *entry)
{
    return strcspn(entry, "=");
}

int environment_put(char **environment, char *entry)
{
    size_t n = name_length(entry) + 1;
    char **at = environment;
    while (*at && strncmp(*at, entry, n) != 0)
        at++;
    if (!*at)
        at[1] = NULL;
    *at = entry;
    return 0;
}

void environment_drop(char **environment, const char *name)
{
    bool all = name[strlen(name) - 1] == '*';
    size_t n = strlen(name) - all;
    char **to = environment;
    for (char **from = environment; *from; from++)
        if (strncmp(*from, name, n) != 0 || (!all && (*from)[n] != '='))
            *to++ = *from;
    *to = NULL;
}

static char **copy_environment(void)
{
    size_t n = 0;
    while (environ[n])
        n++;
    char **copy = calloc(n + ADDED + 1, sizeof(*copy));
    if (copy)
        memcpy(copy, environ, n * sizeof(*copy));
    return copy;
}

/* @return where this word stands in a list separated by colons or blanks, or NULL */
static const char *find_word(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = list; n > 0 && (at = strstr(at, word)) != NULL; at += n) {
        bool starts = at == list || strchr(": ", at[-1]);
        if (starts && (at[n] == '\0' || strchr(": ", at[n])))
            return at;
    }
    return NULL;
}

bool environment_drop_word(char *list, const char *word)
{
    const char *found = find_word(list, word);
    if (!found)
        return false;
    char *at = list + (found - list);
    const char *rest = at + strlen(word);
    if (*rest)
        rest++; /* with what separates it from the next one, or from the one before */
    else if (at > list)
        at--;
    memmove(at, rest, strlen(rest) + 1);
    return true;
}

/* @return "NAME=old:word", the word once; NULL: out of memory */
static char *extend(char *const *environment, const char *name, const char *word)
{
    const char *old = environment_find(environment, name);
    char *entry = NULL;
    bool listed = old && find_word(old, word);
    bool empty = !old || !*old;
    int n = asprintf(&entry, "%s=%s%s%s", name, empty ? "" : old, empty || listed ? "" : ":",
                     listed ? "" : word);
    return n < 0 ? NULL : entry;
}

/* Without room for it, children that drop the variable do without. */
static void put_back(struct detrun_params *p, size_t *used, const char *entry)
{
    size_t n = strlen(entry) + 1;
    if (*used + n + 1 > sizeof(p->putback))
        return;
    memcpy(p->putback + *used, entry, n);
    *used += n;
    p->putback[*used] = '\0';
}

static bool add(char **environment, struct detrun_params *p, size_t *used, char *entry)
{
    if (!entry)
        return false;
    environment_put(environment, entry);
    put_back(p, used, entry);
    return true;
}

static char *numbered(const char *name, uint64_t value)
{
    char *entry = NULL;
    return asprintf(&entry, "%s=%" PRIu64, name, value) < 0 ? NULL : entry;
}

/* What the user says stays; what a job around this one says is ours. */
static bool add_no_rdrand(char **environment, struct detrun_params *p, size_t *used, bool real)
{
    static char entry[] = OPENSSL_NAME "=" NO_RDRAND;
    const char *old = environment_find(environment, OPENSSL_NAME);
    if (old && strcmp(old, NO_RDRAND) != 0)
        return true;
    if (!real)
        return add(environment, p, used, entry);
    environment_drop(environment, OPENSSL_NAME);
    return true;
}

/* A job around this one may be without supervisor, and then hands its state on in there. */
static void take_profile(char **environment, const struct options *o)
{
    environment_drop(environment, DETRUN_ENV_CONTEXT);
    profile_apply(o->profile, environment);
    for (unsigned i = 0; i < o->unset.count; i++)
        environment_drop(environment, o->unset.texts[i]);
    for (unsigned i = 0; i < o->set.count; i++)
        environment_put(environment, (char *)o->set.texts[i]);
}

char **environment_build(const struct options *o, struct detrun_params *p, bool takes_shim)
{
    static char on[] = DETRUN_ENV_DETERMINISTIC "=1";
    AUTO_FREE char **environment = copy_environment();
    size_t used = 0;
    if (!environment)
        return NULL;
    take_profile(environment, o);
    char *preload = extend(environment, "LD_PRELOAD", p->library);
    bool good = preload && add(environment, p, &used, on) &&
                add(environment, p, &used, numbered(DETRUN_ENV_SEED, o->seed.number)) &&
                add(environment, p, &used, numbered(DETRUN_ENV_STEP, o->step_ns / 1000000));
    if (good)
        good = add_no_rdrand(environment, p, &used, o->real >> DETRUN_RDRAND & 1) &&
               add(environment, p, &used,
                   extend(environment, ENVIRONMENT_ASAN, ENVIRONMENT_ASAN_OPTION));
    for (unsigned i = 0; good && i < o->exports.count; i++)
        good = add(environment, p, &used, substitute(o->exports.texts[i], o));
    if (!good)
        return NULL;
    if (takes_shim)
        environment_put(environment, preload);
    char **result = environment;
    environment = NULL;
    return result;
}
