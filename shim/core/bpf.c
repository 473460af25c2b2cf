/* SPDX-License-Identifier: MIT */
#include "bpf.h"

#include <stdbool.h>

/* Source: kernel/seccomp.c, seccomp_check_filter(), names the instructions a filter may have. */

struct machine {
    uint32_t a;
    uint32_t x;
    uint32_t memory[BPF_MEMWORDS];
    const struct seccomp_data *data;
};

static uint32_t word_of(const struct seccomp_data *data, uint32_t offset)
{
    if (offset % sizeof(uint32_t) != 0 || offset >= sizeof(*data))
        return 0;
    return ((const uint32_t *)(const void *)data)[offset / sizeof(uint32_t)];
}

static uint32_t loaded_value(const struct machine *m, const struct sock_filter *i)
{
    switch (BPF_MODE(i->code)) {
    case BPF_ABS:
        return word_of(m->data, i->k);
    case BPF_MEM:
        return m->memory[i->k % BPF_MEMWORDS];
    case BPF_LEN:
        return sizeof(*m->data);
    default:
        return i->k;
    }
}

static uint32_t computed(uint32_t a, unsigned operation, uint32_t b)
{
    switch (operation) {
    case BPF_ADD:
        return a + b;
    case BPF_SUB:
        return a - b;
    case BPF_MUL:
        return a * b;
    case BPF_DIV:
        return b ? a / b : 0;
    case BPF_OR:
        return a | b;
    case BPF_AND:
        return a & b;
    case BPF_XOR:
        return a ^ b;
    case BPF_LSH:
        return a << (b & 31);
    case BPF_RSH:
        return a >> (b & 31);
    default:
        return 0 - a;
    }
}

static uint32_t distance(const struct sock_filter *i, uint32_t a, uint32_t b)
{
    bool taken = false;
    switch (BPF_OP(i->code)) {
    case BPF_JA:
        return i->k;
    case BPF_JEQ:
        taken = a == b;
        break;
    case BPF_JGT:
        taken = a > b;
        break;
    case BPF_JGE:
        taken = a >= b;
        break;
    default:
        taken = (a & b) != 0;
        break;
    }
    return taken ? i->jt : i->jf;
}

static void step(struct machine *m, const struct sock_filter *i, uint32_t operand)
{
    switch (BPF_CLASS(i->code)) {
    case BPF_LD:
        m->a = loaded_value(m, i);
        break;
    case BPF_LDX:
        m->x = loaded_value(m, i);
        break;
    case BPF_ST:
        m->memory[i->k % BPF_MEMWORDS] = m->a;
        break;
    case BPF_STX:
        m->memory[i->k % BPF_MEMWORDS] = m->x;
        break;
    case BPF_ALU:
        m->a = computed(m->a, BPF_OP(i->code), operand);
        break;
    default:
        if (BPF_MISCOP(i->code) == BPF_TXA)
            m->a = m->x;
        else
            m->x = m->a;
        break;
    }
}

uint32_t bpf_run(const struct sock_filter *code, size_t n, const struct seccomp_data *data)
{
    struct machine m = {.data = data};
    for (size_t at = 0; at < n; at++) {
        const struct sock_filter *i = &code[at];
        uint32_t operand = BPF_SRC(i->code) == BPF_X ? m.x : i->k;
        if (BPF_CLASS(i->code) == BPF_RET)
            return BPF_RVAL(i->code) == BPF_A ? m.a : i->k;
        if (BPF_CLASS(i->code) == BPF_JMP)
            at += distance(i, m.a, operand);
        else
            step(&m, i, operand);
    }
    return SECCOMP_RET_KILL_PROCESS;
}
