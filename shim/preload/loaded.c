/* SPDX-License-Identifier: MIT */
#include "loaded.h"

#include <elf.h>
#include <string.h>

#include "poison.h"

#define VERSION_HIDDEN 0x8000

/* ld.so of glibc stores addresses in the dynamic section; musl and the kernel's vDSO leave offsets
 * of the file. An offset lies below any load address. */
static const void *pointer(uintptr_t bias, uintptr_t value)
{
    return (const void *)(value < bias ? bias + value : value);
}

bool loaded_open(struct loaded *object, uintptr_t bias, const ElfW(Dyn) * dynamic)
{
    *object = (struct loaded){.bias = bias};
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        const void *value = pointer(bias, dynamic->d_un.d_ptr);
        switch (dynamic->d_tag) {
        case DT_SYMTAB:
            object->symbols = value;
            break;
        case DT_STRTAB:
            object->strings = value;
            break;
        case DT_GNU_HASH:
            object->gnu_hash = value;
            break;
        case DT_HASH:
            object->sysv_hash = value;
            break;
        case DT_VERSYM:
            object->versions = value;
            break;
        default:
            break;
        }
    }
    return object->symbols && object->strings && (object->gnu_hash || object->sysv_hash);
}

static bool equal(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static bool is_match(const struct loaded *object, uint32_t index, const char *name)
{
    const ElfW(Sym) *symbol = &object->symbols[index];
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF &&
           (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE) &&
           equal(object->strings + symbol->st_name, name);
}

/* A default version wins at once; a hidden one (an old program's) is kept for want of better. */
static bool better(const struct loaded *object, uint32_t index, uint32_t *found)
{
    *found = index;
    return !object->versions || !(object->versions[index] & VERSION_HIDDEN);
}

static uint32_t find_gnu(const struct loaded *object, const char *name)
{
    const uint32_t *table = object->gnu_hash;
    uint32_t hash = 5381;
    for (const char *c = name; *c; c++)
        hash = hash * 33 + (uint8_t)*c;
    uint32_t buckets = table[0];
    uint32_t first = table[1];
    const uint64_t *bloom = (const uint64_t *)(const void *)(table + 4);
    uint64_t word = bloom[hash / 64 % table[2]];
    if (!(word >> hash % 64 & word >> (hash >> table[3]) % 64 & 1))
        return 0;
    const uint32_t *bucket = table + 4 + 2 * table[2];
    const uint32_t *chain = bucket + buckets;
    uint32_t found = 0;
    uint32_t i = bucket[hash % buckets];
    for (; i >= first && i != 0; i++) {
        uint32_t here = chain[i - first];
        if ((here | 1) == (hash | 1) && is_match(object, i, name) && better(object, i, &found))
            return found;
        if (here & 1)
            break;
    }
    return found;
}

static uint32_t find_sysv(const struct loaded *object, const char *name)
{
    const uint32_t *table = object->sysv_hash;
    uint32_t hash = 0;
    for (const char *c = name; *c; c++) {
        hash = (hash << 4) + (uint8_t)*c;
        hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
    }
    uint32_t found = 0;
    for (uint32_t i = table[2 + hash % table[0]]; i != 0; i = table[2 + table[0] + i])
        if (is_match(object, i, name) && better(object, i, &found))
            return found;
    return found;
}

uintptr_t loaded_symbol(const struct loaded *object, const char *name)
{
    uint32_t index = object->gnu_hash ? find_gnu(object, name) : find_sysv(object, name);
    if (index == 0)
        return 0;
    const ElfW(Sym) *symbol = &object->symbols[index];
    uintptr_t address = object->bias + symbol->st_value;
    if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
        address = ((uintptr_t(*)(void))address)();
    return address;
}

static const ElfW(Phdr) * header_table(uintptr_t header)
{
    const ElfW(Ehdr) *elf = (const ElfW(Ehdr) *)header;
    return (const ElfW(Phdr) *)(header + elf->e_phoff);
}

bool loaded_open_image(struct loaded *object, uintptr_t header)
{
    const ElfW(Ehdr) *elf = (const ElfW(Ehdr) *)header;
    const ElfW(Phdr) *segments = header_table(header);
    const ElfW(Phdr) *dynamic = NULL;
    uintptr_t bias = header;
    for (int i = 0; i < elf->e_phnum; i++) {
        if (segments[i].p_type == PT_LOAD && segments[i].p_offset == 0)
            bias = header - segments[i].p_vaddr;
        if (segments[i].p_type == PT_DYNAMIC)
            dynamic = &segments[i];
    }
    return dynamic && loaded_open(object, bias, (const ElfW(Dyn) *)(bias + dynamic->p_vaddr));
}

bool loaded_text(uintptr_t header, uintptr_t *start, uintptr_t *end)
{
    const ElfW(Ehdr) *elf = (const ElfW(Ehdr) *)header;
    const ElfW(Phdr) *segments = header_table(header);
    for (int i = 0; i < elf->e_phnum; i++) {
        if (segments[i].p_type != PT_LOAD || !(segments[i].p_flags & PF_X))
            continue;
        *start = header + segments[i].p_vaddr;
        *end = *start + segments[i].p_memsz;
        return true;
    }
    return false;
}

unsigned long loaded_auxv(char *const *envp, unsigned long type)
{
    while (*envp)
        envp++;
    const ElfW(auxv_t) *entry = (const ElfW(auxv_t) *)(const void *)(envp + 1);
    for (; entry->a_type != AT_NULL; entry++)
        if (entry->a_type == type)
            return entry->a_un.a_val;
    return 0;
}

/* Of glibc's ld.so; there also when the program is the argument of ld.so, with no DT_DEBUG. */
extern struct r_debug _r_debug __attribute__((weak));

const struct link_map *loaded_objects(char *const *envp)
{
    if (&_r_debug && _r_debug.r_map)
        return _r_debug.r_map;
    const ElfW(Phdr) *segments = (const ElfW(Phdr) *)loaded_auxv(envp, AT_PHDR);
    unsigned long n = loaded_auxv(envp, AT_PHNUM);
    uintptr_t bias = 0;
    const ElfW(Dyn) *dynamic = NULL;
    for (unsigned long i = 0; segments && i < n; i++) {
        if (segments[i].p_type == PT_PHDR)
            bias = (uintptr_t)segments - segments[i].p_vaddr;
        if (segments[i].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)segments[i].p_vaddr;
    }
    if (!dynamic)
        return NULL;
    dynamic = (const ElfW(Dyn) *)((uintptr_t)dynamic + bias);
    for (; dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == DT_DEBUG && dynamic->d_un.d_ptr)
            return ((const struct r_debug *)dynamic->d_un.d_ptr)->r_map;
    return NULL;
}
