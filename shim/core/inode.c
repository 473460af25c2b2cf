/* SPDX-License-Identifier: MIT */
#include "inode.h"

#include "hash.h"
#include "lineage.h"

/* A word: what tells the file from others in its places << 32 | number. */
#define BLOCK_WORDS  64
#define PAGE_BLOCKS  8
#define PAGE_WORDS   (BLOCK_WORDS * PAGE_BLOCKS)
#define PAGES        (DETRUN_INODE_WORDS / PAGE_WORDS)
#define BLOCKS       (DETRUN_INODE_WORDS / BLOCK_WORDS)
#define RANGE_BITS   43 /* of the PAGE_WORDS inodes of a device that a file is one of */
#define RANGE_MASK   ((UINT64_C(1) << RANGE_BITS) - 1)
#define NUMBER_BITS  36                  /* of these, beside the device's */
#define GONE         (UINT64_C(1) << 31) /* in a word: the file has lost its last name */
#define PROBES       64
#define LINE_WORDS   8
#define NAME_BITS    20 /* of a number, the lower ones; above them are the folder's */
#define FOLDERS      (INODE_FIRST >> NAME_BITS)
#define FOLDER_WORDS (DETRUN_INODE_WORDS / FOLDERS)
#define ATTEMPTS     256
#define FEW          8 /* of them, before longer steps are taken */
#define MINORS       (UINT64_C(1) << 20)
#define START_MINOR  UINT64_C(4096) /* lower ones the kernel gives */
#define PIPE_SEED    UINT64_C(0x64657472756e0002)
#define GOLDEN       UINT64_C(0x9e3779b97f4a7c15)

/* One file's places in the first table: the same word of several blocks, of which the first one
 * lies on the page of the file's range. */
struct places {
    uint64_t tag;
    uint64_t first;
    uint64_t others;
    uint64_t word;
};

/* One to one, so that what is equal in the end was the same range. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 21;
    x = x * UINT64_C(0x2c1b3c6d1b56c4b5) & RANGE_MASK;
    x ^= x >> 19;
    x = x * UINT64_C(0x297a2d39bf58476d) & RANGE_MASK;
    return x ^ x >> 22;
}

/* In its first place nothing else has a file's tag, in others hardly anything: what a place does
 * not tell of a file is in the tag. */
static struct places places_of(struct inode file)
{
    uint64_t range = file.number / PAGE_WORDS;
    uint64_t block = file.number / BLOCK_WORDS % PAGE_BLOCKS;
    range ^= range >> NUMBER_BITS; /* larger numbers than file systems have */
    range = mix((range ^ (uint64_t)file.device << NUMBER_BITS) & RANGE_MASK);
    uint64_t tag = (range / PAGES ^ block * GOLDEN) & UINT32_MAX;
    return (struct places){
        .tag = tag << 32,
        .first = range % PAGES * PAGE_BLOCKS + block,
        .others = (range + block) * GOLDEN >> 40,
        .word = file.number % BLOCK_WORDS,
    };
}

static uint64_t index_of(const struct places *p, uint64_t probe)
{
    uint64_t block = probe == 0 ? p->first : p->others + probe * probe;
    return block % BLOCKS * BLOCK_WORDS + p->word;
}

