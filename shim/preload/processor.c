/* SPDX-License-Identifier: MIT */
#include "processor.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "init.h"
#include "instructions.h"
#include "loaded.h"
#include "patch.h"
#include "poison.h"
#include "raw.h"
#include "real.h"
#include "searched.h"
#include "stubs.h"
#include "task.h"

#define PAGE          UINT64_C(4096)
#define SEGMENTS      4   /* executable ones of one object */
#define WINDOWS       128 /* of one object */
#define KNOWN         128 /* objects that need not be looked at again */
#define SMALL         (UINT64_C(128) << 10)
#define UNKNOWN_MAX   (UINT64_C(4) << 20)
#define NEAR          (UINT64_C(1) << 30)
#define STEP          (UINT64_C(64) << 10)
#define STEPS         64
#define POPULATE_READ 22 /* MADV_POPULATE_READ, madvise(2) */

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));
extern const char *gnu_get_libc_version(void) __attribute__((weak));
extern struct r_debug _r_debug __attribute__((weak));

/** A loaded object. */
struct object {
    uintptr_t lowest; /**< address of its first segment */
    uint64_t size;    /**< bytes of code */
    uint64_t key;     /**< of its build id; 0: it has none */
    unsigned segments;
    struct instruction_text text[SEGMENTS];
};

/* Whoever has dlopen()ed is in ld.so's lock. The count is read at each start: it lies where others
 * write then. */
static const struct link_map *known[KNOWN];
static unsigned known_count __attribute__((section(".data")));

static bool is_program(const struct link_map *map)
{
    return map == loaded_objects(init_environment());
}

/* A program that ld.so was started with is not what the kernel tells of, and lies nowhere known if
 * it is not position independent. */
static const ElfW(Phdr) * headers_of(const struct link_map *map, unsigned *count)
{
    if (is_program(map)) {
        const ElfW(Phdr) *headers = (const ElfW(Phdr) *)loaded_auxv(init_environment(), AT_PHDR);
        *count = (unsigned)loaded_auxv(init_environment(), AT_PHNUM);
        if (headers && headers->p_type == PT_PHDR &&
            (uintptr_t)headers - headers->p_vaddr == map->l_addr)
            return headers;
    }
    if (map->l_addr == 0)
        return NULL;
    const ElfW(Ehdr) *elf = (const ElfW(Ehdr) *)map->l_addr;
    *count = elf->e_phnum;
    return (const ElfW(Phdr) *)(map->l_addr + elf->e_phoff);
}

static void take_build_id(struct object *o, const uint8_t *notes, size_t size)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(const void *)notes;
        size_t name = (note->n_namesz + 3U) & ~3U;
        size_t length = sizeof(*note) + name + ((note->n_descsz + 3U) & ~3U);
        if (length > size)
            return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
            memcmp(note + 1, "GNU", 4) == 0)
            o->key = searched_key(notes + sizeof(*note) + name, note->n_descsz, o->size);
        notes += length;
        size -= length;
    }
}

static void take_segment(struct object *o, uintptr_t bias, const ElfW(Phdr) * segment)
{
    uintptr_t start = bias + segment->p_vaddr;
    o->lowest = start < o->lowest ? start : o->lowest;
    if (!(segment->p_flags & PF_X) || o->segments == SEGMENTS)
        return;
    o->text[o->segments++] =
        (struct instruction_text){.start = (const uint8_t *)start, .size = segment->p_memsz};
    o->size += segment->p_memsz;
}

static bool holds(const struct object *o, uintptr_t address)
{
    for (unsigned i = 0; i < o->segments; i++)
        if (address - (uintptr_t)o->text[i].start < o->text[i].size)
            return true;
    return false;
}

/* What the machine does in libc is not the program's. */
static bool is_libc(const struct object *o)
{
    return &gnu_get_libc_version && holds(o, (uintptr_t)gnu_get_libc_version);
}

