/* SPDX-License-Identifier: MIT */
#include "instructions.h"

#include <stddef.h>
#include <string.h>

#include "functions.h"
#include "pads.h"

#define BEFORE 4 /* instructions that may come before the site in its window */
#define AFTER  4
#define NEARBY 144 /* bytes: what a distance of one byte spans, and a window */

/* Longer texts are not searched for what jumps into a window: that takes half a ns a byte. */
#define SEARCHED_MAX (UINT64_C(16) << 20)

typedef char bytes __attribute__((vector_size(16)));

/* One bit for each of sixteen bytes that may begin 0f 31, 0f 01 f9 or 0f c7 f0 to ff. */
static unsigned candidates(const uint8_t *code)
{
    bytes first;
    bytes second;
    bytes third;
    memcpy(&first, code, sizeof(first));
    memcpy(&second, code + 1, sizeof(second));
    memcpy(&third, code + 2, sizeof(third));
    bytes match = (bytes)(second == 0x31);
    match |= (bytes)(second == 0x01) & (bytes)(third == (char)0xf9);
    match |= (bytes)(second == (char)0xc7) & (bytes)((third & (char)0xf0) == (char)0xf0);
    match &= (bytes)(first == 0x0f);
    return (unsigned)__builtin_ia32_pmovmskb128(match);
}

enum instruction_kind instructions_kind(const struct x86 *i)
{
    if (i->map != X86_0F)
        return INSTRUCTION_NONE;
    if (i->opcode == 0x31)
        return INSTRUCTION_RDTSC;
    if (i->opcode == 0x01 && i->modrm == 0xf9)
        return INSTRUCTION_RDTSCP;
    /* With the prefix f3 it is rdpid. */
    return i->opcode == 0xc7 && i->modrm >= 0xf0 && !i->repeat ? INSTRUCTION_RANDOM
                                                               : INSTRUCTION_NONE;
}

/** The instructions around one. */
struct around {
    unsigned count;
    unsigned site; /**< which of them */
    const uint8_t *at[BEFORE + 1 + AFTER];
    struct x86 decoded[BEFORE + 1 + AFTER];
    bool indirect; /**< somewhere in the function something jumps by a table */
};

static void drop_first(struct around *a)
{
    memmove(a->at, a->at + 1, sizeof(a->at) - sizeof(a->at[0]));
    memmove(a->decoded, a->decoded + 1, sizeof(a->decoded) - sizeof(a->decoded[0]));
    a->count--;
}

/* Prefixes and all, the two or three bytes of the opcode begin at `site`. */
static bool is_meant(const uint8_t *code, const struct x86 *i, const uint8_t *site)
{
    return code <= site && site < code + i->length && instructions_kind(i) != INSTRUCTION_NONE;
}

/* @return false: the function is not understood. */
static bool walk(const struct function_range *f, const uint8_t *site, struct around *a)
{
    const uint8_t *code = f->start;
    bool found = false;
    *a = (struct around){0};
    for (struct x86 i; code < f->end; code += i.length) {
        if (!x86_decode(code, (uint64_t)(f->end - code), &i))
            return false;
        a->indirect |= x86_is_indirect_jump(&i);
        if (found && a->count - a->site > AFTER)
            continue;
        if (!found && a->count > BEFORE)
            drop_first(a);
        if (!found && is_meant(code, &i, site)) {
            found = true;
            a->site = a->count;
        }
        a->at[a->count] = code;
        a->decoded[a->count++] = i;
    }
    return found && code == f->end;
}

static bool may_be_in(const struct around *a, unsigned index, unsigned last)
{
    const struct x86 *i = &a->decoded[index];
    return index == a->site || x86_is_movable(i) || (index == last && x86_is_return(i));
}

/* The window from one instruction on, up to the first that ends where a jump has room. */
static bool window_from(const struct around *a, unsigned first, struct instruction_window *w)
{
    unsigned last = first;
    size_t length = a->decoded[first].length;
    while (length < INSTRUCTIONS_JUMP || last < a->site) {
        if (length >= INSTRUCTIONS_JUMP || ++last == a->count)
            return false;
        length += a->decoded[last].length;
    }
    for (unsigned i = first; i <= last; i++)
        if (!may_be_in(a, i, last))
            return false;
    w->length = (uint8_t)length;
    w->site = (uint8_t)(a->at[a->site] - a->at[first]);
    w->pad = 0;
    return true;
}

