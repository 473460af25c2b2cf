/* SPDX-License-Identifier: MIT */
/*
 * What compilers call by themselves, and what core calls by name: the shim links no libc. Moves of
 * 16 to 256 bytes are the common ones (records, keystream), so they are vector moves that overlap
 * instead of loops over bytes; beyond that the processor's own string moves are as fast.
 */
#include <stdint.h>
#include <string.h>

#define WORD_LOOP_MAX 256

/* Any address, any type behind it. */
typedef long long chunk16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t chunk8 __attribute__((aligned(1), may_alias));
typedef uint32_t chunk4 __attribute__((aligned(1), may_alias));
typedef uint16_t chunk2 __attribute__((aligned(1), may_alias));

#define LOAD(type, p, at)         (*(const type *)((const uint8_t *)(p) + (at)))
#define STORE(type, p, at, value) (*(type *)((uint8_t *)(p) + (at)) = (value))

/* Both ends, loaded before either is stored: right for any overlap. */
#define MOVE_ENDS(type, to, from, n)                                                               \
    do {                                                                                           \
        type head = LOAD(type, from, 0);                                                           \
        type tail = LOAD(type, from, (n) - sizeof(type));                                          \
        STORE(type, to, 0, head);                                                                  \
        STORE(type, to, (n) - sizeof(type), tail);                                                 \
    } while (0)

static inline void move_to_32(void *to, const void *from, size_t n)
{
    if (n >= 16)
        MOVE_ENDS(chunk16, to, from, n);
    else if (n >= 8)
        MOVE_ENDS(chunk8, to, from, n);
    else if (n >= 4)
        MOVE_ENDS(chunk4, to, from, n);
    else if (n >= 2)
        MOVE_ENDS(chunk2, to, from, n);
    else if (n == 1)
        STORE(uint8_t, to, 0, LOAD(uint8_t, from, 0));
}

static inline void move_33_to_64(void *to, const void *from, size_t n)
{
    chunk16 a = LOAD(chunk16, from, 0);
    chunk16 b = LOAD(chunk16, from, 16);
    chunk16 c = LOAD(chunk16, from, n - 32);
    chunk16 d = LOAD(chunk16, from, n - 16);
    STORE(chunk16, to, 0, a);
    STORE(chunk16, to, 16, b);
    STORE(chunk16, to, n - 32, c);
    STORE(chunk16, to, n - 16, d);
}

/* Source and target do not overlap, or the target lies below: each load precedes what it feeds. */
static inline void move_upwards(void *to, const void *from, size_t n)
{
    if (n > WORD_LOOP_MAX) {
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
        return;
    }
    chunk16 last_a = LOAD(chunk16, from, n - 32);
    chunk16 last_b = LOAD(chunk16, from, n - 16);
    size_t at = 0;
    for (; at + 32 < n; at += 32) {
        chunk16 a = LOAD(chunk16, from, at);
        chunk16 b = LOAD(chunk16, from, at + 16);
        STORE(chunk16, to, at, a);
        STORE(chunk16, to, at + 16, b);
    }
    STORE(chunk16, to, n - 32, last_a);
    STORE(chunk16, to, n - 16, last_b);
}

static inline void move_downwards(void *to, const void *from, size_t n)
{
    chunk16 first_a = LOAD(chunk16, from, 0);
    chunk16 first_b = LOAD(chunk16, from, 16);
    size_t end = n;
    for (; end > 32; end -= 32) {
        chunk16 a = LOAD(chunk16, from, end - 16);
        chunk16 b = LOAD(chunk16, from, end - 32);
        STORE(chunk16, to, end - 16, a);
        STORE(chunk16, to, end - 32, b);
    }
    STORE(chunk16, to, 0, first_a);
    STORE(chunk16, to, 16, first_b);
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    if (n <= 32)
        move_to_32(to, from, n);
    else if (n <= 64)
        move_33_to_64(to, from, n);
    else
        move_upwards(to, from, n);
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    if (n <= 32)
        move_to_32(to, from, n);
    else if (n <= 64)
        move_33_to_64(to, from, n);
    else if ((uintptr_t)to - (uintptr_t)from >= n)
        move_upwards(to, from, n);
    else
        move_downwards(to, from, n);
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    uint64_t word = (uint8_t)byte * UINT64_C(0x0101010101010101);
    if (n > WORD_LOOP_MAX) {
        void *at = to;
        __asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(byte) : "memory");
        return to;
    }
    if (n < 8) {
        for (size_t i = 0; i < n; i++)
            STORE(uint8_t, to, i, (uint8_t)byte);
        return to;
    }
    for (size_t i = 0; i + 8 < n; i += 8)
        STORE(chunk8, to, i, word);
    STORE(chunk8, to, n - 8, word);
    return to;
}

int memcmp(const void *left, const void *right, size_t n)
{
    size_t i = 0;
    while (i + 8 <= n && LOAD(chunk8, left, i) == LOAD(chunk8, right, i))
        i += 8;
    for (; i < n; i++) {
        int difference = LOAD(uint8_t, left, i) - LOAD(uint8_t, right, i);
        if (difference != 0)
            return difference;
    }
    return 0;
}

size_t strlen(const char *text)
{
    size_t n = 0;
    while (text[n] != '\0')
        n++;
    return n;
}
