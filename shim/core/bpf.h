/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What a seccomp program says to a call. Arithmetic alone.
 */
#ifndef DETRUN_CORE_BPF_H
#define DETRUN_CORE_BPF_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

/**
 * @return a SECCOMP_RET_ value; KILL_PROCESS for a program that the kernel would not load
 * Context: any.
 */
uint32_t bpf_run(const struct sock_filter *code, size_t n, const struct seccomp_data *data);

#endif