/* Where something may jump by a table that is not read, only what makes one number of two halves is
 * surely not where it jumps to: shl $32, %rdx. */
static bool is_followed_by_shift(const struct around *a)
{
    static const uint8_t shift[4] = {0x48, 0xc1, 0xe2, 0x20};
    return a->site + 1 < a->count && memcmp(a->at[a->site + 1], shift, sizeof(shift)) == 0;
}

static bool widen(const struct instruction_text *text, const struct around *a,
                  struct instruction_window *w)
{
    unsigned first = a->site;
    if (text->size > SEARCHED_MAX || (a->indirect && !is_followed_by_shift(a)))
        return false;
    while (!window_from(a, first, w))
        if (a->indirect || first-- == 0)
            return false;
    w->start = (uint32_t)(a->at[first] - text->start);
    return true;
}

/* @param next  where it goes, behind those chosen before */
static bool choose_window(const struct instruction_text *text, const struct around *a,
                          const struct instruction_window *chosen, struct instruction_window *next)
{
    const uint8_t *site = a->at[a->site];
    uint32_t pad = pads_find(text, site, chosen, (unsigned)(next - chosen));
    if (!pad)
        return widen(text, a, next);
    *next = (struct instruction_window){
        .start = (uint32_t)(site - text->start),
        .pad = pad,
        .length = a->decoded[a->site].length,
    };
    return true;
}

static void drop_entered(struct instruction_window *windows, unsigned n, uint64_t target)
{
    for (unsigned i = 0; i < n; i++)
        if (windows[i].pad == 0 && target > windows[i].start &&
            target < (uint64_t)windows[i].start + windows[i].length)
            windows[i].length = 0;
}

/* The same for e8, e9, and 80 to 8f behind 0f: what a distance of four bytes may follow. */
static unsigned branches(const uint8_t *code)
{
    bytes before;
    bytes opcode;
    memcpy(&before, code - 1, sizeof(before));
    memcpy(&opcode, code, sizeof(opcode));
    bytes match = (bytes)((opcode & (char)0xfe) == (char)0xe8);
    match |= (bytes)((opcode & (char)0xf0) == (char)0x80) & (bytes)(before == 0x0f);
    return (unsigned)__builtin_ia32_pmovmskb128(match);
}

static void drop_if_entered_from(const struct instruction_text *text, uint64_t at,
                                 struct instruction_window *windows, unsigned n)
{
    int32_t distance;
    memcpy(&distance, text->start + at + 1, sizeof(distance));
    uint64_t target = at + 5 + (uint64_t)(int64_t)distance;
    if (target > windows[0].start &&
        target < (uint64_t)windows[n - 1].start + windows[n - 1].length)
        drop_entered(windows, n, target);
}

/* Parts of a function stand elsewhere (.cold), and jump back into it: distances of four bytes, read
 * wherever the opcode of a branch might stand. What is none does no harm, but that a window is not
 * used, and that is rare. */
static void drop_entered_from_afar(const struct instruction_text *text,
                                   struct instruction_window *windows, unsigned n)
{
    uint64_t at = 1;
    for (; at + 20 <= text->size; at += 16)
        for (unsigned bits = branches(text->start + at); bits; bits &= bits - 1)
            drop_if_entered_from(text, at + (unsigned)__builtin_ctz(bits), windows, n);
    for (; at + 5 <= text->size; at++)
        drop_if_entered_from(text, at, windows, n);
}

static bool has_short_branch(const uint8_t *code)
{
    return (code[0] & 0xf0) == 0x70 || code[0] == 0xeb || (code[0] & 0xfc) == 0xe0;
}

/* @return the end of the function, where every branch is known to be one; NULL: it is not
 * understood
 */
