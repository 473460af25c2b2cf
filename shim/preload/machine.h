/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The machine that a job sees.
 */
#ifndef DETRUN_SHIM_MACHINE_H
#define DETRUN_SHIM_MACHINE_H

#include "text.h"

/** @return its processors; 0: the kernel's answers */
unsigned machine_cpus(void);

/** getlogin(3) fails. */
bool host_hides_login(void);

/** sysconf(3) of processors, and of memory. @return 0: libc's answer */
long machine_configured(int name);
long machine_pages(int name);

/** Records of files of /proc, see procfs_text.c. */
void machine_tell_stat(struct text *t, const char *record, size_t n);
void machine_tell_cpuinfo(struct text *t, const char *record, size_t n);

/** A record of a task's status that tells where it may run. @return whether it is one */
bool machine_tell_allowed(struct text *t, const char *record, size_t n);

/** Room for a list of processors. */
#define MACHINE_LIST 256

/** "0-3,5\n". @return its length */
size_t machine_list(char text[MACHINE_LIST], uint64_t set);

#endif
