/* SPDX-License-Identifier: MIT */
#include "init.h"

#include <elf.h>
#include <string.h>

#include "attach.h"
#include "call_files.h"
#include "environment.h"
#include "loaded.h"
#include "poison.h"
#include "processor.h"
#include "raw.h"
#include "settings.h"
#include "task.h"
#include "vdso.h"

extern char **environ __attribute__((weak));
extern int *__errno_location(void) __attribute__((weak));
extern const char *gnu_get_libc_version(void) __attribute__((weak));
extern void *__libc_stack_end __attribute__((weak)); /* of ld.so: where the kernel put argc */

/* Each page written at start costs an exec 1 %: what start() writes lies on the first one, with the
 * tables that ld.so relocates, and that one begins with the section of start()'s own entry. */
#define ON_FIRST_PAGE __attribute__((section(".data")))

static char *const *environment_at_start ON_FIRST_PAGE;

char *const *init_environment(void)
{
    return environment_at_start;
}

static bool equals_ignoring_case(const char *text, const char *word)
{
    while (*word && (*text | 0x20) == *word)
        text++, word++;
    return *text == '\0' && *word == '\0';
}

/* NULL and unknown words mean off. */
static bool is_on(const char *value)
{
    static const char *const words[] = {"true", "yes", "on"};
    if (!value)
        return false;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (equals_ignoring_case(value, words[i]))
            return true;
    return value[0] == '1' && value[1] == '\0';
}

static bool is_go_note(const char *note, size_t size)
{
    const ElfW(Nhdr) *header = (const ElfW(Nhdr) *)(const void *)note;
    return size >= sizeof(*header) + 4 && header->n_type == 4 && header->n_namesz == 4 &&
           memcmp(header + 1, "Go\0", 4) == 0;
}

/* Goroutines move between threads, and a program without libc has its own thread pointer. */
static bool needs_supervisor(void)
{
    const ElfW(Phdr) *segments = (const ElfW(Phdr) *)loaded_auxv(environment_at_start, AT_PHDR);
    unsigned long n = loaded_auxv(environment_at_start, AT_PHNUM);
    uintptr_t bias = 0;
    for (unsigned long i = 0; segments && i < n; i++) {
        if (segments[i].p_type == PT_PHDR)
            bias = (uintptr_t)segments - segments[i].p_vaddr;
        if (segments[i].p_type == PT_NOTE &&
            is_go_note((const char *)(bias + segments[i].p_vaddr), segments[i].p_memsz))
            return true;
    }
    return !__errno_location;
}

static bool is_wanted(void)
{
    const char *value = environment_get(environment_at_start, DETRUN_ENV_DETERMINISTIC);
    if (is_on(value) && attach_has_seed())
        return true;
    return raw_private(DETRUN_OP_QUERY, 0, 0, 0) == DETRUN_ABI_VERSION;
}

/* Some seed themselves from an address of their heap and the time (Lua): with another job seed the
 * heap begins elsewhere, up to 64 KiB further on. */
static void shift_heap(void)
{
    uint8_t key[32];
    uint16_t shift;
    lineage_key(settings_seed(environment_at_start), key);
    memcpy(&shift, key, sizeof(shift));
    long heap = raw3(SYS_brk, 0, 0, 0);
    raw3(SYS_brk, heap + (shift & ~15), 0, 0);
}

/* See mark_traced() of the supervisor. */
static bool is_traced(void)
{
    const char *path = (const char *)loaded_auxv(environment_at_start, AT_EXECFN);
    return path && path[strlen(path) + 1] != 0;
}

static void begin(char *const *envp)
{
    shim.begun = true;
    environment_at_start = envp;
    if (!envp || !is_wanted())
        return;
    if (needs_supervisor() && raw_private(DETRUN_OP_DECLINE, 0, 0, 0) == 0)
        return;
    shim.on = true;
    shift_heap();
    vdso_take_over();
    files_at_start();
    if (environment_get(environment_at_start, DETRUN_ENV_CONTEXT) || is_traced())
        (void)task_self(); /* nobody else writes AT_RANDOM; and a trace begins with the program */
    processor_at_start();
}

void init_early(void)
{
    if (shim.begun || !&__libc_stack_end || !__libc_stack_end)
        return;
    shim.glibc = gnu_get_libc_version != NULL;
    const long *argc = __libc_stack_end;
    begin((char *const *)(argc + 1) + *argc + 1);
}

/* glibc hands the environment to constructors (and has not set environ yet, we come first); musl
 * hands nothing and has. */
static void start(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    if (shim.begun)
        return;
    shim.glibc = gnu_get_libc_version != NULL;
    begin(shim.glibc || !&environ ? envp : environ);
}

static void (*const constructor)(int, char **, char **)
    __attribute__((section(".init_array"), aligned(4096), used)) = start;
