/* SPDX-License-Identifier: MIT */
#include "coverage.h"

#include <stdio.h>

#include "record_reader.h"

const char *const coverage_sources[DETRUN_SOURCES] = {
#define X(id, name) name,
    DETRUN_SOURCE_NAMES
#undef X
};

const char *const coverage_doors[COVERAGE_DOORS] = {"symbol", "vdso", "site", "notify"};

const struct coverage_gap coverage_gaps[DETRUN_GAPS] = {
#define X(id, source, name) {name, DETRUN_##source},
    DETRUN_GAP_NAMES
#undef X
};

/* What to do; "" where the program saw a controlled answer all the same. */
static const char *const advice[DETRUN_GAPS] = {
    [DETRUN_GAP_NO_SHIM] = "a static program: not all is answered; link it dynamically",
    [DETRUN_GAP_DIRS_KERNEL] = "directories of the network or FUSE: their order is the kernel's",
    [DETRUN_GAP_STATIC_DEVICE] = "give --trap-open, so that its random devices are answered",
    [DETRUN_GAP_FOREIGN_ARCH] = "a 32-bit program or one for an emulator: build it for x86-64",
    [DETRUN_GAP_SETUID] = "a setuid program: run it as the user it becomes",
    [DETRUN_GAP_UNPRIVILEGED] = "a setuid program ran without its privileges: run detrun as root",
    [DETRUN_GAP_UNWRITABLE] = "a program file without read permission: give it that",
    [DETRUN_GAP_VDSO_REFUSED] = "detrun doctor says what this machine refuses",
    [DETRUN_GAP_AUXV_REFUSED] = "detrun doctor says what this machine refuses",
    [DETRUN_GAP_TABLE_FULL] = "more tasks at once than detrun knows: split the job",
    [DETRUN_GAP_UNATTRIBUTED] = "a process that detrun did not see start; report it",
    [DETRUN_GAP_PID_COLLISION] = "",
    [DETRUN_GAP_PID_UNTRANSLATED] = "a call by bare instruction with a process id: see limits.md",
    [DETRUN_GAP_THREAD_DB] = "a debugger saw the kernel's ids; its program did not",
    [DETRUN_GAP_PID_OUTSIDE] = "it looks at processes outside the job: start them inside",
    [DETRUN_GAP_MISMATCH] = "two versions of detrun: install one",
    [DETRUN_GAP_NO_MEMORY_MAP] = "no room for the job memory: raise ulimit -v",
    [DETRUN_GAP_GUEST_SILENT] = "the supervisor could not reach a process: detrun doctor",
    [DETRUN_GAP_SPIN_GUARD] = "",
    [DETRUN_GAP_SECCOMP_REFUSED] = "its own filter refused a call of detrun's",
    [DETRUN_GAP_URING_REFUSED] = "",
    [DETRUN_GAP_EARLY_TIMEOUT] = "it computed for long: others' time-outs ended in real time",
    [DETRUN_GAP_KERNEL_TIMEOUT] = "waits of traced or set-uid threads ended in real time",
    [DETRUN_GAP_CPU_TIMER] = "a timer on CPU time is the machine's: use one on real time",
    [DETRUN_GAP_REAL_TIMER] = "a timer was left to the kernel: detrun doctor (pidfd_getfd)",
    [DETRUN_GAP_NETWORK_REFUSED] = "",
    [DETRUN_GAP_SUPERVISOR_RESTARTED] = "",
};

const char *coverage_advice(size_t gap)
{
    return advice[gap] ? advice[gap] : "see limits.md";
}

json_t *coverage_read(int records, int *status)
{
    struct record_reader r;
    char error[512];
    char path[32];
    json_t *record;
    json_t *coverage = NULL;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", records);
    if (record_reader_open(&r, path, error, sizeof(error)) != 0)
        return NULL;
    while (record_reader_next(&r, &record, error, sizeof(error)) > 0) {
        if (status && record_is(record, "end"))
            *status = (int)record_number(record, "exit", 0);
        if (record_is(record, "coverage") && !coverage)
            coverage = json_incref(record);
        json_decref(record);
    }
    record_reader_close(&r);
    return coverage;
}

int64_t coverage_answers(const json_t *coverage, size_t source)
{
    const json_t *answered = json_object_get(coverage, "answered");
    const json_t *counts = json_object_get(answered, coverage_sources[source]);
    int64_t sum = 0;
    for (size_t i = 0; i < COVERAGE_DOORS; i++)
        sum += record_number(counts, coverage_doors[i], 0);
    return sum;
}

int64_t coverage_count(const json_t *coverage, size_t gap)
{
    const json_t *open = json_object_get(coverage, "not_controlled");
    return record_number(open, coverage_gaps[gap].name, 0);
}
