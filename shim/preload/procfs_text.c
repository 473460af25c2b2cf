/* SPDX-License-Identifier: MIT */
/*
 * Files of /proc with ids in their text: stat, status and children of a process or thread, locks;
 * and some that tell of the machine. The kernel writes them at each read; a program that opens one
 * gets a memfd with what stood there when it was opened.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "counters.h"
#include "decimal.h"
#include "fixed_text.h"
#include "machine.h"
#include "mounts.h"
#include "pids.h"
#include "poison.h"
#include "procfs.h"
#include "raw.h"
#include "task.h"
#include "text.h"

#define MAX_LINK 96 /* /proc/PID/task/TID/children, and where else a /proc may be mounted */

void text_flush(struct text *t)
{
    t->failed |= raw3(SYS_write, t->to, (long)t->out, (long)t->used) != (long)t->used;
    t->used = 0;
}

void text_put(struct text *t, const char *bytes, size_t n)
{
    if (t->used + n > sizeof(t->out))
        text_flush(t);
    memcpy(t->out + t->used, bytes, n);
    t->used += n;
}

void text_put_string(struct text *t, const char *string)
{
    text_put(t, string, strlen(string));
}

void text_put_number(struct text *t, uint64_t number)
{
    char digits[20];
    size_t at = sizeof(digits);
    for (bool more = true; more; more = (number /= 10) > 0)
        digits[--at] = (char)('0' + number % 10);
    text_put(t, digits + at, sizeof(digits) - at);
}

/* What getppid says there, for a process of the job. */
static int parent_id(const struct text *t, int real)
{
    struct detrun_task *task = task_by_real(t->real_tid);
    if (!task || lineage_state(task) == DETRUN_OUTSIDE)
        return pids_to_virtual(real);
    return (int)lineage_parent(shim.memory, lineage_process(shim.memory, task),
                               task_current->space);
}

/* @return bytes of the record that were told: a number and what stands before it */
static size_t tell_number(struct text *t, const char *record, size_t n, bool parent)
{
    int real;
    size_t before = 0;
    while (before < n && (record[before] == ' ' || record[before] == '\t'))
        before++;
    size_t digits = decimal_get(record + before, n - before, &real);
    text_put(t, record, before);
    if (digits > 0)
        text_put_number(t, (unsigned)(parent ? parent_id(t, real) : pids_to_virtual(real)));
    return before + digits;
}

static size_t skip_columns(const char *record, size_t n, size_t at, int columns)
{
    for (; columns > 0; columns--) {
        while (at < n && record[at] == ' ')
            at++;
        while (at < n && record[at] != ' ')
            at++;
    }
    return at;
}

/* pid (name) state ppid pgrp session tty tpgid ...; the name may hold anything. */
static void tell_stat(struct text *t, const char *record, size_t n)
{
    size_t at = tell_number(t, record, n, false);
    size_t state = n;
    while (state > at && record[state - 1] != ')')
        state--;
    size_t parent = state + 2 < n ? state + 2 : n;
    text_put(t, record + at, parent - at);
    at = parent;
    for (int field = 4; field <= 6; field++)
        at += tell_number(t, record + at, n - at, field == 4);
    size_t group = skip_columns(record, n, at, 1);
    text_put(t, record + at, group - at);
    at = group + tell_number(t, record + group, n - group, false);
    counters_tell_stat(t, record + at, n - at);
}

static void tell_status(struct text *t, const char *record, size_t n)
{
    if (machine_tell_allowed(t, record, n) || counters_tell_status(t, record, n))
        return;
    enum { PARENT };
    static const char labels[][11] = {
        [PARENT] = "PPid:", "Tgid:",  "Ngid:",   "Pid:",  "TracerPid:",
        "NStgid:",          "NSpid:", "NSpgid:", "NSsid:"};
    size_t at = 0;
    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]) && at == 0; i++) {
        size_t length = strlen(labels[i]);
        if (n <= length || memcmp(record, labels[i], length) != 0)
            continue;
        text_put(t, record, length);
        at = length + tell_number(t, record + length, n - length, i == PARENT);
    }
    text_put(t, record + at, n - at);
}

/* The title is "name (id, #threads: N)", and the name may hold anything. */
static void tell_sched(struct text *t, const char *record, size_t n)
{
    static const char title[] = ", #threads: ";
    size_t at = n;
    while (at > 0 && record[at - 1] != '(')
        at--;
    size_t end = at;
    while (end < n && record[end] >= '0' && record[end] <= '9')
        end++;
    if (at == 0 || n - end < sizeof(title) || memcmp(record + end, title, sizeof(title) - 1) != 0) {
        counters_tell(t, record, n);
        return;
    }
    text_put(t, record, at);
    at += tell_number(t, record + at, n - at, false);
    text_put(t, record + at, n - at);
}

static void tell_children(struct text *t, const char *record, size_t n)
{
    size_t at = tell_number(t, record, n, false);
    text_put(t, record + at, n - at);
}