/* @return false: nothing is to be looked for in it */
static bool open_object(struct object *o, const struct link_map *map)
{
    unsigned count;
    const ElfW(Phdr) *headers = headers_of(map, &count);
    const uint8_t *frames = NULL;
    *o = (struct object){.lowest = UINTPTR_MAX};
    for (unsigned i = 0; headers && i < count; i++)
        if (headers[i].p_type == PT_LOAD)
            take_segment(o, map->l_addr, &headers[i]);
        else if (headers[i].p_type == PT_GNU_EH_FRAME)
            frames = (const uint8_t *)(map->l_addr + headers[i].p_vaddr);
    for (unsigned i = 0; i < o->segments; i++)
        o->text[i].eh_frame = frames;
    for (unsigned i = 0; headers && i < count; i++)
        if (headers[i].p_type == PT_NOTE)
            take_build_id(o, (const uint8_t *)(map->l_addr + headers[i].p_vaddr),
                          headers[i].p_memsz);
    return o->segments > 0 && !is_libc(o);
}

/* The shim, ld.so and the kernel's page. */
static bool is_own(const struct link_map *map)
{
    uintptr_t vdso = loaded_auxv(init_environment(), AT_SYSINFO_EHDR);
    uintptr_t loader = loaded_auxv(init_environment(), AT_BASE);
    return map->l_ld == _DYNAMIC ||
           (!is_program(map) && (map->l_addr == vdso || map->l_addr == loader));
}

static unsigned look_through(const struct object *o, struct detrun_window windows[WINDOWS])
{
    static struct instruction_window found[WINDOWS];
    unsigned count = 0;
    for (unsigned s = 0; s < o->segments; s++) {
        const struct instruction_text *text = &o->text[s];
        if (text->size > SMALL)
            raw3(SYS_madvise, (long)((uintptr_t)text->start & ~(PAGE - 1)), (long)text->size,
                 POPULATE_READ);
        unsigned n = instructions_find(text, found, WINDOWS - count);
        for (unsigned i = 0; i < n; i++)
            windows[count++] = (struct detrun_window){.start = found[i].start,
                                                      .pad = found[i].pad,
                                                      .length = found[i].length,
                                                      .site = found[i].site,
                                                      .segment = (uint16_t)s};
    }
    return count;
}

static void *map(uintptr_t address, size_t size, long flags)
{
    long page = raw6(SYS_mmap, (long)address, (long)size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return page > 0 ? (void *)page : NULL;
}

/* Stubs must lie within 2 GiB of the code that they stand for: libraries lie where the kernel puts
 * things, the program far from there, with room below it. */
static void *map_near(uintptr_t lowest, size_t size)
{
    void *page = map(0, size, 0);
    uintptr_t address = (lowest & ~(PAGE - 1)) - size;
    for (unsigned step = 0; step <= STEPS && address > STEP; step++, address -= STEP) {
        if (page && (uintptr_t)page - lowest + NEAR < 2 * NEAR)
            return page;
        if (page) /* a kernel before 4.17 takes no notice of the flag */
            raw3(SYS_munmap, (long)page, (long)size, 0);
        page = map(address, size, MAP_FIXED_NOREPLACE);
    }
    return NULL;
}

static void rewrite(const struct object *o, const struct detrun_window *windows, unsigned count)
{
    static struct patch patches[2 * WINDOWS];
    size_t n = 0;
    size_t size = (sizeof(struct stubs_head) + count * STUBS_SIZE_MAX + PAGE - 1) & ~(PAGE - 1);
    struct stubs_head *head = map_near(o->lowest, size);
    if (!head)
        return;
    uint8_t *stub = (uint8_t *)(head + 1);
    stubs_begin(head);
    for (unsigned i = 0; i < count; i++) {
        const struct detrun_window *d = &windows[i];
        struct instruction_window w = {d->start, d->pad, d->length, d->site};
        const uint8_t *text = o->text[d->segment].start;
        size_t length = stubs_write(stub, head, text + w.start, &w);
        if (length == 0)
            continue;
        n += stubs_lead(text, &w, stub, patches + n);
        stub += length;
    }
    raw3(SYS_mprotect, (long)head, (long)size, PROT_READ | PROT_EXEC);
    patch_write(patches, n);
}

/* What ld.so has yet to write addresses into cannot be moved. */
static bool is_position_independent(const struct link_map *map)
{
    const ElfW(Dyn) *entry = map->l_ld;
    for (; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_TEXTREL ||
            (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)))
            return false;
    return true;
}

static bool is_wanted(void)
{
    return task_self() && !shim.sandboxed &&
           !(task_leaves_real(DETRUN_TSC) && task_leaves_real(DETRUN_RDRAND));
}

