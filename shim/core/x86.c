/* SPDX-License-Identifier: MIT */
#include "x86.h"

#include <stddef.h>
#include <string.h>

/* What follows an opcode. */
enum operands {
    N,  /* nothing */
    X,  /* no instruction */
    M,  /* ModRM */
    MB, /* ModRM and a byte */
    MZ, /* ModRM and 4 bytes, 2 with the prefix 66 */
    B,  /* a byte */
    W,  /* 2 bytes */
    Z,  /* 4 bytes, 2 with the prefix 66 */
    V,  /* the same, 8 with REX.W */
    O,  /* an address: 8 bytes, 4 with the prefix 67 */
    E,  /* 2 bytes and 1 */
    J,  /* a distance of 1 byte */
    L,  /* a distance of 4 bytes */
    G,  /* group 3: ModRM, and a byte where it is a test */
    H,  /* the same with 4 bytes */
    P   /* a prefix, or the way to another map: not here */
};

#define TWICE(a)         a, a
#define FOUR(a)          a, a, a, a
#define EIGHT(a)         FOUR(a), FOUR(a)
#define ARITHMETIC(a, b) FOUR(M), B, Z, a, b

/* clang-format off */
static const uint8_t one_byte[256] = {
    /* 00 */ ARITHMETIC(X, X), ARITHMETIC(X, P),
    /* 10 */ ARITHMETIC(X, X), ARITHMETIC(X, X),
    /* 20 */ ARITHMETIC(P, X), ARITHMETIC(P, X),
    /* 30 */ ARITHMETIC(P, X), ARITHMETIC(P, X),
    /* 40 */ EIGHT(P), EIGHT(P),
    /* 50 */ EIGHT(N), EIGHT(N),
    /* 60 */ X, X, P, M, FOUR(P), Z, MZ, B, MB, FOUR(N),
    /* 70 */ EIGHT(J), EIGHT(J),
    /* 80 */ MB, MZ, X, MB, FOUR(M), EIGHT(M),
    /* 90 */ EIGHT(N), TWICE(N), X, N, FOUR(N),
    /* a0 */ FOUR(O), FOUR(N), B, Z, TWICE(N), FOUR(N),
    /* b0 */ EIGHT(B), EIGHT(V),
    /* c0 */ TWICE(MB), W, N, TWICE(P), MB, MZ, E, N, W, N, N, B, X, N,
    /* d0 */ FOUR(M), TWICE(X), X, N, EIGHT(M),
    /* e0 */ FOUR(J), FOUR(B), TWICE(L), X, J, FOUR(N),
    /* f0 */ P, N, TWICE(P), TWICE(N), G, H, FOUR(N), TWICE(N), TWICE(M),
};
/* clang-format on */

/* clang-format off */
static const uint8_t map_0f[256] = {
    /* 00 */ FOUR(M), X, N, N, N, N, N, X, N, X, M, N, MB,
    /* 10 */ EIGHT(M), EIGHT(M),
    /* 20 */ FOUR(M), FOUR(X), EIGHT(M),
    /* 30 */ FOUR(N), TWICE(N), X, N, P, X, P, X, FOUR(X),
    /* 40 */ EIGHT(M), EIGHT(M),
    /* 50 */ EIGHT(M), EIGHT(M),
    /* 60 */ EIGHT(M), EIGHT(M),
    /* 70 */ FOUR(MB), M, M, M, N, EIGHT(M),
    /* 80 */ EIGHT(L), EIGHT(L),
    /* 90 */ EIGHT(M), EIGHT(M),
    /* a0 */ N, N, N, M, MB, M, TWICE(M), N, N, N, M, MB, M, M, M,
    /* b0 */ EIGHT(M), TWICE(M), MB, M, FOUR(M),
    /* c0 */ TWICE(M), MB, M, MB, MB, MB, M, EIGHT(N),
    /* d0 */ EIGHT(M), EIGHT(M),
    /* e0 */ EIGHT(M), EIGHT(M),
    /* f0 */ EIGHT(M), EIGHT(M),
};
/* clang-format on */

/* What is read so far. */
struct cursor {
    const uint8_t *code;
    size_t room;
    size_t at;
    bool address32;
};

static bool has(const struct cursor *c, size_t n)
{
    return c->room - c->at >= n;
}

static bool is_prefix(struct x86 *i, struct cursor *c, uint8_t byte)
{
    switch (byte) {
    case 0x66:
        i->operand16 = true;
        return true;
    case 0x67:
        c->address32 = true;
        return true;
    case 0xf2:
    case 0xf3:
        i->repeat = true;
        return true;
    case 0xf0:
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
        return true;
    default:
        return false;
    }
}

static bool read_prefixes(struct x86 *i, struct cursor *c)
{
    while (has(c, 1) && is_prefix(i, c, c->code[c->at]))
        c->at++;
    if (has(c, 1) && (c->code[c->at] & 0xf0) == 0x40)
        i->rex = c->code[c->at++];
    return has(c, 1);
}

/* VEX of 2 and 3 bytes, EVEX of 4: the opcode's map stands in them. */
static bool read_vector_prefix(struct x86 *i, struct cursor *c, size_t size)
{
    if (!has(c, size + 1) || i->rex)
        return false;
    if (size == 2)
        i->map = X86_0F;
    else
        i->map = c->code[c->at + 1] & (size == 3 ? 0x1f : 0x07);
    c->at += size;
    i->opcode = c->code[c->at++];
    return i->map != X86_ONE_BYTE && i->map <= X86_MAP6 && i->map != 4;
}