/* The number of the first column, or "->" after it where it waits; type, mode, access, pid. */
static void tell_locks(struct text *t, const char *record, size_t n)
{
    size_t at = skip_columns(record, n, 0, 1);
    bool waits = n - at > 3 && memcmp(record + at, " ->", 3) == 0;
    at = skip_columns(record, n, at, waits ? 4 : 3);
    text_put(t, record, at);
    at += tell_number(t, record + at, n - at, false);
    text_put(t, record + at, n - at);
}

/* No id is larger: what prints or counts them makes room by it. */
static void tell_limit(struct text *t, const char *record, size_t n)
{
    (void)record;
    (void)n;
    text_put_number(t, DETRUN_VPID_END);
    text_put(t, "\n", 1);
}

static const struct form {
    char folder[9]; /* that it lies in; empty: an id's */
    char name[13];
    char end;     /* of a record */
    bool machine; /* tells of it, not of processes */
    bool each;    /* processor that the job has: the file is told once more */
    void (*tell)(struct text *t, const char *record, size_t n);
} forms[] = {
    {"", "stat", '\n', false, false, tell_stat},
    {"", "status", '\n', false, false, tell_status},
    {"", "children", ' ', false, false, tell_children},
    {"proc", "locks", '\n', false, false, tell_locks},
    {"kernel", "pid_max", '\n', false, false, tell_limit},
    {"proc", "stat", '\n', true, false, machine_tell_stat},
    {"proc", "cpuinfo", '\n', true, true, machine_tell_cpuinfo},
    {"", "mountinfo", '\n', false, false, mounts_tell},
    {"", "statm", '\n', false, false, counters_tell_statm},
    {"", "sched", '\n', false, false, tell_sched},
    {"", "schedstat", '\n', false, false, counters_tell},
    {"", "io", '\n', false, false, counters_tell},
    {"", "smaps", '\n', false, false, counters_tell_pages},
    {"", "smaps_rollup", '\n', false, false, counters_tell_pages},
    {"", "maps", '\n', false, false, counters_tell_mapping},
    {"proc", "vmstat", '\n', true, false, counters_tell},
    {"proc", "diskstats", '\n', true, false, counters_tell_disk},
    {"proc", "interrupts", '\n', true, false, counters_tell},
    {"proc", "softirqs", '\n', true, false, counters_tell},
    {"proc", "buddyinfo", '\n', true, false, counters_tell},
    {"proc", "zoneinfo", '\n', true, false, counters_tell},
    {"proc", "slabinfo", '\n', true, false, counters_tell},
    {"proc", "schedstat", '\n', true, false, counters_tell},
    {"pressure", "cpu", '\n', true, false, counters_tell},
    {"pressure", "memory", '\n', true, false, counters_tell},
    {"pressure", "io", '\n', true, false, counters_tell},
    {"net", "dev", '\n', true, false, counters_tell},
    {"net", "snmp", '\n', true, false, counters_tell},
    {"net", "netstat", '\n', true, false, counters_tell},
    {"net", "sockstat", '\n', true, false, counters_tell},
};
#define FORMS (sizeof(forms) / sizeof(forms[0]))

static size_t record_length(const char *text, size_t n, char end)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] == end)
            return i + 1;
    return 0;
}

static void tell_part(struct text *t, const struct form *form, const char *part, size_t n)
{
    if (n > 0 && t->inside)
        text_put(t, part, n);
    else if (n > 0 && !t->done)
        form->tell(t, part, n);
}

/* The whole records among these bytes. @return how many bytes were told */
static size_t tell_records(struct text *t, const struct form *form, const char *in, size_t n)
{
    size_t at = 0;
    for (size_t length; (length = record_length(in + at, n - at, form->end)) > 0; at += length) {
        tell_part(t, form, in + at, length);
        t->inside = false;
    }
    return at;
}

/* In a record longer than a piece nothing is looked for in its rest. */
static bool tell_all(struct text *t, const struct form *form)
{
    char in[TEXT_PIECE];
    size_t n = 0;
    t->inside = t->done = false;
    for (long got = 1; got > 0 && !t->done;) {
        got = raw3(SYS_read, t->from, (long)(in + n), (long)(sizeof(in) - n));
        n += got > 0 ? (size_t)got : 0;
        size_t at = tell_records(t, form, in, n);
        if (got <= 0 || (at == 0 && n == sizeof(in))) {
            tell_part(t, form, in + at, n - at);
            t->inside = true;
            at = n;
        }
        n -= at;
        memmove(in, in + at, n);
        t->failed |= got < 0;
    }
    return !t->failed;
}

static bool tell_rounds(struct text *t, const struct form *form)
{
    unsigned rounds = form->each && machine_cpus() > 0 ? machine_cpus() : 1;
    for (bool more = true; more && t->round < rounds; t->round++)
        more = raw3(SYS_lseek, t->from, 0, SEEK_SET) == 0 && tell_all(t, form);
    text_flush(t);
    return !t->failed && t->round == rounds;
}