static const uint8_t *drop_entered_from(const struct instruction_text *text, const uint8_t *at,
                                        struct instruction_window *window)
{
    struct function_range f;
    struct x86 i;
    if (!functions_get(text->eh_frame, functions_index(text->eh_frame, at), &f) || at >= f.end ||
        f.start < text->start || f.end > text->start + text->size)
        return NULL;
    for (const uint8_t *code = f.start; code < f.end; code += i.length) {
        if (!x86_decode(code, (uint64_t)(f.end - code), &i))
            return NULL;
        if (i.branch)
            drop_entered(window, 1, x86_target(code, (uint64_t)(code - text->start), &i));
    }
    return f.end;
}

/* The same for distances of one byte, which half of all bytes would look like: functions are gone
 * through instruction by instruction, and only what stands between them is read like that. */
static void drop_entered_from_nearby(const struct instruction_text *text,
                                     struct instruction_window *window)
{
    const uint8_t *start = text->start + window->start;
    const uint8_t *end = text->start + text->size;
    const uint8_t *at = window->start > NEARBY ? start - NEARBY : text->start;
    const uint8_t *last = end - start > 2 * NEARBY ? start + 2 * NEARBY : end;
    while (at + 2 <= last && window->length > 0) {
        const uint8_t *behind = drop_entered_from(text, at, window);
        struct x86 i = {.length = 2, .branch = 1, .branch_size = 1};
        if (!behind && has_short_branch(at))
            drop_entered(window, 1, x86_target(at, (uint64_t)(at - text->start), &i));
        at = behind ? behind : at + 1;
    }
}

static void drop_all_entered(const struct instruction_text *text,
                             struct instruction_window *windows, unsigned n)
{
    drop_entered_from_afar(text, windows, n);
    for (unsigned i = 0; i < n; i++)
        if (windows[i].pad == 0)
            drop_entered_from_nearby(text, &windows[i]);
}

/* @return how many are left */
static unsigned keep_disjoint(struct instruction_window *windows, unsigned n)
{
    unsigned kept = 0;
    uint64_t end = 0;
    for (unsigned i = 0; i < n; i++) {
        if (windows[i].length == 0 || windows[i].start < end)
            continue;
        end = (uint64_t)windows[i].start + windows[i].length;
        windows[kept++] = windows[i];
    }
    return kept;
}

struct search {
    const struct instruction_text *text;
    struct function_range function; /**< which is being gone through */
    const uint8_t *reached;         /**< an instruction of it */
    struct instruction_window *windows;
    unsigned room;
    unsigned count;
    bool searched; /**< some window needs that nothing jumps into it */
};

/* Sets s->function. */
static bool find_function(struct search *s, const uint8_t *at)
{
    const struct instruction_text *text = s->text;
    struct function_range f;
    if (at >= s->function.start && at < s->function.end)
        return true;
    if (!functions_get(text->eh_frame, functions_index(text->eh_frame, at), &f) ||
        f.start < text->start || at >= f.end || f.end > text->start + text->size)
        return false;
    s->function = f;
    s->reached = f.start;
    return true;
}

/* Candidates come in order, and most are none: each function is gone through once for all. */
static bool is_instruction(struct search *s, const uint8_t *at)
{
    struct x86 i;
    if (!find_function(s, at))
        return false;
    for (; s->reached <= at; s->reached += i.length) {
        if (!x86_decode(s->reached, (uint64_t)(s->function.end - s->reached), &i))
            return false;
        if (at < s->reached + i.length)
            return is_meant(s->reached, &i, at);
    }
    return false;
}

static void try_site(struct search *s, const uint8_t *at)
{
    struct around around;
    if (s->count == s->room || !is_instruction(s, at) || !walk(&s->function, at, &around) ||
        !choose_window(s->text, &around, s->windows, &s->windows[s->count]))
        return;
    s->searched |= s->windows[s->count++].pad == 0;
}

unsigned instructions_find(const struct instruction_text *text, struct instruction_window *windows,
                           unsigned room)
{
    struct search s = {.text = text, .windows = windows, .room = room};
    for (uint64_t at = 0; text->eh_frame && at + 18 <= text->size; at += 16)
        for (unsigned bits = candidates(text->start + at); bits; bits &= bits - 1)
            try_site(&s, text->start + at + (unsigned)__builtin_ctz(bits));
    if (s.searched)
        drop_all_entered(text, windows, s.count);
    return keep_disjoint(windows, s.count);
}
