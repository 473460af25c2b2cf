/* SPDX-License-Identifier: MIT */
#include "pads.h"

#include <stddef.h>

#include "functions.h"

#define SHORT_JUMP 2
#define REACH      127
#define NEIGHBOURS 8 /* functions looked at on either side */

static bool is_padding_instruction(const struct x86 *i)
{
    if (i->map == X86_0F)
        return i->opcode == 0x1f;
    return i->map == X86_ONE_BYTE && !i->repeat && (i->opcode == 0x90 || i->opcode == 0xcc);
}

static bool is_padding(const uint8_t *start, const uint8_t *end)
{
    for (struct x86 i; start < end; start += i.length)
        if (!x86_decode(start, (uint64_t)(end - start), &i) || !is_padding_instruction(&i))
            return false;
    return start == end;
}

/* ret, jmp, or a call: at the end of a function, of one that does not return. */
static bool is_never_passed(const struct x86 *i)
{
    bool jump = i->map == X86_ONE_BYTE && (i->opcode == 0xe9 || i->opcode == 0xeb);
    bool call = i->map == X86_ONE_BYTE && i->opcode == 0xe8;
    bool trap =
        (i->map == X86_0F && i->opcode == 0x0b) || (i->map == X86_ONE_BYTE && i->opcode == 0xf4);
    return jump || call || trap || x86_is_return(i) || x86_is_indirect_jump(i);
}

static bool ends_for_good(const struct function_range *f)
{
    const uint8_t *code = f->start;
    struct x86 i = {0};
    for (; code < f->end; code += i.length)
        if (!x86_decode(code, (uint64_t)(f->end - code), &i))
            return false;
    return code == f->end && code > f->start && is_never_passed(&i);
}

static bool is_reached(const uint8_t *from, const uint8_t *pad)
{
    ptrdiff_t distance = pad - (from + SHORT_JUMP);
    return distance <= REACH && distance >= -REACH - 1;
}

static bool is_taken(uint32_t offset, const struct instruction_window *taken, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (taken[i].pad != 0 && offset < taken[i].pad + INSTRUCTIONS_JUMP &&
            taken[i].pad < offset + INSTRUCTIONS_JUMP)
            return true;
    return false;
}

/* @return the offset of room in the padding behind a function, 0: there is none */
static uint32_t find_behind(const struct instruction_text *text, int64_t index, const uint8_t *from,
                            const struct instruction_window *taken, unsigned n)
{
    struct function_range before;
    struct function_range behind;
    if (!functions_get(text->eh_frame, index, &before) ||
        !functions_get(text->eh_frame, index + 1, &behind) || before.start < text->start ||
        behind.end > text->start + text->size)
        return 0;
    for (const uint8_t *pad = before.end; pad + INSTRUCTIONS_JUMP <= behind.start; pad++) {
        uint32_t offset = (uint32_t)(pad - text->start);
        if (is_reached(from, pad) && !is_taken(offset, taken, n))
            return is_padding(before.end, behind.start) && ends_for_good(&before) ? offset : 0;
    }
    return 0;
}

uint32_t pads_find(const struct instruction_text *text, const uint8_t *from,
                   const struct instruction_window *taken, unsigned n)
{
    int64_t index = functions_index(text->eh_frame, from);
    for (int64_t k = index - NEIGHBOURS; k < index + NEIGHBOURS; k++) {
        uint32_t offset = find_behind(text, k, from, taken, n);
        if (offset)
            return offset;
    }
    return 0;
}
