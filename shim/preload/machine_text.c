/* SPDX-License-Identifier: MIT */
/*
 * What /proc tells of processors: as many as the job has, at one speed. What programs choose their
 * code by, which are family, model and features, is the kernel's.
 */
#include <string.h>

#include "clock.h"
#include "cpus.h"
#include "decimal.h"
#include "machine.h"
#include "poison.h"
#include "task.h"

#define TICK_NS   10000000 /* USER_HZ is 100 on every Linux */
#define SECOND_NS 1000000000

static bool begins(const char *record, size_t n, const char *with)
{
    size_t length = strlen(with);
    return n >= length && memcmp(record, with, length) == 0;
}

/* All that has passed they had nothing to do. */
static void put_times(struct text *t, uint64_t processors)
{
    int64_t now = clock_view(shim.memory, task_current, DETRUN_FAMILY_MONO);
    text_put_string(t, " 0 0 0 ");
    text_put_number(t, (uint64_t)now / TICK_NS * processors);
    text_put_string(t, " 0 0 0 0 0 0\n");
}

static void put_processor(struct text *t, unsigned number)
{
    text_put_string(t, "cpu");
    text_put_number(t, number);
    put_times(t, 1);
}

static void put_machines_processor(struct text *t, const char *record, size_t n)
{
    size_t label = 0;
    while (label < n && record[label] != ' ')
        label++;
    text_put(t, record, label);
    put_times(t, 1);
}

/* The monotonic clocks started where the machine did. */
static void put_events(struct text *t)
{
    const struct detrun_params *p = &shim.memory->params;
    int64_t start = p->epoch_ns - p->mono_start_ns;
    text_put_string(t, "intr 0\nctxt 0\nbtime ");
    text_put_number(t, start > 0 ? (uint64_t)(start / SECOND_NS) : 0);
    text_put_string(t, "\nprocesses 100\nprocs_running 1\nprocs_blocked 0\n"
                       "softirq 0 0 0 0 0 0 0 0 0 0 0\n");
    t->done = true;
}

/* All processors together, each of them, all else. */
void machine_tell_stat(struct text *t, const char *record, size_t n)
{
    unsigned cpus = machine_cpus();
    bool all = begins(record, n, "cpu ");
    if (all) {
        text_put_string(t, "cpu ");
        put_times(t, cpus ? cpus : 1);
    }
    for (unsigned i = 0; i < cpus; i++)
        put_processor(t, i);
    if (cpus == 0 && !all && begins(record, n, "cpu"))
        put_machines_processor(t, record, n);
    else if (cpus != 0 || !all)
        put_events(t);
}

enum value { TEXT, INDEX, COUNT };

/* What it says whether or not it is the job's number of processors, comes first. */
static const struct field {
    char label[16];
    char text[20];
    uint8_t value;
} fields[] = {
    {"cpu MHz", "1000.000", TEXT}, {"bogomips", "2000.00", TEXT},
    {"processor", "", INDEX},      {"model name", "virtual processor", TEXT},
    {"microcode", "0x1", TEXT},    {"cache size", "1024 KB", TEXT},
    {"physical id", "0", TEXT},    {"siblings", "", COUNT},
    {"core id", "", INDEX},        {"cpu cores", "", COUNT},
    {"apicid", "", INDEX},         {"initial apicid", "", INDEX},
};
#define ALWAYS 2

static const struct field *field_of(const char *label, size_t n, size_t fields_told)
{
    while (n > 0 && label[n - 1] == '\t')
        n--;
    for (size_t i = 0; i < fields_told; i++)
        if (strlen(fields[i].label) == n && memcmp(fields[i].label, label, n) == 0)
            return &fields[i];
    return NULL;
}

static void put_value(struct text *t, const struct field *field)
{
    if (field->value == TEXT)
        text_put_string(t, field->text);
    else
        text_put_number(t, field->value == INDEX ? t->round : machine_cpus());
}

/* The first one stands for all. */
void machine_tell_cpuinfo(struct text *t, const char *record, size_t n)
{
    bool own = machine_cpus() != 0;
    size_t colon = 0;
    while (colon < n && record[colon] != ':')
        colon++;
    const struct field *field =
        field_of(record, colon, own ? sizeof(fields) / sizeof(fields[0]) : ALWAYS);
    if (!field) {
        text_put(t, record, n);
    } else {
        text_put(t, record, colon);
        text_put_string(t, ": ");
        put_value(t, field);
        text_put_string(t, "\n");
    }
    t->done = own && n == 1;
}

/* "f", or "3,ffffffff": hexadecimal digits in groups of eight. */
static void put_mask(struct text *t, uint64_t set, unsigned cpus)
{
    static const char digits[] = "0123456789abcdef";
    for (unsigned digit = (cpus + 3) / 4; digit-- > 0;) {
        text_put(t, &digits[set >> (4 * digit) & 15], 1);
        if (digit > 0 && digit % 8 == 0)
            text_put_string(t, ",");
    }
    text_put_string(t, "\n");
}

size_t machine_list(char text[MACHINE_LIST], uint64_t set)
{
    size_t n = 0;
    for (unsigned first = 0; first < CPUS_MAX; first++) {
        if ((set >> first & 1) == 0)
            continue;
        unsigned last = first;
        while (last + 1 < CPUS_MAX && (set >> (last + 1) & 1) != 0)
            last++;
        if (n > 0)
            text[n++] = ',';
        n += decimal_put(text + n, first);
        if (last > first) {
            text[n++] = '-';
            n += decimal_put(text + n, last);
        }
        first = last;
    }
    text[n++] = '\n';
    return n;
}

bool machine_tell_allowed(struct text *t, const char *record, size_t n)
{
    char list[MACHINE_LIST];
    const struct detrun_task *task = task_by_real(t->real_tid);
    if (!begins(record, n, "Cpus_allowed") || machine_cpus() == 0 || !task)
        return false;
    uint64_t set = cpus_of(&shim.memory->params, task);
    if (begins(record, n, "Cpus_allowed:")) {
        text_put_string(t, "Cpus_allowed:\t");
        put_mask(t, set, machine_cpus());
    } else {
        text_put_string(t, "Cpus_allowed_list:\t");
        text_put(t, list, machine_list(list, set));
    }
    return true;
}
