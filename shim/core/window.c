/* SPDX-License-Identifier: MIT */
#include "window.h"

#include <errno.h>
#include <string.h>

#define LARGEST_ENTRY 280 /* of a name of 255 bytes */
#define LARGEST_READ  32768
#define SHORT_RUN     8
/* Each entry is in the index, and once more while that is sorted; none is shorter than this. */
#define LEAST_ENTRY   24
#define ONES          UINT64_C(0x0101010101010101)
#define HIGHS         (ONES << 7)
#define INDEX_ENTRY   (2 * sizeof(uint32_t))

/* While the directory is read. */
struct reading {
    struct window *w;
    window_source *source;
    int fd;
    const char *after;
    bool bounded; /* names from the bound on were dropped */
    char bound[sizeof(((struct dirent *)0)->d_name)];
};

static int rank_of(const char *name)
{
    if (name[0] != '.')
        return 2;
    if (name[1] == '\0')
        return 0;
    return name[1] == '.' && name[2] == '\0' ? 1 : 2;
}

/* Eight bytes of both at a time; what lies behind an end is readable for as long. */
static int compare_bytes(const char *a, const char *b)
{
    for (;; a += 8, b += 8) {
        uint64_t left;
        uint64_t right;
        memcpy(&left, a, sizeof(left));
        memcpy(&right, b, sizeof(right));
        uint64_t ends = (left - ONES) & ~left & HIGHS;
        uint64_t marks = ends | (left ^ right);
        if (marks == 0)
            continue;
        int shift = __builtin_ctzll(marks) & ~7;
        return (int)(left >> shift & 0xff) - (int)(right >> shift & 0xff);
    }
}

int window_compare(const char *a, const char *b)
{
    if (a[0] == '.' || b[0] == '.') {
        int ranks = rank_of(a) - rank_of(b);
        if (ranks != 0)
            return ranks;
    }
    return compare_bytes(a, b);
}

static uint64_t first_bytes(const char *name)
{
    uint64_t bytes;
    memcpy(&bytes, name, sizeof(bytes));
    return __builtin_bswap64(bytes);
}

/* Of two names that are not the same: mostly their first bytes tell. */
static inline bool comes_after(const char *a, const char *b)
{
    uint64_t left = first_bytes(a);
    uint64_t right = first_bytes(b);
    if (left == right || a[0] == '.' || b[0] == '.')
        return window_compare(a, b) > 0;
    return left > right;
}

static const char *name_at(const struct window *w, uint32_t offset)
{
    return w->area + offset + offsetof(struct dirent, d_name);
}

/* The index grows down from the area's end: its i-th word is index[-1 - i]. */
static uint32_t *index_of(const struct window *w)
{
    return (uint32_t *)(void *)(w->area + w->size);
}

static void add_to_index(struct window *w, uint32_t offset)
{
    index_of(w)[-1 - (int64_t)w->count] = offset;
    w->count++;
}

/* Words are taken by their place from the end, as everywhere here. */
static void sort_run(const struct window *w, uint32_t *end, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i < to; i++) {
        uint32_t one = end[-1 - (int64_t)i];
        uint32_t at = i;
        for (; at > from && comes_after(name_at(w, end[-(int64_t)at]), name_at(w, one)); at--)
            end[-1 - (int64_t)at] = end[-(int64_t)at];
        end[-1 - (int64_t)at] = one;
    }
}

static void merge(const struct window *w, const uint32_t *from, uint32_t *to, uint32_t start,
                  uint32_t middle, uint32_t stop)
{
    uint32_t left = start;
    uint32_t right = middle;
    for (uint32_t i = start; i < stop; i++) {
        bool take_left = right >= stop;
        if (left < middle && right < stop)
            take_left = !comes_after(name_at(w, from[-1 - (int64_t)left]),
                                     name_at(w, from[-1 - (int64_t)right]));
        to[-1 - (int64_t)i] = from[-1 - (int64_t)(take_left ? left++ : right++)];
    }
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void sort(const struct window *w)
{
    uint32_t n = w->count;
    uint32_t *from = index_of(w);
    uint32_t *to = from - n;
    for (uint32_t start = 0; start < n; start += SHORT_RUN)
        sort_run(w, from, start, least(start + SHORT_RUN, n));
    for (uint32_t width = SHORT_RUN; width < n; width *= 2) {
        for (uint32_t start = 0; start < n; start += 2 * width)
            merge(w, from, to, start, least(start + width, n), least(start + 2 * width, n));
        uint32_t *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != index_of(w))
        memcpy(index_of(w) - n, from - n, n * sizeof(uint32_t));
}

/* A directory that changes while it is read may show a name twice. */
static void drop_doubles(struct window *w)
{
    uint32_t *index = index_of(w);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t one = index[-1 - (int64_t)i];
        if (kept == 0 || window_compare(name_at(w, index[-(int64_t)kept]), name_at(w, one)) != 0)
            index[-1 - (int64_t)kept++] = one;
    }
    w->count = kept;
}

static bool is_wanted(const struct reading *r, const char *name)
{
    return (!r->after || window_compare(name, r->after) > 0) &&
           (!r->bounded || window_compare(name, r->bound) < 0);
}

/* Entries from `start` on: those that are wanted move together and get into the index. */
static void take_entries(struct reading *r, uint32_t start, uint32_t end)
{
    struct window *w = r->w;
    w->used = start;
    for (uint32_t at = start; at < end;) {
        struct dirent *entry = (struct dirent *)(void *)(w->area + at);
        uint32_t length = entry->d_reclen;
        at += length;
        if (!is_wanted(r, entry->d_name))
            continue;
        if (at - length != w->used)
            memmove(w->area + w->used, entry, length);
        add_to_index(w, w->used);
        w->used += length;
    }
}

/* The larger half of the names goes. */
static void drop_half(struct reading *r)
{
    struct window *w = r->w;
    sort(w);
    drop_doubles(w);
    const char *middle = name_at(w, index_of(w)[-1 - (int64_t)(w->count / 2)]);
    memcpy(r->bound, middle, strlen(middle) + 1);
    r->bounded = true;
    w->count = 0;
    take_entries(r, 0, w->used);
}

/* Bytes that the kernel may fill, with room for their index. */
static uint32_t room_for_read(const struct window *w)
{
    uint64_t taken = w->used + (uint64_t)w->count * INDEX_ENTRY;
    uint64_t room = taken < w->size ? w->size - taken : 0;
    room = room * LEAST_ENTRY / (LEAST_ENTRY + INDEX_ENTRY) & ~UINT64_C(7);
    return (uint32_t)(room < LARGEST_READ ? room : LARGEST_READ);
}

/* @return as getdents64(2); -ENOBUFS: no room */
static long read_some(struct reading *r, bool may_drop)
{
    struct window *w = r->w;
    if (room_for_read(w) < LARGEST_ENTRY && may_drop)
        drop_half(r);
    uint32_t room = room_for_read(w);
    if (room < LARGEST_ENTRY)
        return -ENOBUFS;
    return r->source(r->fd, w->area + w->used, room);
}

long window_read(struct window *w, window_source *source, int fd, const char *after, bool may_drop)
{
    struct reading r = {.w = w, .source = source, .fd = fd, .after = after};
    w->used = 0;
    w->count = 0;
    long n = 0;
    while (n >= 0 && (n = read_some(&r, may_drop)) > 0)
        take_entries(&r, w->used, w->used + (uint32_t)n);
    if (n < 0)
        return n;
    sort(w);
    drop_doubles(w);
    w->complete = !r.bounded;
    return 0;
}
