/* SPDX-License-Identifier: MIT */
#include "sites.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "call_files.h"
#include "calls.h"
#include "owned.h"
#include "patch.h"
#include "poison.h"
#include "raw.h"
#include "real.h"
#include "task.h"
#include "tracing.h"

#define MOV_EAX         0xb8
#define MOV_LENGTH      5
#define SITE_LENGTH     7  /* mov $imm32,%eax; syscall */
#define MAX_BETWEEN     16 /* of other instructions between the two */
#define STUB_LENGTH     12
#define JUMP_LENGTH     5
#define MAX_SITES       192
#define PAGE            UINT64_C(4096)
/* Bytes of a function of one call in which that stands. */
#define FUNCTION_LENGTH 48

/** Written by arch_x86_64.S from the table. */
struct sites_row {
    int32_t number;
    int32_t entry; /**< relative to this field */
    int32_t late;
};
extern const struct sites_row sites_rows[] __attribute__((visibility("hidden")));

long (*sites_original_read)(int fd, void *buf, size_t len);
long (*sites_original_write)(int fd, const void *buf, size_t len);
long (*sites_original_writev)(int fd, const struct iovec *parts, int n);

static void count(enum detrun_source source)
{
    if (source < DETRUN_TASK_SOURCES && task_current)
        owned_count(&task_current->answered[source][DETRUN_DOOR_SITE]);
}

