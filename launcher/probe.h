/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What this machine allows, found out by doing it: a version says little in a container, and some
 * calls return success without effect. Each probe runs in a child of its own, which a refused call
 * may kill.
 */
#ifndef DETRUN_LAUNCHER_PROBE_H
#define DETRUN_LAUNCHER_PROBE_H

#include <stdbool.h>
#include <stdint.h>

enum probe_state {
    PROBE_OK,
    PROBE_NOTE,    /**< worth knowing; detrun has another way, or promises nothing there */
    PROBE_MISSING, /**< detrun does less without it */
    PROBE_UNKNOWN, /**< could not be tried */
};

struct probe_result {
    enum probe_state state;
    char detail[256];
};

/** Runs in a child; fills the result in with probe_say(). */
typedef void probe_function(struct probe_result *result);

void probe_run(probe_function *probe, struct probe_result *result);

void probe_say(struct probe_result *result, enum probe_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** fork for a probe's own child, which ends with it. @return as fork */
int probe_fork(void);

/** Wait for such a child. @return its exit status, or 128 + the signal it died of */
int probe_wait(int pid);

/* probe_seccomp.c */
void probe_filter(struct probe_result *result);
void probe_listener(struct probe_result *result);
void probe_descriptor(struct probe_result *result);
void probe_wake_up(struct probe_result *result);
void probe_killable(struct probe_result *result);
void probe_privileges(struct probe_result *result);
void probe_round_trip(struct probe_result *result);

/* probe_memory.c */
void probe_child_memory(struct probe_result *result);
void probe_sibling_memory(struct probe_result *result);
void probe_sibling_call(struct probe_result *result);
void probe_job_memory(struct probe_result *result);
void probe_vdso(struct probe_result *result);
void probe_page_fault(struct probe_result *result);

/* probe_machine.c */
void probe_proc(struct probe_result *result);
void probe_library(struct probe_result *result);
void probe_addresses(struct probe_result *result);
void probe_tsc(struct probe_result *result);
void probe_cpuid(struct probe_result *result);
void probe_rings(struct probe_result *result);
void probe_foreign(struct probe_result *result);

/** The command that probe_addresses() runs: prints where things lie. */
int probe_print_addresses(void);

#endif
