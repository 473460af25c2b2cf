/* SPDX-License-Identifier: MIT */
#include "counters.h"

#include <string.h>

#include "poison.h"
#include "task.h"
#include "usage.h"

#define TICK_NS  10000000 /* USER_HZ is 100 on every Linux */
#define PAGE_KB  4
#define RESIDENT (USAGE_MAXRSS_KB / PAGE_KB)

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* @return the length of a number that stands alone: 12, or 12.345 */
static size_t number_length(const char *at, size_t n)
{
    size_t length = 0;
    while (length < n && is_digit(at[length]))
        length++;
    if (length > 0 && length < n && at[length] == '.')
        for (length++; length < n && is_digit(at[length]);)
            length++;
    return length == n || is_blank(at[length]) ? length : 0;
}

/* A fraction keeps its places. */
static void put_nothing(struct text *t, const char *number, size_t n)
{
    size_t point = 0;
    while (point < n && number[point] != '.')
        point++;
    text_put_string(t, "0");
    for (size_t i = point; i < n; i++)
        text_put_string(t, i == point ? "." : "0");
}

/* How wide it is shows in the blanks before it, too: one stands for all. */
static void tell_from(struct text *t, const char *record, size_t n, size_t at)
{
    text_put(t, record, at);
    while (at < n) {
        size_t number = at;
        while (number < n && is_blank(record[number]))
            number++;
        bool begins = number > at || at == 0 || record[at - 1] == '=';
        size_t length = begins ? number_length(record + number, n - number) : 0;
        if (length > 0) {
            text_put(t, " ", number > at);
            put_nothing(t, record + number, length);
            at = number + length;
        } else {
            length = number > at ? number - at : 1;
            text_put(t, record + at, length);
            at += length;
        }
    }
}

void counters_tell(struct text *t, const char *record, size_t n)
{
    tell_from(t, record, n, 0);
}

static size_t skip_words(const char *record, size_t n, unsigned words)
{
    size_t at = 0;
    for (; words > 0; words--) {
        while (at < n && is_blank(record[at]))
            at++;
        while (at < n && !is_blank(record[at]))
            at++;
    }
    return at;
}

void counters_tell_disk(struct text *t, const char *record, size_t n)
{
    tell_from(t, record, n, skip_words(record, n, 3));
}

static bool is_member(const struct text *t)
{
    const struct detrun_task *task = task_by_real(t->real_tid);
    return task && lineage_state(task) != DETRUN_OUTSIDE;
}

/* All processes of the job have started with it. */
static uint64_t start_ticks(void)
{
    return (uint64_t)shim.memory->params.mono_start_ns / TICK_NS;
}

/* Nobody has started after the job, by its clock. */
static bool is_late(const char *word, size_t n)
{
    uint64_t ticks = 0;
    for (size_t i = 0; i < n; i++)
        ticks = is_digit(word[i]) ? 10 * ticks + (uint64_t)(word[i] - '0') : ticks;
    return ticks > start_ticks();
}

enum field {
    FIRST = 8,
    MINOR_FAULTS = 10,
    CHILDRENS_TIME = 17,
    START = 22,
    PAGES = 24,
    WAITS_IN = 35,
    PROCESSOR = 39,
    INPUT_TIME = 42,
    GUEST_TIME = 43,
    CHILDRENS_GUEST_TIME = 44,
};

static bool counts(unsigned field)
{
    return (field >= MINOR_FAULTS && field <= CHILDRENS_TIME) || field == WAITS_IN ||
           field == PROCESSOR || (field >= INPUT_TIME && field <= CHILDRENS_GUEST_TIME);
}

void counters_tell_stat(struct text *t, const char *rest, size_t n)
{
    size_t at = 0;
    bool member = is_member(t);
    for (unsigned field = FIRST; at < n; field++) {
        size_t end = at + skip_words(rest + at, n - at, 1);
        bool own = field == START ? member || is_late(rest + at, end - at)
                                  : member && (field == PAGES || counts(field));
        if (own) {
            text_put_string(t, " ");
            text_put_number(t, field == START ? start_ticks() : field == PAGES ? RESIDENT : 0);
        } else {
            text_put(t, rest + at, end - at);
        }
        at = end;
    }
}

static bool begins(const char *record, size_t n, const char *with)
{
    size_t length = strlen(with);
    return n > length && memcmp(record, with, length) == 0;
}

/* Its user's signals that wait anywhere, and how many may. */
static bool tell_queued(struct text *t, const char *record, size_t n)
{
    static const char label[] = "SigQ:";
    size_t at = 0;
    while (at < n && record[at] != '/')
        at++;
    if (at == n || !begins(record, n, label))
        return false;
    text_put_string(t, label);
    text_put_string(t, "\t0");
    text_put(t, record + at, n - at);
    return true;
}

/* As getrusage(2) says. */
bool counters_tell_status(struct text *t, const char *record, size_t n)
{
    static const struct {
        char label[28];
        char text[16];
    } fields[] = {
        {"VmHWM:", "\t   16384 kB"},         {"VmRSS:", "\t   16384 kB"},
        {"RssAnon:", "\t    8192 kB"},       {"RssFile:", "\t    8192 kB"},
        {"RssShmem:", "\t       0 kB"},      {"VmPTE:", "\t      64 kB"},
        {"voluntary_ctxt_switches:", "\t0"}, {"nonvoluntary_ctxt_switches:", "\t0"},
    };
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        size_t length = strlen(fields[i].label);
        if (!begins(record, n, fields[i].label) || !is_member(t))
            continue;
        text_put(t, record, length);
        text_put_string(t, fields[i].text);
        text_put_string(t, "\n");
        return true;
    }
    return is_member(t) && tell_queued(t, record, n);
}

/* size resident shared text lib data dt */
void counters_tell_statm(struct text *t, const char *record, size_t n)
{
    size_t size = skip_words(record, n, 1);
    size_t shared = skip_words(record, n, 3);
    bool member = is_member(t);
    text_put(t, record, member ? size : n);
    if (!member)
        return;
    text_put_string(t, " ");
    text_put_number(t, RESIDENT);
    text_put_string(t, " ");
    text_put_number(t, RESIDENT / 2);
    text_put(t, record + shared, n - shared);
}

/* from-to access offset device inode path */
void counters_tell_mapping(struct text *t, const char *record, size_t n)
{
    static const char memory[] = "/memfd:detrun (deleted)\n";
    size_t behind = skip_words(record, n, 5);
    size_t before = skip_words(record, n, 4);
    bool own = n > sizeof(memory) &&
               memcmp(record + n - (sizeof(memory) - 1), memory, sizeof(memory) - 1) == 0;
    text_put(t, record, own ? before : n);
    if (!own)
        return;
    text_put_string(t, " 0     ");
    text_put(t, record + behind, n - behind);
}

/* A mapping, and behind it how much of it is where. */
void counters_tell_pages(struct text *t, const char *record, size_t n)
{
    static const char unit[] = " kB\n";
    bool amount =
        n > sizeof(unit) && memcmp(record + n - (sizeof(unit) - 1), unit, sizeof(unit) - 1) == 0;
    if (amount && !begins(record, n, "Size:") && !begins(record, n, "KernelPageSize:") &&
        !begins(record, n, "MMUPageSize:"))
        counters_tell(t, record, n);
    else
        counters_tell_mapping(t, record, n);
}