/* Which file it is, and which state of it, says what a build id would. */
static uint64_t key_of_file(const struct object *o, const struct link_map *map)
{
    struct stat st;
    const char *path = is_program(map) ? "/proc/self/exe" : map->l_name;
    if (raw3(SYS_stat, (long)path, (long)&st, 0) != 0)
        return 0;
    uint64_t words[] = {st.st_dev, st.st_ino, (uint64_t)st.st_size, (uint64_t)st.st_ctim.tv_sec,
                        (uint64_t)st.st_ctim.tv_nsec};
    return searched_key((const uint8_t *)words, sizeof(words), o->size);
}

/* A large one of which nothing tells whether it has been looked through before never is. */
static unsigned search(const struct object *o, uint64_t key, struct detrun_window *windows)
{
    if (key == 0 && o->size > UNKNOWN_MAX)
        return 0;
    unsigned count = look_through(o, windows);
    if (key != 0)
        searched_keep(shim.memory, key, windows, count);
    return count;
}

static void take_over(const struct object *o, const struct link_map *map, bool keep)
{
    static struct detrun_window found[WINDOWS];
    const struct detrun_window *windows = found;
    unsigned count;
    uint64_t key = 0;
    if (keep && task_self())
        key = o->key ? o->key : key_of_file(o, map);
    if (key == 0 || !searched_find(shim.memory, key, &windows, &count)) {
        windows = found;
        count = search(o, key, found);
    }
    if (count > 0 && is_wanted() && is_position_independent(map))
        rewrite(o, windows, count);
}

static bool is_known(const struct link_map *map)
{
    for (unsigned i = 0; i < known_count; i++)
        if (known[i] == map)
            return true;
    return false;
}

static uint64_t size_of_all(void)
{
    struct object object;
    uint64_t size = 0;
    for (const struct link_map *map = loaded_objects(init_environment()); map; map = map->l_next)
        if (!is_own(map) && open_object(&object, map))
            size += object.size;
    return size;
}

static void take_over_all(bool keep)
{
    struct object object;
    for (const struct link_map *map = loaded_objects(init_environment()); map; map = map->l_next)
        if (!is_own(map) && !is_known(map) && open_object(&object, map))
            take_over(&object, map, keep);
}

/* To attach to the job memory takes longer than to look through little code. */
void processor_at_start(void)
{
    take_over_all(size_of_all() > SMALL);
}

/* Whatever goes away may be followed by something else at its place. */
void processor_loaded(void)
{
    if (_r_debug.r_state == RT_DELETE)
        known_count = 0;
    if (_r_debug.r_state != RT_CONSISTENT)
        return;
    take_over_all(true);
    known_count = 0;
    for (const struct link_map *map = loaded_objects(init_environment()); map; map = map->l_next)
        if (known_count < KNOWN)
            known[known_count++] = map;
}

/* ld.so's hook does nothing: ret, after an endbr64 perhaps, and padding. */
static bool is_empty_function(const uint8_t *code)
{
    static const uint8_t landing[5] = {0xf3, 0x0f, 0x1e, 0xfa, 0xc3};
    return memcmp(code, landing, sizeof(landing)) == 0 ||
           (code[0] == 0xc3 && (uintptr_t)code % 16 == 0 &&
            (code[1] == 0x66 || code[1] == 0x0f || code[1] == 0x90));
}

static void watch_loader(void)
{
    static uint32_t done;
    if (!&_r_debug || !_r_debug.r_brk || !shim.on || shim.sandboxed ||
        __atomic_exchange_n(&done, 1, __ATOMIC_ACQ_REL))
        return;
    const uint8_t *hook = (const uint8_t *)_r_debug.r_brk;
    int64_t distance = (int64_t)((uintptr_t)processor_loaded - ((uintptr_t)hook + 5));
    int32_t brief = (int32_t)distance;
    if (brief != distance || !is_empty_function(hook))
        return;
    struct patch patch = {.address = (uintptr_t)hook, .bytes = {0xe9}, .length = 5};
    memcpy(patch.bytes + 1, &brief, sizeof(brief));
    patch_write(&patch, 1);
}

uintptr_t processor_before_dlopen(void)
{
    watch_loader();
    return real_find(REAL_LIBC_dlopen);
}

uintptr_t processor_before_dlmopen(void)
{
    watch_loader();
    return real_find(REAL_LIBC_dlmopen);
}
