/* SPDX-License-Identifier: MIT */
#include "real.h"

#include <errno.h>
#include <stddef.h>

#include "init.h"
#include "loaded.h"
#include "poison.h"

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));
extern int *__errno_location(void) __attribute__((weak));

/* One struct of arrays, not pointers: those would have to be relocated at every start. */
#define NAME_FIELD(id, name) char id[sizeof(#name)];
#define NAME_TEXT(id, name)  .id = #name,
#define NAME_PLACE(id, name) [REAL_##id] = offsetof(struct names, id),
#define CALL(name, ...)      NAME_FIELD(name, name)
#define CALL_LIBC(name, ...) NAME_FIELD(LIBC_##name, name)
#define CALL_VOID(name, ...) NAME_FIELD(LIBC_##name, name)
#define CALL_HAND(name, ...) NAME_FIELD(LIBC_##name, name)
struct names {
#include "detrun/calls.def"
};

#define CALL(name, ...)      NAME_TEXT(name, name)
#define CALL_LIBC(name, ...) NAME_TEXT(LIBC_##name, name)
#define CALL_VOID(name, ...) NAME_TEXT(LIBC_##name, name)
#define CALL_HAND(name, ...) NAME_TEXT(LIBC_##name, name)
static const struct names names = {
#include "detrun/calls.def"
};

#define CALL(name, ...)      NAME_PLACE(name, name)
#define CALL_LIBC(name, ...) NAME_PLACE(LIBC_##name, name)
#define CALL_VOID(name, ...) NAME_PLACE(LIBC_##name, name)
#define CALL_HAND(name, ...) NAME_PLACE(LIBC_##name, name)
static const uint16_t places[REAL_COUNT] = {
#include "detrun/calls.def"
};

/* Written once each, always with the same value: a race is harmless. */
static uintptr_t found[REAL_COUNT];

static const struct link_map *behind_shim(void)
{
    const struct link_map *object = loaded_objects(init_environment());
    while (object && object->l_ld != _DYNAMIC)
        object = object->l_next;
    return object ? object->l_next : NULL;
}

static uintptr_t search(const char *name)
{
    for (const struct link_map *map = behind_shim(); map; map = map->l_next) {
        struct loaded object;
        if (!map->l_ld || !loaded_open(&object, map->l_addr, map->l_ld))
            continue;
        uintptr_t address = loaded_symbol(&object, name);
        if (address)
            return address;
    }
    return 0;
}

uintptr_t real_find(enum real_id id)
{
    uintptr_t address = __atomic_load_n(&found[id], __ATOMIC_RELAXED);
    if (!address) {
        address = search((const char *)&names + places[id]);
        __atomic_store_n(&found[id], address, __ATOMIC_RELAXED);
    }
    return address;
}

long real_errno(void)
{
    return &__errno_location ? -(long)*__errno_location() : -EIO;
}
