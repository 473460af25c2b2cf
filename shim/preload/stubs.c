/* SPDX-License-Identifier: MIT */
#include "stubs.h"

#include <string.h>

#include "poison.h"

#define JUMP       0xe9
#define JUMP_SHORT 0xeb
#define PUSH       0x50
#define POP        0x58
#define PREFIX_B   0x41 /* the register is one of %r8 to %r15 */
#define NO_STACK   4    /* %rsp, which the stub itself moves */

void stubs_begin(struct stubs_head *head)
{
    void (*const entries[PROCESSOR_ENTRIES])(void) = {
        [PROCESSOR_RDTSC] = processor_enter_rdtsc,
        [PROCESSOR_RDTSCP] = processor_enter_rdtscp,
        [PROCESSOR_RANDOM16] = processor_enter_random16,
        [PROCESSOR_RANDOM32] = processor_enter_random32,
        [PROCESSOR_RANDOM64] = processor_enter_random64,
    };
    for (size_t i = 0; i < PROCESSOR_ENTRIES; i++)
        head->entries[i] = (uintptr_t)entries[i];
}

/** A stub being written. */
struct writer {
    uint8_t *at;
    bool good;
};

static void put(struct writer *w, const void *bytes, size_t n)
{
    memcpy(w->at, bytes, n);
    w->at += n;
}

static void put_byte(struct writer *w, uint8_t byte)
{
    *w->at++ = byte;
}

static void put_distance(struct writer *w, uintptr_t to)
{
    int64_t distance = (int64_t)(to - ((uintptr_t)w->at + 4));
    int32_t brief = (int32_t)distance;
    w->good = w->good && brief == distance;
    put(w, &brief, sizeof(brief));
}

static void put_register(struct writer *w, uint8_t operation, unsigned number)
{
    if (number >= 8)
        put_byte(w, PREFIX_B);
    put_byte(w, (uint8_t)(operation + (number & 7)));
}

static enum processor_entry random_entry(const struct x86 *i)
{
    if (i->rex & 8)
        return PROCESSOR_RANDOM64;
    return i->operand16 ? PROCESSOR_RANDOM16 : PROCESSOR_RANDOM32;
}

/* lea -128(%rsp),%rsp; call *entry(%rip); lea 128(%rsp),%rsp. The number's register is pushed
 * first, and popped with the number in it. */
static void put_call(struct writer *w, const struct stubs_head *head, const struct x86 *i)
{
    static const uint8_t skip[] = {0x48, 0x8d, 0x64, 0x24, 0x80};
    static const uint8_t back[] = {0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0};
    static const uint8_t call[] = {0xff, 0x15};
    enum instruction_kind kind = instructions_kind(i);
    unsigned number = (i->modrm & 7U) | (i->rex & 1U) << 3;
    bool random = kind == INSTRUCTION_RANDOM;
    enum processor_entry entry = kind == INSTRUCTION_RDTSC ? PROCESSOR_RDTSC : PROCESSOR_RDTSCP;
    w->good = w->good && kind != INSTRUCTION_NONE && !(random && number == NO_STACK);
    put(w, skip, sizeof(skip));
    if (random)
        put_register(w, PUSH, number);
    put(w, call, sizeof(call));
    put_distance(w, (uintptr_t)&head->entries[random ? random_entry(i) : entry]);
    if (random)
        put_register(w, POP, number);
    put(w, back, sizeof(back));
}

static void put_moved(struct writer *w, const uint8_t *code, const struct x86 *i)
{
    uint8_t *at = w->at;
    put(w, code, i->length);
    if (!i->displacement)
        return;
    int32_t distance;
    memcpy(&distance, code + i->displacement, sizeof(distance));
    struct writer field = {at + i->displacement, w->good};
    put_distance(&field, (uintptr_t)code + i->displacement + 4 + (uintptr_t)(intptr_t)distance);
    w->good = field.good;
}

size_t stubs_write(uint8_t *stub, const struct stubs_head *head, const uint8_t *code,
                   const struct instruction_window *window)
{
    struct writer w = {stub, true};
    for (size_t at = 0; at < window->length && w.good;) {
        struct x86 i;
        w.good = x86_decode(code + at, window->length - at, &i);
        if (w.good && at == window->site)
            put_call(&w, head, &i);
        else if (w.good)
            put_moved(&w, code + at, &i);
        at += i.length;
    }
    put_byte(&w, JUMP);
    put_distance(&w, (uintptr_t)code + window->length);
    return w.good ? (size_t)(w.at - stub) : 0;
}

static struct patch jump(const uint8_t *from, const uint8_t *to)
{
    struct patch patch = {.address = (uintptr_t)from, .bytes = {JUMP}, .length = INSTRUCTIONS_JUMP};
    int32_t distance = (int32_t)(to - (from + INSTRUCTIONS_JUMP));
    memcpy(patch.bytes + 1, &distance, sizeof(distance));
    return patch;
}

size_t stubs_lead(const uint8_t *text, const struct instruction_window *window, const uint8_t *stub,
                  struct patch patches[2])
{
    const uint8_t *code = text + window->start;
    const uint8_t *pad = text + window->pad;
    patches[0] = jump(window->pad ? pad : code, stub);
    if (!window->pad)
        return 1;
    patches[1] = (struct patch){
        .address = (uintptr_t)code,
        .bytes = {JUMP_SHORT, (uint8_t)(pad - (code + 2))},
        .length = 2,
    };
    return 2;
}