static size_t last_name(const char *path, size_t n)
{
    while (n > 0 && path[n - 1] != '/')
        n--;
    return n;
}

static bool has_name(const struct form *form, const char *name, size_t n)
{
    return strlen(form->name) == n && memcmp(form->name, name, n) == 0;
}

/* By its name alone. Of absolute paths only those of /proc are looked at. */
static bool may_be_told(const char *path)
{
    static const char proc[] = "/proc/";
    for (size_t i = 0; path[0] == '/' && i < sizeof(proc) - 1; i++)
        if (path[i] != proc[i])
            return false;
    size_t n = strlen(path);
    size_t name = last_name(path, n);
    for (size_t i = 0; i < FORMS; i++)
        if (has_name(&forms[i], path + name, n - name))
            return true;
    return false;
}

static bool is_in_folder(const struct form *form, const char *folder, size_t n, int *real_tid)
{
    if (form->folder[0] != '\0')
        return strlen(form->folder) == n && memcmp(form->folder, folder, n) == 0;
    return n > 0 && decimal_get(folder, n, real_tid) == n;
}

/* By what the kernel calls it: .../ID/NAME, or .../task/ID/NAME. */
static const struct form *form_of_file(int fd, int *real_tid)
{
    char path[PROCFS_LINK];
    char target[MAX_LINK];
    procfs_link_of(fd, path);
    long n = raw3(SYS_readlink, (long)path, (long)target, sizeof(target));
    if (n <= 0 || n == (long)sizeof(target))
        return NULL;
    size_t name = last_name(target, (size_t)n);
    size_t folder = name > 0 ? last_name(target, name - 1) : 0;
    for (size_t i = 0; i < FORMS && folder > 0; i++)
        if (has_name(&forms[i], target + name, (size_t)n - name) &&
            is_in_folder(&forms[i], target + folder, name - 1 - folder, real_tid))
            return procfs_holds(fd) ? &forms[i] : NULL;
    return NULL;
}

/* More is not written than some KB for each processor; a limit below it would be a signal. */
static bool may_write(void)
{
    struct rlimit limit;
    return raw4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)&limit) == 0 && limit.rlim_cur >= 1 << 20;
}

/* Another opening of it: the program asked for one it cannot write to, and may look (F_GETFL). */
static bool put_in_place(int text, int fd, bool closes_on_exec)
{
    char path[32] = "/proc/self/fd/";
    path[14 + decimal_put(path + 14, (unsigned)text)] = '\0';
    int reader = (int)raw4(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0);
    if (reader < 0)
        return false;
    bool there = raw3(SYS_dup3, reader, fd, closes_on_exec ? O_CLOEXEC : 0) == fd;
    raw3(SYS_close, reader, 0, 0);
    return there;
}

static bool replace(int fd, const struct form *form, int real_tid)
{
    struct text t = {.from = fd, .real_tid = real_tid};
    long flags = raw3(SYS_fcntl, fd, F_GETFD, 0);
    t.to = flags >= 0 && may_write() ? (int)raw3(SYS_memfd_create, (long)form->name, MFD_CLOEXEC, 0)
                                     : -1;
    if (t.to < 0)
        return false;
    bool told = tell_rounds(&t, form);
    raw3(SYS_fchmod, t.to, 0444, 0);
    told = told && put_in_place(t.to, fd, (flags & FD_CLOEXEC) != 0);
    raw3(SYS_close, t.to, 0, 0);
    return told;
}

bool procfs_text_put(int fd, const char *text, size_t n)
{
    long flags = raw3(SYS_fcntl, fd, F_GETFD, 0);
    int to =
        flags >= 0 && may_write() ? (int)raw3(SYS_memfd_create, (long)"text", MFD_CLOEXEC, 0) : -1;
    if (to < 0)
        return false;
    bool there = raw3(SYS_write, to, (long)text, (long)n) == (long)n;
    raw3(SYS_fchmod, to, 0444, 0);
    there = there && put_in_place(to, fd, (flags & FD_CLOEXEC) != 0);
    raw3(SYS_close, to, 0, 0);
    return there;
}

static bool is_answered(const struct form *form)
{
    return form->machine ? task_self() && !task_leaves_real(DETRUN_PROC) : procfs_is_on();
}

void procfs_text_opened(int fd, const char *path)
{
    int real_tid = 0;
    if (!shim.on || fixed_text_opened(fd, path) || !may_be_told(path))
        return;
    const struct form *form = shim.sandboxed ? NULL : form_of_file(fd, &real_tid);
    if (!form || !is_answered(form))
        return;
    if (!replace(fd, form, real_tid)) {
        raw3(SYS_lseek, fd, 0, SEEK_SET);
        lineage_count_gap(shim.memory,
                          form->machine ? DETRUN_GAP_TEXT_KERNEL : DETRUN_GAP_PID_UNTRANSLATED);
    } else if (!form->machine) {
        task_count(task_current, DETRUN_PID, DETRUN_DOOR_SYMBOL);
    }
}
