/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Reading loaded ELF images in place: symbols of a dynamic section, the chain of loaded objects,
 * the auxiliary vector. No system call.
 */
#ifndef DETRUN_SHIM_LOADED_H
#define DETRUN_SHIM_LOADED_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/** The tables of one loaded object. */
struct loaded {
    uintptr_t bias; /**< what is added to an address in the file */
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu_hash;
    const uint32_t *sysv_hash;
    const ElfW(Half) * versions; /**< NULL: none */
};

/**
 * @param dynamic  its dynamic section as loaded
 * @param absolute pointers in it are addresses already (glibc relocates them, the vDSO does not)
 */
bool loaded_open(struct loaded *object, uintptr_t bias, const ElfW(Dyn) * dynamic);

/** @return the address of a defined function of the default version, else of a hidden one, or 0. */
uintptr_t loaded_symbol(const struct loaded *object, const char *name);

/** The object that starts at an ELF header in memory (the vDSO). */
bool loaded_open_image(struct loaded *object, uintptr_t header);

/** Range of the executable segment of the image that starts at an ELF header in memory. */
bool loaded_text(uintptr_t header, uintptr_t *start, uintptr_t *end);

/** @return the value of an auxiliary vector entry, 0 when it is missing. envp: as at start. */
unsigned long loaded_auxv(char *const *envp, unsigned long type);

/** The first of the loaded objects, by the program's DT_DEBUG; NULL when there is none. */
const struct link_map *loaded_objects(char *const *envp);

#endif
