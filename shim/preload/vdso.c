/* SPDX-License-Identifier: MIT */
#include "vdso.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "calls.h"
#include "init.h"
#include "loaded.h"
#include "owned.h"
#include "patch.h"
#include "poison.h"
#include "task.h"

static void count(enum detrun_source source)
{
    if (task_current)
        owned_count(&task_current->answered[source][DETRUN_DOOR_VDSO]);
}

static long enter_gettimeofday(struct timeval *tv, void *zone)
{
    count(DETRUN_WALL);
    return call_gettimeofday(tv, zone);
}

static long enter_time(time_t *out)
{
    count(DETRUN_WALL);
    return call_time(out);
}

/* Its state is opaque memory of the caller's; ENOSYS sends the caller to the system call. */
static long enter_getrandom(void)
{
    return -ENOSYS;
}

struct function {
    const char *name;
    void (*enter)(void);
};

#define FUNCTION(name, enter)                                                                      \
    {                                                                                              \
        "__vdso_" #name, (void (*)(void))(enter)                                                   \
    }

/* movabs $address,%rax; jmp *%rax */
static void jump_to(struct patch *patch, uintptr_t from, uintptr_t to)
{
    static const uint8_t code[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};
    memcpy(patch->bytes, code, sizeof(code));
    memcpy(patch->bytes + 2, &to, sizeof(to));
    patch->address = from;
    patch->length = sizeof(code);
}

void vdso_take_over(void)
{
    static const struct function functions[] = {FUNCTION(clock_gettime, vdso_clock_gettime),
                                                FUNCTION(gettimeofday, enter_gettimeofday),
                                                FUNCTION(time, enter_time),
                                                FUNCTION(clock_getres, call_clock_getres),
                                                FUNCTION(getrandom, enter_getrandom),
                                                FUNCTION(getcpu, call_getcpu)};
    struct patch patches[sizeof(functions) / sizeof(functions[0])];
    size_t n = 0;
    struct loaded vdso;
    uintptr_t start;
    uintptr_t end;
    uintptr_t header = loaded_auxv(init_environment(), AT_SYSINFO_EHDR);
    if (!header || !loaded_open_image(&vdso, header) || !loaded_text(header, &start, &end))
        return;
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        uintptr_t address = loaded_symbol(&vdso, functions[i].name);
        if (address)
            jump_to(&patches[n++], address, (uintptr_t)functions[i].enter);
    }
    shim.vdso_refused = !patch_write_within(start, end, patches, n);
}
