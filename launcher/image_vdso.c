/* SPDX-License-Identifier: MIT */
/* The vDSO of x86-64. */
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "guest.h"
#include "image.h"

/* mov $number, %eax; syscall; ret. The vDSO's functions take the registers of a system call. */
#define ENTER(number)                                                                              \
    {                                                                                              \
        0xb8, (number)&255, (number) >> 8 & 255, 0, 0, 0x0f, 0x05, 0xc3                            \
    }
/* mov $-ENOSYS, %rax; ret: also to the size query, so libc never sets up buffers of its own. */
#define REFUSE                                                                                     \
    {                                                                                              \
        0x48, 0xc7, 0xc0, 0xda, 0xff, 0xff, 0xff, 0xc3                                             \
    }
#define CODE_SIZE 8

static const struct replacement {
    const char *name;
    uint8_t code[CODE_SIZE];
} replacements[] = {
    {"__vdso_clock_gettime", ENTER(SYS_clock_gettime)},
    {"__vdso_gettimeofday", ENTER(SYS_gettimeofday)},
    {"__vdso_time", ENTER(SYS_time)},
    {"__vdso_getcpu", ENTER(SYS_getcpu)},
    {"__vdso_getrandom", REFUSE},
};
#define REPLACEMENTS (sizeof(replacements) / sizeof(replacements[0]))

static uint64_t offsets[REPLACEMENTS];

/* Names without the prefix are aliases of the same code. */
static void remember(const char *name, uint64_t offset)
{
    for (size_t i = 0; i < REPLACEMENTS; i++)
        if (strcmp(name, replacements[i].name) == 0)
            offsets[i] = offset;
}

struct dynamic {
    const Elf64_Sym *symbols;
    const char *names;
    const uint32_t *hash;
    const uint32_t *gnu_hash;
};

static const Elf64_Dyn *find_dynamic(const uint8_t *base, uint64_t *bias)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)base;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(base + header->e_phoff);
    const Elf64_Dyn *found = NULL;
    for (int i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type == PT_LOAD)
            *bias = (uint64_t)(uintptr_t)base + segments[i].p_offset - segments[i].p_vaddr;
        else if (segments[i].p_type == PT_DYNAMIC)
            found = (const Elf64_Dyn *)(base + segments[i].p_offset);
    }
    return found;
}

static uint32_t count_symbols(const struct dynamic *d)
{
    if (d->hash)
        return d->hash[1];
    if (!d->gnu_hash)
        return 0;
    const uint32_t *buckets = d->gnu_hash + 4 + d->gnu_hash[2] * 2;
    const uint32_t *chains = buckets + d->gnu_hash[0];
    uint32_t last = 0;
    for (uint32_t i = 0; i < d->gnu_hash[0]; i++)
        last = buckets[i] > last ? buckets[i] : last;
    if (last < d->gnu_hash[1])
        return 0;
    while (!(chains[last - d->gnu_hash[1]] & 1))
        last++;
    return last + 1;
}

static void read_own_vdso(void)
{
    const uint8_t *base = (const uint8_t *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
    struct dynamic d = {0};
    uint64_t bias = 0;
    const Elf64_Dyn *entry = base ? find_dynamic(base, &bias) : NULL;
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        const void *at = (const void *)(uintptr_t)(bias + entry->d_un.d_ptr);
        if (entry->d_tag == DT_SYMTAB)
            d.symbols = at;
        else if (entry->d_tag == DT_STRTAB)
            d.names = at;
        else if (entry->d_tag == DT_HASH)
            d.hash = at;
        else if (entry->d_tag == DT_GNU_HASH)
            d.gnu_hash = at;
    }
    uint32_t count = d.symbols && d.names ? count_symbols(&d) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (d.symbols[i].st_value)
            remember(d.names + d.symbols[i].st_name,
                     bias + d.symbols[i].st_value - (uint64_t)(uintptr_t)base);
}

int image_patch_vdso(const struct question *q, int mem, uint64_t vdso)
{
    static bool read;
    int result = 0;
    if (!read)
        read_own_vdso();
    read = true;
    for (size_t i = 0; i < REPLACEMENTS; i++) {
        if (offsets[i] == 0)
            continue;
        int error = guest_patch(q, mem, vdso + offsets[i], replacements[i].code, CODE_SIZE);
        result = error ? error : result;
    }
    return result;
}
