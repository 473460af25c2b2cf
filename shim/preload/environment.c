/* SPDX-License-Identifier: MIT */
#include "environment.h"

#include <string.h>

#include "detrun/context.h"
#include "poison.h"
#include "task.h"

#define PRELOAD  "LD_PRELOAD"
#define PAD      DETRUN_ENV_PAD "="
#define PAD_SIZE 4096

/* Counts when array is NULL, else writes. */
struct builder {
    char **array;
    char *text;
    size_t pointers;
    size_t used;
    size_t kept; /* bytes of strings that are as they were, where they are counted */
    bool counts;
    bool changed;
};

static bool starts_with(const char *entry, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (entry[i] != name[i])
            return false;
    return entry[length] == '=';
}

static const char *get_counted(char *const *envp, const char *name, size_t length)
{
    for (; envp && *envp; envp++)
        if (starts_with(*envp, name, length))
            return *envp + length + 1;
    return NULL;
}

const char *environment_get(char *const *envp, const char *name)
{
    return get_counted(envp, name, strlen(name));
}

static void keep(struct builder *b, char *entry)
{
    if (b->array)
        b->array[b->pointers] = entry;
    b->pointers++;
}

static void keep_as_it_is(struct builder *b, char *entry)
{
    b->kept += b->counts ? strlen(entry) + 1 : 0;
    keep(b, entry);
}

static void begin(struct builder *b)
{
    keep(b, b->text + b->used);
    b->changed = true;
}

static void append(struct builder *b, const char *part, size_t length)
{
    if (b->array)
        memcpy(b->text + b->used, part, length);
    b->used += length;
}

static void add(struct builder *b, const char *head, const char *tail)
{
    begin(b);
    append(b, head, strlen(head));
    append(b, tail, strlen(tail) + 1);
}

static size_t token_length(const char *list)
{
    size_t n = 0;
    while (list[n] && list[n] != ':' && list[n] != ' ')
        n++;
    return n;
}

static bool is_library(const char *token, size_t length, const char *library)
{
    return strlen(library) == length && memcmp(token, library, length) == 0;
}

static bool lists(const char *list, const char *library)
{
    for (;;) {
        size_t length = token_length(list);
        if (is_library(list, length, library))
            return true;
        if (!list[length])
            return false;
        list += length + 1;
    }
}

static bool lists_last(const char *list, const char *library)
{
    size_t length = strlen(list);
    size_t own = strlen(library);
    return length >= own && is_library(list + length - own, own, library) &&
           (length == own || list[length - own - 1] == ':' || list[length - own - 1] == ' ');
}

/* The list without the library. @return is it empty? */
static bool begin_without(struct builder *b, const char *list, const char *library)
{
    begin(b);
    append(b, PRELOAD "=", sizeof(PRELOAD));
    bool first = true;
    for (;;) {
        size_t length = token_length(list);
        if (length != 0 && !is_library(list, length, library)) {
            if (!first)
                append(b, ":", 1);
            append(b, list, length);
            first = false;
        }
        if (!list[length])
            return first;
        list += length + 1;
    }
}

/* Whatever a program adds to the list comes before us: it would do natively what it does. An image
 * of another class cannot load the shim, and its ld.so would say so on stderr. */
static void preload_entry(struct builder *b, char *entry, bool preload)
{
    const char *library = shim.memory->params.library;
    const char *list = entry + sizeof(PRELOAD);
    if (preload ? lists_last(list, library) : !lists(list, library)) {
        keep_as_it_is(b, entry);
        return;
    }
    if (!begin_without(b, list, library) && preload)
        append(b, ":", 1);
    if (preload)
        append(b, library, strlen(library));
    append(b, "", 1);
}

static void put_back(struct builder *b, char *const *envp)
{
    const char *entry = shim.memory->params.putback;
    for (; *entry; entry += strlen(entry) + 1) {
        size_t length = 0;
        while (entry[length] != '=')
            length++;
        if (!get_counted(envp, entry, length))
            add(b, entry, "");
    }
}

static void add_context(struct builder *b, const struct detrun_task *child)
{
    begin(b);
    append(b, DETRUN_ENV_CONTEXT "=", sizeof(DETRUN_ENV_CONTEXT));
    if (b->array) {
        struct detrun_context context;
        detrun_context_from_task(&context, &shim.memory->params, child);
        if (lineage_is_child_of_first(shim.memory, child))
            context.parent_vpid = 1;
        detrun_context_encode(&context, b->text + b->used);
    }
    b->used += DETRUN_CONTEXT_TEXT;
    append(b, "", 1);
}

/* As the launcher does for the command, with a smaller size: it stands on the caller's stack. Where
 * the program is named anew (scripts, PATH) that counts as it was named. */
static void pad(struct builder *b, const char *path, char *const *argv)
{
    size_t size = b->kept + b->used + strlen(path) + 1 + sizeof(PAD);
    size_t pointers = b->pointers + 2; /* this one, and the last */
    for (; argv && *argv; argv++, pointers++)
        size += strlen(*argv) + 1;
    size_t left = PAD_SIZE - (size + pointers * sizeof(char *)) % PAD_SIZE;
    begin(b);
    append(b, PAD, sizeof(PAD) - 1);
    if (b->array)
        memset(b->text + b->used, '.', left);
    b->used += left;
    append(b, "", 1);
}

static void build(struct builder *b, char *const *envp, const struct environment_for *image)
{
    static const char context[] = DETRUN_ENV_CONTEXT;
    const struct detrun_task *child = image->child;
    bool preload = image->preload;
    bool has_preload = false;
    const char *padded = environment_get(envp, DETRUN_ENV_PAD) ? image->path : NULL;
    b->counts = padded != NULL;
    for (char *const *entry = envp; entry && *entry; entry++) {
        if (b->counts && starts_with(*entry, PAD, sizeof(PAD) - 2))
            continue;
        if (starts_with(*entry, PRELOAD, sizeof(PRELOAD) - 1)) {
            preload_entry(b, *entry, preload);
            has_preload = true;
        } else if (!shim.alone || !starts_with(*entry, context, sizeof(context) - 1)) {
            keep_as_it_is(b, *entry);
        }
    }
    if (!has_preload && preload)
        add(b, PRELOAD "=", shim.memory->params.library);
    put_back(b, envp);
    if (shim.alone)
        add_context(b, child);
    if (padded)
        pad(b, padded, image->argv);
    keep(b, NULL);
}

struct environment_size environment_measure(char *const *envp, const struct environment_for *image)
{
    struct builder b = {0};
    build(&b, envp, image);
    return b.changed ? (struct environment_size){b.pointers, b.used + 1}
                     : (struct environment_size){0, 0};
}

void environment_complete(char *const *envp, const struct environment_for *image, char **array,
                          char *text)
{
    struct builder b = {.array = array, .text = text};
    build(&b, envp, image);
}
