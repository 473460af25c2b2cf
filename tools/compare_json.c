/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bag.h"
#include "compare.h"

/** One walk through both at once. */
struct walk {
    struct comparison *c;
    bool key_order;
    bool values;
    bool letter_case;
    bool null_or_empty;
    bool array_order;
    char path[sizeof(((struct comparison *)0)->where)];
};

static char *canonical(const json_t *value)
{
    return json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
}

static void found(struct walk *w, bool *what)
{
    *what = true;
    if (w->c->where[0] == '\0')
        snprintf(w->c->where, sizeof(w->c->where), "%s", w->path[0] ? w->path : "$");
}

static bool same_without_case(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    return *a == *b;
}

static bool is_empty(const json_t *value)
{
    return json_is_null(value) || (json_is_string(value) && json_string_length(value) == 0);
}

/* Integers exactly; 1 and 1.0 are two ways to write one number. */
static bool is_same(const json_t *a, const json_t *b)
{
    if (json_is_real(a) != json_is_real(b) && json_is_number(a) && json_is_number(b))
        return json_number_value(a) == json_number_value(b);
    return json_equal(a, b);
}

static void compare_scalars(struct walk *w, const json_t *a, const json_t *b)
{
    if (is_same(a, b))
        return;
    if (is_empty(a) && is_empty(b))
        found(w, &w->null_or_empty);
    else if (json_is_string(a) && json_is_string(b) &&
             same_without_case(json_string_value(a), json_string_value(b)))
        found(w, &w->letter_case);
    else
        found(w, &w->values);
}

static void walk(struct walk *w, json_t *a, json_t *b);

static void step(struct walk *w, const char *name, size_t index, json_t *a, json_t *b)
{
    size_t used = strlen(w->path);
    if (name)
        snprintf(w->path + used, sizeof(w->path) - used, "%s%s", used ? "." : "", name);
    else
        snprintf(w->path + used, sizeof(w->path) - used, "[%zu]", index);
    if (a && b)
        walk(w, a, b);
    else
        found(w, &w->values);
    w->path[used] = '\0';
}

/* jansson keeps the order in which keys were read. */
static bool same_key_order(json_t *a, json_t *b)
{
    void *x = json_object_iter(a);
    void *y = json_object_iter(b);
    for (; x && y; x = json_object_iter_next(a, x), y = json_object_iter_next(b, y))
        if (strcmp(json_object_iter_key(x), json_object_iter_key(y)) != 0)
            return false;
    return !x && !y;
}

static void compare_objects(struct walk *w, json_t *a, json_t *b)
{
    const char *name;
    json_t *value;
    bool same_keys = json_object_size(a) == json_object_size(b);
    json_object_foreach(a, name, value)
    {
        same_keys = same_keys && json_object_get(b, name);
        step(w, name, 0, value, json_object_get(b, name));
    }
    json_object_foreach(b, name, value)
    {
        if (!json_object_get(a, name))
            step(w, name, 0, NULL, value);
    }
    if (same_keys && !same_key_order(a, b))
        found(w, &w->key_order);
}

static void add_elements(struct bag *bag, const json_t *array)
{
    size_t i;
    json_t *element;
    json_array_foreach(array, i, element)
    {
        char *text = canonical(element);
        bag_add(bag, text ? text : "", text ? strlen(text) : 0);
        free(text);
    }
}

static bool same_elements(const json_t *a, const json_t *b)
{
    struct bag one = {0};
    struct bag two = {0};
    add_elements(&one, a);
    add_elements(&two, b);
    bool same = bag_equal(&one, &two);
    bag_free(&one);
    bag_free(&two);
    return same;
}

static void compare_arrays(struct walk *w, json_t *a, json_t *b)
{
    size_t n = json_array_size(a);
    size_t m = json_array_size(b);
    bool moved = !json_equal(a, b) && same_elements(a, b);
    if (moved) {
        found(w, &w->array_order);
        return;
    }
    for (size_t i = 0; i < n || i < m; i++)
        step(w, NULL, i, json_array_get(a, i), json_array_get(b, i));
}

static void walk(struct walk *w, json_t *a, json_t *b)
{
    if (json_is_object(a) && json_is_object(b))
        compare_objects(w, a, b);
    else if (json_is_array(a) && json_is_array(b))
        compare_arrays(w, a, b);
    else
        compare_scalars(w, a, b);
}

static void add_scalars(struct bag *bag, json_t *value)
{
    const char *name;
    json_t *inner;
    size_t i;
    json_object_foreach(value, name, inner) add_scalars(bag, inner);
    json_array_foreach(value, i, inner) add_scalars(bag, inner);
    if (json_is_object(value) || json_is_array(value))
        return;
    char *text = canonical(value);
    bag_add(bag, text ? text : "", text ? strlen(text) : 0);
    free(text);
}

static bool same_scalars(json_t *a, json_t *b)
{
    struct bag one = {0};
    struct bag two = {0};
    add_scalars(&one, a);
    add_scalars(&two, b);
    bool same = bag_equal(&one, &two);
    bag_free(&one);
    bag_free(&two);
    return same;
}

static void judge(struct walk *w, const struct artifact *a, const struct artifact *b, bool bound)
{
    struct comparison *c = w->c;
    bool other = w->values || w->letter_case || w->null_or_empty;
    c->same_values = other && bound;
    if (c->same_values)
        compare_add_kind(c, "same values, other binding");
    else if (w->values)
        compare_add_kind(c, "values");
    if (w->letter_case && !c->same_values)
        compare_add_kind(c, "letter case");
    if (w->null_or_empty && !c->same_values)
        compare_add_kind(c, "null against empty string");
    if (w->array_order)
        compare_add_kind(c, "order of elements");
    if (w->key_order)
        compare_add_kind(c, "key order");
    compare_line_ends(a, b, c);
    if (c->kind[0] == '\0')
        compare_add_kind(c, "blanks or notation");
    c->level = other ? LEVEL_NONE : w->array_order || w->key_order ? LEVEL_VALUES : LEVEL_ORDER;
}

/* What does not fit (integers beyond 63 bits, a key twice) is no JSON here but text. */
static json_t *parse(const struct artifact *a)
{
    return json_loadb(a->bytes, a->length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
}

bool compare_json(const struct artifact *a, const struct artifact *b, struct comparison *c)
{
    json_t *one = parse(a);
    json_t *two = parse(b);
    bool good = one && two;
    if (good) {
        struct walk w = {.c = c};
        c->format = FORMAT_JSON;
        walk(&w, one, two);
        judge(&w, a, b, same_scalars(one, two));
    }
    json_decref(one);
    json_decref(two);
    return good;
}
