/* SPDX-License-Identifier: MIT */
/**
 * @file
 * rdtsc, rdtscp, rdrand and rdseed of the program and its libraries: where core/instructions.h
 * finds them they become jumps to stubs that ask call_processor.c. libc, ld.so and static programs
 * keep theirs. What an object's text was found to hold is kept in the job memory by its build id.
 */
#ifndef DETRUN_SHIM_PROCESSOR_H
#define DETRUN_SHIM_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

/** Rewrite what ld.so has loaded with the program, while there is one thread. */
void processor_at_start(void);

/** Called by ld.so, in place of its hook for debuggers, when it has loaded more (link.h). */
void processor_loaded(void);

/** dlopen(3) begins: see to it that ld.so calls processor_loaded(). @return the real function */
uintptr_t processor_before_dlopen(void);
uintptr_t processor_before_dlmopen(void);

/** The answers, call_processor.c. The counter is the monotonic clock's ns. */
uint64_t processor_counter(void);
/** width: 2, 4 or 8 bytes of *value are set; with 4 the upper ones become 0, as in a register. */
void processor_random(unsigned width, uint64_t *value);

/** Entries for stubs, arch_processor.S; their places in the table at the head of the stubs. */
enum processor_entry {
    PROCESSOR_RDTSC,
    PROCESSOR_RDTSCP,
    PROCESSOR_RANDOM16,
    PROCESSOR_RANDOM32,
    PROCESSOR_RANDOM64,
    PROCESSOR_ENTRIES
};
void processor_enter_rdtsc(void);
void processor_enter_rdtscp(void);
void processor_enter_random16(void);
void processor_enter_random32(void);
void processor_enter_random64(void);

#endif