#define ENTER(name, n, args, doors, source)                                                        \
    long enter_##name(MAP(n, DECLARE, args));                                                      \
    long enter_##name(MAP(n, DECLARE, args))                                                       \
    {                                                                                              \
        if (!((doors)&SELF_COUNTED))                                                               \
            count(DETRUN_##source);                                                                \
        long result = call_##name(MAP(n, PASS_NAME, args));                                        \
        if (TRACING_BY_DOOR(doors, source))                                                        \
            tracing_call(TRACE_CALL_##name, DETRUN_##source, DETRUN_DOOR_SITE, result);            \
        return result;                                                                             \
    }
/* The assembler picks the rows with a SITE; the linker drops what nobody names. */
#define CALL(name, ret, n, args, doors, source, ...)        ENTER(name, n, args, doors, source)
#define CALL_KERNEL(name, ret, n, args, doors, source, ...) ENTER(name, n, args, doors, source)
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

static bool is_syscall(const uint8_t *code)
{
    return code[0] == 0x0f && code[1] == 0x05;
}

/* cmovcc of two registers, not to %eax; op is behind a prefix of which `reg` extends the target. */
static bool is_conditional_move(const uint8_t *op, bool reg)
{
    return op[0] == 0x0f && (op[1] & 0xf0) == 0x40 && op[2] >= 0xc0 && ((op[2] & 0x38) != 0 || reg);
}

/* An instruction that sets no more than flags or a register other than %eax from others or a
 * constant, wherever it stands: mov, xor and cmp of two registers, cmovcc, mov $imm32. @return its
 * length, 0: it is none of these */
static size_t register_only(const uint8_t *code)
{
    size_t prefix = (code[0] & 0xf0) == 0x40;
    bool extended = prefix && (code[0] & 1);
    bool wide = prefix && (code[0] & 8);
    const uint8_t *op = code + prefix;
    if (op[0] == 0x39 && op[1] >= 0xc0)
        return prefix + 2;
    if (is_conditional_move(op, prefix && (code[0] & 4)))
        return prefix + 3;
    if ((op[0] == 0x89 || op[0] == 0x31) && op[1] >= 0xc0 && ((op[1] & 7) != 0 || extended))
        return prefix + 2;
    return op[0] > MOV_EAX && op[0] <= MOV_EAX + 7 && !wide ? prefix + 5 : 0;
}

/* Bytes between the mov and the syscall, or more than MAX_BETWEEN: this is not a site. */
static size_t length_between(const uint8_t *code)
{
    size_t n = 0;
    for (size_t next = 1; next > 0 && n <= MAX_BETWEEN; n += next) {
        if (is_syscall(code + MOV_LENGTH + n))
            return n;
        next = register_only(code + MOV_LENGTH + n);
    }
    return MAX_BETWEEN + 1;
}

/* Only LATE rows are worth the search for the less usual form. */
static bool is_site(const uint8_t *code, bool late)
{
    const struct sites_row *row =
        length_between(code) <= (late ? MAX_BETWEEN : 0) ? row_of(code) : NULL;
    return row && (row->late != 0) == late;
}

/* One bit for each of sixteen bytes that may begin a site. */
static unsigned candidates(const uint8_t *code)
{
    typedef char bytes __attribute__((vector_size(16)));
    bytes here;
    memcpy(&here, code, sizeof(here));
    return (unsigned)__builtin_ia32_pmovmskb128((bytes)(here == (char)MOV_EAX));
}

static size_t find_sites(const uint8_t *start, const uint8_t *end, bool late, const uint8_t **sites)
{
    size_t n = 0;
    for (const uint8_t *code = start; code + 16 + SITE_LENGTH + 2 * MAX_BETWEEN <= end; code += 16)
        for (unsigned bits = candidates(code); bits && n < MAX_SITES; bits &= bits - 1) {
            const uint8_t *site = code + __builtin_ctz(bits);
            if (is_site(site, late))
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

/* What stands between; lea behind(%rip),%rcx; jmp entry. @return the stub's length */
static size_t write_stub(uint8_t *stub, const uint8_t *site)
{
    const struct sites_row *row = row_of(site);
    static const uint8_t load[3] = {0x48, 0x8d, 0x0d};
    size_t between = length_between(site);
    memcpy(stub, site + MOV_LENGTH, between);
    stub += between;
    memcpy(stub, load, sizeof(load));
    put_distance(stub + 3, (uintptr_t)site + SITE_LENGTH + between);
    stub[7] = 0xe9;
    put_distance(stub + 8, (uintptr_t)&row->entry + (uintptr_t)(intptr_t)row->entry);
    return between + STUB_LENGTH;
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

static void patch_sites(const uint8_t *const *sites, size_t n, struct patch *patches)
{
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += length_between(sites[i]) + STUB_LENGTH;
    size = (size + PAGE - 1) & ~(PAGE - 1);
    uint8_t *stubs = n ? map_stubs((uintptr_t)sites[0], size) : NULL;
    if (!stubs)
        return;
    uint8_t *stub = stubs;
    for (size_t i = 0; i < n; i++) {
        patches[i] = jump((uintptr_t)sites[i], (uintptr_t)stub);
        stub += write_stub(stub, sites[i]);
    }
    raw3(SYS_mprotect, (long)stubs, (long)size, PROT_READ | PROT_EXEC);
    patch_write(patches, n);
}

static bool once(uint32_t *done)
{
    return !__atomic_load_n(done, __ATOMIC_RELAXED) &&
           !__atomic_exchange_n(done, 1, __ATOMIC_ACQ_REL);
}

static void arm(bool late)
{
    static uint32_t done[2];
    static struct patch patches[2][MAX_SITES];
    struct detrun_task *t = task_self();
    if (!t || !shim.glibc || shim.sandboxed || !once(&done[late]))
        return;
    const struct detrun_task *process = lineage_process(shim.memory, t);
    const uint8_t *sites[MAX_SITES];
    size_t n = find_sites((const uint8_t *)process->libc_start, (const uint8_t *)process->libc_end,
                          late, sites);
    patch_sites(sites, n, patches[late]);
}

void sites_arm(void)
{
    arm(false);
}

void sites_arm_late(void)
{
    arm(true);
}

/* The LATE site of one call, in one of libc's functions. */
static void arm_function(uintptr_t function, long number, struct patch *patch)
{
    struct detrun_task *t = task_self();
    if (!t || !shim.glibc || shim.sandboxed)
        return;
    const struct detrun_task *process = lineage_process(shim.memory, t);
    if (function < process->libc_start || function + FUNCTION_LENGTH > process->libc_end) {
        sites_arm_late();
        return;
    }
    const uint8_t *code = (const uint8_t *)function;
    for (const uint8_t *end = code + FUNCTION_LENGTH; code < end && !is_site(code, true);)
        code++;
    if (is_site(code, true) && row_of(code)->number == number)
        patch_sites(&code, 1, patch);
}

void sites_arm_listing(void)
{
    static uint32_t done;
    static struct patch patch;
    if (task_self() && once(&done))
        arm_function((uintptr_t)REAL_LIBC(getdents64), SYS_getdents64, &patch);
}

void sites_arm_walk(void)
{
    static uint32_t done;
    static struct patch patch;
    if (task_self() && once(&done))
        arm_function((uintptr_t)REAL_LIBC(fstatat), SYS_newfstatat, &patch);
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

static bool is_of_libc(uintptr_t function)
{
    const struct detrun_task *process = lineage_process(shim.memory, task_current);
    return function >= process->libc_start && function < process->libc_end;
}

/* What was there goes into `original` before anybody can come by. The stub may be executed already.
 */
static void jump_from(uintptr_t function, uintptr_t entry, const uint8_t *stub, uintptr_t *original)
{
    uintptr_t code = function + landing_length((const uint8_t *)function);
    __atomic_store_n(original, (uintptr_t)stub, __ATOMIC_RELEASE);
    struct patch patch = jump(code, entry);
    patch_write(&patch, 1);
}

/* @return the length of the stub, 0: this function's beginning is not known */
static size_t write_entry_stub(uint8_t *stub, uintptr_t function)
{
    const uint8_t *code = (const uint8_t *)function + landing_length((const uint8_t *)function);
    size_t length =
        is_of_libc(function) && reaches((uintptr_t)stub, function) ? movable_length(code) : 0;
    if (length > 0)
        write_moved(stub, code, length);
    return length > 0 ? length + JUMP_LENGTH : 0;
}

static bool may_arm(uint32_t *done)
{
    return task_self() && shim.glibc && !shim.sandboxed && once(done);
}

void sites_arm_entries(void)
{
    static uint32_t done;
    if (!may_arm(&done))
        return;
    uintptr_t function = (uintptr_t)REAL_LIBC(read);
    uint8_t *stub = is_of_libc(function) ? map_stubs(function, PAGE) : NULL;
    size_t length = stub ? write_entry_stub(stub, function) : 0;
    if (stub)
        raw3(SYS_mprotect, (long)stub, (long)PAGE, PROT_READ | PROT_EXEC);
    if (length > 0)
        jump_from(function, (uintptr_t)files_entry_read, stub, (uintptr_t *)&sites_original_read);
}

/* In a page of our own: one that is mapped would move what the program maps, and a trace must not
 * show in its addresses. An aligned array would align the section, whose first page lies behind the
 * data then, where each start writes. */
void sites_arm_writes(void)
{
    static uint8_t room[2 * PAGE];
    static uint32_t done;
    if (!may_arm(&done))
        return;
    uint8_t *stubs = room + (-(uintptr_t)room & (PAGE - 1));
    uintptr_t write = (uintptr_t)REAL(write);
    uintptr_t writev = (uintptr_t)REAL_LIBC(writev);
    uint8_t *second = stubs + PAGE / 2;
    size_t length = write_entry_stub(stubs, write);
    size_t second_length = write_entry_stub(second, writev);
    if (raw3(SYS_mprotect, (long)stubs, (long)PAGE, PROT_READ | PROT_EXEC) != 0)
        return;
    if (length > 0)
        jump_from(write, (uintptr_t)tracing_entry_write, stubs, (uintptr_t *)&sites_original_write);
    if (second_length > 0)
        jump_from(writev, (uintptr_t)tracing_entry_writev, second,
                  (uintptr_t *)&sites_original_writev);
}