static bool read_escaped(struct x86 *i, struct cursor *c)
{
    c->at++;
    i->map = X86_0F;
    if (has(c, 1) && (c->code[c->at] == 0x38 || c->code[c->at] == 0x3a))
        i->map = c->code[c->at++] == 0x38 ? X86_0F38 : X86_0F3A;
    if (!has(c, 1))
        return false;
    i->opcode = c->code[c->at++];
    return true;
}

static bool read_opcode(struct x86 *i, struct cursor *c)
{
    switch (c->code[c->at]) {
    case 0x0f:
        return read_escaped(i, c);
    case 0xc5:
        return read_vector_prefix(i, c, 2);
    case 0xc4:
        return read_vector_prefix(i, c, 3);
    case 0x62:
        return read_vector_prefix(i, c, 4);
    default:
        i->opcode = c->code[c->at++];
        return true;
    }
}

static enum operands operands_of(const struct x86 *i)
{
    switch (i->map) {
    case X86_ONE_BYTE:
        return (enum operands)one_byte[i->opcode];
    case X86_0F:
        return (enum operands)map_0f[i->opcode];
    case X86_0F3A:
        return MB;
    default:
        return M;
    }
}

static bool read_modrm(struct x86 *i, struct cursor *c)
{
    if (!has(c, 1))
        return false;
    uint8_t modrm = i->modrm = c->code[c->at++];
    uint8_t mod = modrm >> 6;
    uint8_t base = modrm & 7;
    if (mod == 3)
        return true;
    bool indexed = base == 4;
    if (indexed && !has(c, 1))
        return false;
    if (indexed)
        base = c->code[c->at++] & 7;
    bool wide = mod == 2 || (mod == 0 && base == 5);
    if (wide && mod == 0 && !indexed)
        i->displacement = (uint8_t)c->at;
    c->at += wide ? 4 : mod;
    return true;
}

static size_t size_of_z(const struct x86 *i)
{
    return i->operand16 && !(i->rex & 8) ? 2 : 4;
}

static size_t immediate_size(const struct x86 *i, const struct cursor *c, enum operands o)
{
    bool test = (i->modrm & 0x38) <= 8;
    switch (o) {
    case MB:
    case B:
    case J:
        return 1;
    case G:
        return test ? 1 : 0;
    case H:
        return test ? size_of_z(i) : 0;
    case W:
        return 2;
    case E:
        return 3;
    case MZ:
    case Z:
        return size_of_z(i);
    case V:
        return i->rex & 8 ? 8 : size_of_z(i);
    case O:
        return c->address32 ? 4 : 8;
    case L:
        return 4;
    default:
        return 0;
    }
}

static bool has_modrm(enum operands o)
{
    return o == M || o == MB || o == MZ || o == G || o == H;
}

/* xbegin is c7 f8 and a distance. */
static bool is_branch(const struct x86 *i, enum operands o)
{
    return o == J || o == L || (o == MZ && i->opcode == 0xc7 && i->modrm == 0xf8);
}

/* 8f with a reg field that is not 0 begins an instruction of AMD's XOP. */
static bool is_known(const struct x86 *i)
{
    return i->map != X86_ONE_BYTE || i->opcode != 0x8f || (i->modrm & 0x38) == 0;
}

bool x86_decode(const uint8_t *code, uint64_t room, struct x86 *i)
{
    struct cursor c = {code, room < X86_MAX_LENGTH ? room : X86_MAX_LENGTH, 0, false};
    *i = (struct x86){0};
    if (!read_prefixes(i, &c) || !read_opcode(i, &c))
        return false;
    enum operands o = operands_of(i);
    if (o == X || o == P || (has_modrm(o) && !read_modrm(i, &c)) || !is_known(i))
        return false;
    size_t size = immediate_size(i, &c, o);
    if (is_branch(i, o)) {
        i->branch = (uint8_t)c.at;
        i->branch_size = (uint8_t)size;
    }
    i->length = (uint8_t)(c.at + size);
    return c.at + size <= c.room;
}

uint64_t x86_target(const uint8_t *code, uint64_t address, const struct x86 *i)
{
    int32_t distance = (code[i->branch] ^ 0x80) - 0x80; /* of one byte, with its sign */
    if (i->branch_size == 4)
        memcpy(&distance, code + i->branch, sizeof(distance));
    return address + i->length + (uint64_t)(int64_t)distance;
}

static bool is_group5(const struct x86 *i, unsigned first, unsigned last)
{
    unsigned reg = i->modrm >> 3 & 7;
    return i->map == X86_ONE_BYTE && i->opcode == 0xff && reg >= first && reg <= last;
}

bool x86_is_indirect_jump(const struct x86 *i)
{
    return is_group5(i, 4, 5);
}

bool x86_is_return(const struct x86 *i)
{
    return i->map == X86_ONE_BYTE && (i->opcode == 0xc3 || i->opcode == 0xc2);
}

static bool is_one_of(uint8_t opcode, const uint8_t *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == opcode)
            return true;
    return false;
}

/* Calls leave their address behind, so do system calls; the rest goes elsewhere, or never on. */
bool x86_is_movable(const struct x86 *i)
{
    static const uint8_t stays[] = {0xc2, 0xc3, 0xca, 0xcb, 0xcc, 0xcd, 0xcf, 0xf1, 0xf4};
    static const uint8_t stays_0f[] = {0x05, 0x07, 0x0b, 0x34, 0x35, 0xb9, 0xff};
    if (i->branch || is_group5(i, 2, 5))
        return false;
    if (i->map == X86_ONE_BYTE)
        return !is_one_of(i->opcode, stays, sizeof(stays));
    return i->map != X86_0F || !is_one_of(i->opcode, stays_0f, sizeof(stays_0f));
}
