/* SPDX-License-Identifier: MIT */
#include "patch.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "poison.h"
#include "raw.h"

#define PAGE UINT64_C(4096)

/* Two bytes in one store: only a cache line's end can tear them. */
static void store_two(uintptr_t address, const uint8_t bytes[2])
{
    uint16_t word;
    memcpy(&word, bytes, sizeof(word));
    __asm__ volatile("movw %1, %0" : "=m"(*(uint16_t *)address) : "r"(word) : "memory");
}

/* Another thread may run there: eight aligned bytes at once where the patch allows, else a jump to
 * itself, jmp ., holds it up until the rest is written. */
static void store(const struct patch *patch)
{
    static const uint8_t hold[2] = {0xeb, 0xfe};
    uintptr_t aligned = patch->address & ~UINT64_C(7);
    size_t offset = patch->address - aligned;
    if (offset + patch->length <= 8) {
        uint64_t word;
        memcpy(&word, (const void *)aligned, sizeof(word));
        memcpy((uint8_t *)&word + offset, patch->bytes, patch->length);
        __atomic_store_n((uint64_t *)aligned, word, __ATOMIC_RELEASE);
    } else {
        store_two(patch->address, hold);
        memcpy((void *)(patch->address + 2), patch->bytes + 2, patch->length - 2);
        store_two(patch->address, patch->bytes);
    }
}

static bool write_through_proc(const struct patch *patches, size_t n)
{
    long fd = raw4(SYS_openat, AT_FDCWD, (long)"/proc/self/mem", O_RDWR | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    bool written = true;
    for (size_t i = 0; i < n; i++)
        written &= raw4(SYS_pwrite64, fd, (long)patches[i].bytes, (long)patches[i].length,
                        (long)patches[i].address) == (long)patches[i].length;
    raw3(SYS_close, fd, 0, 0);
    return written;
}

bool patch_write_within(uintptr_t start, uintptr_t end, const struct patch *patches, size_t n)
{
    start &= ~(PAGE - 1);
    end = (end + PAGE - 1) & ~(PAGE - 1);
    if (raw3(SYS_mprotect, (long)start, (long)(end - start), PROT_READ | PROT_WRITE | PROT_EXEC) !=
        0)
        return write_through_proc(patches, n);
    for (size_t i = 0; i < n; i++)
        store(&patches[i]);
    raw3(SYS_mprotect, (long)start, (long)(end - start), PROT_READ | PROT_EXEC);
    return true;
}

bool patch_write(const struct patch *patches, size_t n)
{
    uintptr_t start = UINTPTR_MAX;
    uintptr_t end = 0;
    for (size_t i = 0; i < n; i++) {
        uintptr_t first = patches[i].address;
        uintptr_t last = first + patches[i].length;
        start = first < start ? first : start;
        end = last > end ? last : end;
    }
    return n == 0 || patch_write_within(start, end, patches, n);
}
