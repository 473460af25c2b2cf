/* SPDX-License-Identifier: MIT */
#include "sites.h"

#include <string.h>
#include <sys/mman.h>

#include "call_files.h"
#include "calls.h"
#include "owned.h"
#include "patch.h"
#include "poison.h"
#include "raw.h"
#include "real.h"
#include "task.h"

#define MOV_EAX     0xb8
#define SITE_LENGTH 7 /* mov $imm32,%eax; syscall */
#define STUB_LENGTH 12
#define MAX_SITES   192
#define PAGE        UINT64_C(4096)

/** Written by arch_x86_64.S from the table. */
struct sites_row {
    int32_t number;
    int32_t entry; /**< relative to this field */
};
extern const struct sites_row sites_rows[] __attribute__((visibility("hidden")));

long (*sites_original_read)(int fd, void *buf, size_t len);

static void count(enum detrun_source source)
{
    if (source < DETRUN_TASK_SOURCES && task_current)
        owned_count(&task_current->answered[source][DETRUN_DOOR_SITE]);
}

#define ENTER(name, n, args, source)                                                               \
    long enter_##name(MAP(n, DECLARE, args));                                                      \
    long enter_##name(MAP(n, DECLARE, args))                                                       \
    {                                                                                              \
        count(DETRUN_##source);                                                                    \
        return call_##name(MAP(n, PASS_NAME, args));                                               \
    }
/* The assembler picks the rows with a SITE; the linker drops what nobody names. */
#define CALL(name, ret, n, args, doors, source, ...)        ENTER(name, n, args, source)
#define CALL_KERNEL(name, ret, n, args, doors, source, ...) ENTER(name, n, args, source)
#include "detrun/calls.def"

static const struct sites_row *row_of(const uint8_t *code)
{
    uint32_t number;
    memcpy(&number, code + 1, sizeof(number));
    for (const struct sites_row *row = sites_rows; row->entry != 0; row++)
        if ((uint32_t)row->number == number)
            return row;
    return NULL;
}

static bool is_site(const uint8_t *code)
{
    return code[0] == MOV_EAX && code[5] == 0x0f && code[6] == 0x05;
}

/* One bit for each of sixteen bytes that may begin a site. */
static unsigned candidates(const uint8_t *code)
{
    typedef char bytes __attribute__((vector_size(16)));
    bytes here;
    memcpy(&here, code, sizeof(here));
    return (unsigned)__builtin_ia32_pmovmskb128((bytes)(here == (char)MOV_EAX));
}

static size_t find_sites(const uint8_t *start, const uint8_t *end, const uint8_t **sites)
{
    size_t n = 0;
    for (const uint8_t *code = start; code + 16 + SITE_LENGTH <= end; code += 16)
        for (unsigned bits = candidates(code); bits && n < MAX_SITES; bits &= bits - 1) {
            const uint8_t *site = code + __builtin_ctz(bits);
            if (is_site(site) && row_of(site))
                sites[n++] = site;
        }
    return n;
}

static bool reaches(uintptr_t from, uintptr_t to)
{
    int64_t distance = (int64_t)(to - from);
    return distance == (int32_t)distance;
}

static void put_distance(uint8_t *at, uintptr_t to)
{
    int32_t distance = (int32_t)(to - ((uintptr_t)at + 4));
    memcpy(at, &distance, sizeof(distance));
}

/* lea behind(%rip),%rcx; jmp entry */
static void write_stub(uint8_t *stub, const uint8_t *site)
{
    const struct sites_row *row = row_of(site);
    static const uint8_t load[3] = {0x48, 0x8d, 0x0d};
    memcpy(stub, load, sizeof(load));
    put_distance(stub + 3, (uintptr_t)site + SITE_LENGTH);
    stub[7] = 0xe9;
    put_distance(stub + 8, (uintptr_t)&row->entry + (uintptr_t)(intptr_t)row->entry);
}

static struct patch jump(uintptr_t from, uintptr_t to)
{
    struct patch patch = {.address = from, .bytes = {0xe9}, .length = 5};
    int32_t distance = (int32_t)(to - (from + 5));
    memcpy(patch.bytes + 1, &distance, sizeof(distance));
    return patch;
}

/* Memory for stubs, within reach of libc and of the shim. */
static uint8_t *map_stubs(uintptr_t near, size_t size)
{
    long page = raw6(SYS_mmap, (long)(near & ~(PAGE - 1)), (long)size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool usable = page > 0 && reaches((uintptr_t)page, near) &&
                  reaches((uintptr_t)page, (uintptr_t)sites_rows);
    return usable ? (uint8_t *)page : NULL;
}

static void patch_sites(const uint8_t *const *sites, size_t n)
{
    static struct patch patches[MAX_SITES];
    size_t size = (n * STUB_LENGTH + PAGE - 1) & ~(PAGE - 1);
    uint8_t *stubs = n ? map_stubs((uintptr_t)sites[0], size) : NULL;
    if (!stubs)
        return;
    for (size_t i = 0; i < n; i++) {
        write_stub(stubs + i * STUB_LENGTH, sites[i]);
        patches[i] = jump((uintptr_t)sites[i], (uintptr_t)stubs + i * STUB_LENGTH);
    }
    raw3(SYS_mprotect, (long)stubs, (long)size, PROT_READ | PROT_EXEC);
    patch_write(patches, n);
}

static bool once(uint32_t *done)
{
    return !__atomic_load_n(done, __ATOMIC_RELAXED) &&
           !__atomic_exchange_n(done, 1, __ATOMIC_ACQ_REL);
}

void sites_arm(void)
{
    static uint32_t done;
    struct detrun_task *t = task_self();
    if (!t || !shim.glibc || shim.sandboxed || !once(&done))
        return;
    const struct detrun_task *process = lineage_process(shim.memory, t);
    const uint8_t *sites[MAX_SITES];
    patch_sites(sites, find_sites((const uint8_t *)process->libc_start,
                                  (const uint8_t *)process->libc_end, sites));
}

/* First instructions of read that may be moved: cmpb $0,flag(%rip) and mov %fs:0x18,%eax, glibc's
 * two ways to ask whether there is one thread; before it, perhaps, endbr64. */
static size_t movable_length(const uint8_t *code)
{
    static const uint8_t compare[2] = {0x80, 0x3d};
    static const uint8_t load[8] = {0x64, 0x8b, 0x04, 0x25, 0x18, 0, 0, 0};
    if (memcmp(code, compare, sizeof(compare)) == 0)
        return 7;
    return memcmp(code, load, sizeof(load)) == 0 ? sizeof(load) : 0;
}

static size_t landing_length(const uint8_t *code)
{
    static const uint8_t endbr64[4] = {0xf3, 0x0f, 0x1e, 0xfa};
    return memcmp(code, endbr64, sizeof(endbr64)) == 0 ? sizeof(endbr64) : 0;
}

/* The moved instruction, then a jump to what follows it. */
static void write_moved(uint8_t *stub, const uint8_t *code, size_t length)
{
    memcpy(stub, code, length);
    if (code[0] == 0x80) {
        int32_t distance;
        memcpy(&distance, code + 2, sizeof(distance));
        distance += (int32_t)(code - stub);
        memcpy(stub + 2, &distance, sizeof(distance));
    }
    stub[length] = 0xe9;
    put_distance(stub + length + 1, (uintptr_t)code + length);
}

static void take_entry(const uint8_t *function)
{
    const uint8_t *code = function + landing_length(function);
    size_t length = movable_length(code);
    uint8_t *stub = length ? map_stubs((uintptr_t)code, PAGE) : NULL;
    if (!stub)
        return;
    write_moved(stub, code, length);
    raw3(SYS_mprotect, (long)stub, (long)PAGE, PROT_READ | PROT_EXEC);
    sites_original_read = (long (*)(int, void *, size_t))(uintptr_t)stub;
    struct patch patch = jump((uintptr_t)code, (uintptr_t)files_entry_read);
    patch_write(&patch, 1);
}

void sites_arm_entries(void)
{
    static uint32_t done;
    struct detrun_task *t = task_self();
    if (!t || !shim.glibc || shim.sandboxed || !once(&done))
        return;
    const struct detrun_task *process = lineage_process(shim.memory, t);
    uintptr_t function = (uintptr_t)REAL_LIBC(read);
    if (function >= process->libc_start && function < process->libc_end)
        take_entry((const uint8_t *)function);
}