static uint64_t look(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

/* Make an empty word this one. @return what it is then */
static uint64_t take(_Atomic uint64_t *word, uint64_t wanted)
{
    uint64_t there = look(word);
    if (there != 0 || !atomic_compare_exchange_strong_explicit(
                          word, &there, wanted, memory_order_relaxed, memory_order_relaxed))
        return there;
    return wanted;
}

static uint32_t number_in(uint64_t word)
{
    return (uint32_t)word & (INODE_END - 1);
}

/* The file's word in the first table. NULL: it has none. */
static _Atomic uint64_t *find(struct detrun_memory *m, const struct places *p)
{
    for (uint64_t probe = 0; probe < PROBES; probe++) {
        _Atomic uint64_t *word = &m->inodes[index_of(p, probe)];
        uint64_t there = look(word);
        if (there == 0 || there >> 32 == p->tag >> 32)
            return there != 0 ? word : NULL;
    }
    return NULL;
}

static uint32_t known_number(struct detrun_memory *m, const struct places *p, bool linked)
{
    const _Atomic uint64_t *word = find(m, p);
    uint64_t there = word ? look(word) : 0;
    return linked && (there & GONE) ? 0 : number_in(there);
}

uint32_t inode_find(struct detrun_memory *m, struct inode file, bool linked)
{
    struct places p = places_of(file);
    return known_number(m, &p, linked);
}

/* The file's number, or that of who has come first. */
static uint32_t settle(struct detrun_memory *m, const struct places *p, uint32_t number)
{
    uint64_t word = p->tag | number;
    for (uint64_t probe = 0; probe < PROBES; probe++) {
        _Atomic uint64_t *place = &m->inodes[index_of(p, probe)];
        uint64_t there = take(place, word);
        if (there >> 32 != word >> 32)
            continue;
        while ((there & GONE) &&
               !atomic_compare_exchange_weak_explicit(place, &there, word, memory_order_relaxed,
                                                      memory_order_relaxed))
            ;
        return there & GONE ? number : number_in(there);
    }
    return 0;
}

/* The n-th place of a number: in a line of its folder's pages, then anywhere. */
static uint64_t number_index(uint32_t number, uint64_t n)
{
    uint64_t start = (number % INODE_FIRST >> NAME_BITS) * FOLDER_WORDS;
    uint64_t mixed = number * GOLDEN >> 24;
    if (n < LINE_WORDS)
        return start + number % (FOLDER_WORDS / LINE_WORDS) * LINE_WORDS + n;
    return (mixed + n * (mixed >> 20 | 1)) % DETRUN_INODE_WORDS;
}

/* The second table's words have the number as well, and above it what tells its file from all
 * others, which the place of a number does not. */
static uint64_t owner_of(const struct places *p)
{
    return p->tag ^ (p->first * BLOCK_WORDS + p->word) * GOLDEN << 32;
}

/* Is the number this file's from now on? Two that enter one file at a time both have it. */
static bool claim(struct detrun_memory *m, uint64_t word)
{
    for (uint64_t n = 0; n < PROBES; n++) {
        uint64_t there = take(&m->numbers[number_index(number_in(word), n)], word);
        if (number_in(there) == number_in(word))
            return there == word;
    }
    return false;
}

static bool is_taken(const struct detrun_memory *m, uint32_t number)
{
    for (uint64_t n = 0; n < PROBES; n++) {
        uint64_t there = look(&m->numbers[number_index(number, n)]);
        if (number_in(there) == number)
            return true;
        if (there == 0)
            return false;
    }
    return true;
}

static uint32_t number_of(uint32_t folder, const void *name, size_t n, uint64_t attempt)
{
    uint64_t hash = hash_bytes(name, n, attempt << 32 | folder);
    uint32_t above = (uint32_t)(folder * GOLDEN >> 40);
    return INODE_FIRST | (above % FOLDERS << NAME_BITS) | (uint32_t)(hash & ((1 << NAME_BITS) - 1));
}

/* A name that is made and removed again and again has used up many numbers: about as many steps
 * further on, by halves, there is the first that is free. */
static uint64_t first_free(const struct detrun_memory *m, uint32_t folder, const void *name,
                           size_t n)
{
    uint64_t unused = FEW;
    uint64_t taken = 0;
    while (unused < DETRUN_INODE_WORDS && is_taken(m, number_of(folder, name, n, unused)))
        unused *= 2;
    while (unused - taken > 1) {
        uint64_t middle = (unused + taken) / 2;
        *(is_taken(m, number_of(folder, name, n, middle)) ? &taken : &unused) = middle;
    }
    return unused;
}

/* The first number of its name that no other file has, or had; 0: there is no place for one.
 * @param number  the name's first */
static uint32_t choose(struct detrun_memory *m, uint64_t owner, uint32_t folder, const void *name,
                       size_t n, uint32_t number)
{
    uint64_t first = 0;
    for (uint64_t i = 0; i < ATTEMPTS; i++) {
        if (i == FEW)
            first = first_free(m, folder, name, n) - FEW;
        if (i > 0)
            number = number_of(folder, name, n, first + i);
        if (claim(m, owner | number))
            return number;
    }
    return 0;
}

static uint32_t enter(struct detrun_memory *m, uint32_t folder, const struct inode_entry *e,
                      uint32_t first)
{
    struct places p = places_of(e->file);
    uint32_t number = known_number(m, &p, true);
    if (number != 0)
        return number;
    number = choose(m, owner_of(&p), folder, e->name, e->n, first);
    number = number != 0 ? settle(m, &p, number) : 0;
    if (number == 0)
        lineage_count_gap(m, DETRUN_GAP_INODES_FULL);
    return number;
}

uint32_t inode_enter(struct detrun_memory *m, struct inode file, uint32_t folder, const void *name,
                     size_t n)
{
    struct inode_entry e = {.file = file, .name = name, .n = n};
    uint32_t number = inode_find(m, file, true);
    return number != 0 ? number : enter(m, folder, &e, number_of(folder, name, n, 0));
}

void inode_enter_all(struct detrun_memory *m, uint32_t folder, struct inode_entry *entries,
                     size_t count)
{
    uint64_t unknown = 0;
    for (size_t i = 0; i < count; i++) {
        struct places p = places_of(entries[i].file);
        __builtin_prefetch(&m->inodes[index_of(&p, 0)]);
    }
    for (size_t i = 0; i < count; i++) {
        struct inode_entry *e = &entries[i];
        e->number = inode_find(m, e->file, true);
        if (e->number != 0)
            continue;
        e->number = number_of(folder, e->name, e->n, 0);
        __builtin_prefetch(&m->numbers[number_index(e->number, 0)], 1);
        unknown |= UINT64_C(1) << i;
    }
    for (; unknown != 0; unknown &= unknown - 1) {
        struct inode_entry *e = &entries[__builtin_ctzll(unknown)];
        e->number = enter(m, folder, e, e->number);
    }
}

void inode_gone(struct detrun_memory *m, struct inode file)
{
    struct places p = places_of(file);
    _Atomic uint64_t *word = find(m, &p);
    if (!word)
        return;
    uint64_t was = atomic_fetch_or_explicit(word, GONE, memory_order_relaxed);
    uint64_t owned = owner_of(&p) | number_in(was);
    for (uint64_t n = 0; n < PROBES; n++) {
        uint64_t there = owned;
        if (atomic_compare_exchange_strong_explicit(&m->numbers[number_index(number_in(was), n)],
                                                    &there, owned | GONE, memory_order_relaxed,
                                                    memory_order_relaxed) ||
            there == 0)
            return;
    }
}

_Atomic uint64_t *inode_device(struct detrun_memory *m, uint64_t dev)
{
    for (size_t i = 0; i < DETRUN_DEVICES; i++) {
        uint64_t there = take(&m->shared.devices[i], dev << 32 | DETRUN_DEVICE_NEW);
        if (there >> 32 == dev)
            return &m->shared.devices[i];
    }
    return NULL;
}

static uint64_t minor_in(uint64_t word)
{
    return word >> 8 & (MINORS - 1);
}

static bool is_minor_taken(const struct detrun_memory *m, const _Atomic uint64_t *by,
                           uint64_t minor)
{
    for (size_t i = 0; i < DETRUN_DEVICES; i++)
        if (&m->shared.devices[i] != by && minor_in(look(&m->shared.devices[i])) == minor)
            return true;
    return false;
}

void inode_device_mounted(struct detrun_memory *m, _Atomic uint64_t *device, const char *path,
                          size_t n)
{
    uint64_t dev = look(device) >> 32;
    uint64_t minor = 0;
    if (dev == m->params.start_dev)
        minor = START_MINOR;
    else if (n > 0)
        minor = START_MINOR + 1 + hash_bytes(path, n, PIPE_SEED) % (MINORS - START_MINOR - 1);
    while (minor > START_MINOR && is_minor_taken(m, device, minor))
        minor = minor + 1 < MINORS ? minor + 1 : START_MINOR + 1;
    atomic_store_explicit(device, dev << 32 | minor << 8 | DETRUN_DEVICE_FILES,
                          memory_order_relaxed);
}

uint64_t inode_device_number(uint64_t word)
{
    uint64_t minor = minor_in(word);
    return minor == 0 ? word >> 32 : (minor & 0xff) | (minor & ~UINT64_C(0xff)) << 12;
}

static _Atomic uint64_t *place_of_pipe(struct detrun_memory *m, uint64_t ino)
{
    return &m->pipes[ino % DETRUN_PIPES];
}

static uint32_t number_of_pipe(uint64_t maker, uint64_t count)
{
    uint64_t words[2] = {maker, count};
    return INODE_FIRST | (uint32_t)(hash_bytes(words, sizeof(words), PIPE_SEED) % INODE_FIRST);
}

uint32_t inode_pipe(struct detrun_memory *m, struct detrun_task *t, uint64_t ino)
{
    _Atomic uint64_t *place = place_of_pipe(m, ino);
    uint64_t there = look(place);
    if (there >> 32 == (uint32_t)ino)
        return (uint32_t)there;
    uint64_t word = ino << 32 | number_of_pipe(t->lineage, ++t->pipes);
    while (!atomic_compare_exchange_weak_explicit(place, &there, word, memory_order_relaxed,
                                                  memory_order_relaxed))
        if (there >> 32 == (uint32_t)ino)
            return (uint32_t)there;
    return (uint32_t)word;
}

void inode_pipe_given(struct detrun_memory *m, uint64_t dev, uint64_t ino, int fd)
{
    _Atomic uint64_t *device = inode_device(m, dev);
    if (!device)
        return;
    atomic_store_explicit(device, dev << 32 | DETRUN_DEVICE_PIPES, memory_order_relaxed);
    atomic_store_explicit(place_of_pipe(m, ino), ino << 32 | number_of_pipe(0, (uint64_t)fd),
                          memory_order_relaxed);
}
