/* SPDX-License-Identifier: MIT */
#include "lineage.h"

#include <string.h>

/* xxHash as a header: no symbol of it is left in the shim. */
#define XXH_INLINE_ALL
#define XXH_VECTOR 0
#include <xxhash.h>

#include "clock.h"
#include "decimal.h"
#include "hash.h"
#include "owned.h"
#include "pidmap.h"

#define ROOT_LINEAGE_SEED UINT64_C(0x64657472756e0001)

static uint64_t mix(uint64_t creator, uint64_t kind, uint64_t number)
{
    uint64_t words[3] = {creator, kind, number};
    return hash_bytes(words, sizeof(words), ROOT_LINEAGE_SEED);
}

void lineage_key(uint64_t seed, uint8_t key[32])
{
    for (uint64_t i = 0; i < 4; i++) {
        uint64_t word = mix(seed, LINEAGE_THREAD + 1, i);
        memcpy(key + 8 * i, &word, sizeof(word));
    }
}

void lineage_count_gap(struct detrun_memory *m, enum detrun_gap gap)
{
    atomic_fetch_add_explicit(&m->shared.gaps[gap], 1, memory_order_relaxed);
}

static bool take_bit(_Atomic uint64_t *word, unsigned *bit)
{
    uint64_t seen = atomic_load_explicit(word, memory_order_relaxed);
    while (~seen != 0) {
        *bit = (unsigned)__builtin_ctzll(~seen);
        if (atomic_compare_exchange_weak_explicit(word, &seen, seen | UINT64_C(1) << *bit,
                                                  memory_order_acq_rel, memory_order_relaxed))
            return true;
    }
    return false;
}

/* Index 0 means "none": its bit is set by the first allocation and stays. */
static struct detrun_task *allocate(struct detrun_memory *m)
{
    uint32_t hint = atomic_load_explicit(&m->shared.allocation_hint, memory_order_relaxed);
    atomic_fetch_or_explicit(&m->used[0], 1, memory_order_relaxed);
    for (uint32_t i = 0; i < DETRUN_USED_WORDS; i++) {
        uint32_t word = (hint + i) % DETRUN_USED_WORDS;
        unsigned bit;
        if (!take_bit(&m->used[word], &bit))
            continue;
        if (i != 0)
            atomic_store_explicit(&m->shared.allocation_hint, word, memory_order_relaxed);
        atomic_fetch_add_explicit(&m->shared.tasks_in_use, 1, memory_order_relaxed);
        return &m->tasks[word * 64 + bit];
    }
    lineage_count_gap(m, DETRUN_GAP_TABLE_FULL);
    return NULL;
}

static struct detrun_task *fresh(struct detrun_memory *m)
{
    struct detrun_task *t = allocate(m);
    if (!t)
        return NULL;
    memset(t, 0, sizeof(*t));
    uint32_t nonce = atomic_fetch_add_explicit(&m->shared.next_nonce, 1, memory_order_relaxed) + 1;
    atomic_store_explicit(&t->nonce, nonce, memory_order_relaxed);
    return t;
}

static void bind_real(struct detrun_memory *m, struct detrun_task *t, int32_t pid, int32_t tid)
{
    atomic_store_explicit(&t->real_pid, pid, memory_order_relaxed);
    atomic_store_explicit(&t->real_tid, tid, memory_order_relaxed);
    if (tid > 0 && tid < DETRUN_REAL_PID_LIMIT)
        atomic_store_explicit(detrun_index_of(m, tid), lineage_index(m, t), memory_order_release);
}

/* Too deep, or numbered by timing: its lineage stands for the rest. */
static void place_by_lineage(struct detrun_task *t)
{
    static const char digits[] = "0123456789abcdef";
    t->place[0] = '~';
    for (int i = 0; i < 16; i++)
        t->place[1 + i] = digits[t->lineage >> (60 - 4 * i) & 15];
    t->place[17] = '\0';
}

static void place_below(struct detrun_task *t, const struct detrun_task *creator)
{
    size_t n = strlen(creator->place);
    if (n + 1 + DECIMAL_MAX >= sizeof(t->place)) {
        place_by_lineage(t);
        return;
    }
    memcpy(t->place, creator->place, n);
    t->place[n] = '.';
    t->place[n + 1 + decimal_put(t->place + n + 1, t->number)] = '\0';
}

static struct detrun_task *known(struct detrun_memory *m, uint64_t lineage, const char *place,
                                 uint32_t state, int32_t real_pid)
{
    struct detrun_task *t = fresh(m);
    if (!t)
        return NULL;
    t->lineage = lineage;
    memcpy(t->place, place, strlen(place) + 1);
    t->vpid = t->vtid = pidmap_insert(m, t);
    t->process = lineage_index(m, t);
    t->guard_reads = CLOCK_GUARD_READS_NOTIFIED;
    bind_real(m, t, real_pid, real_pid);
    atomic_store_explicit(&t->state, state, memory_order_release);
    return t;
}

struct detrun_task *lineage_outside(struct detrun_memory *m, enum lineage_outside which,
                                    int32_t real_pid)
{
    uint64_t lineage = mix(0, LINEAGE_PROCESS, (uint64_t)which);
    return known(m, lineage, "0", DETRUN_OUTSIDE, real_pid);
}

#define ROOT_PLACE "1"

struct detrun_task *lineage_root(struct detrun_memory *m, int32_t real_pid)
{
    return lineage_root_at(m, real_pid, ROOT_PLACE);
}

struct detrun_task *lineage_root_at(struct detrun_memory *m, int32_t real_pid, const char *place)
{
    bool first = !place || (place[0] == ROOT_PLACE[0] && place[1] == '\0');
    uint64_t creator = first ? 0 : hash_bytes(place, strlen(place), ROOT_LINEAGE_SEED);
    uint64_t lineage = mix(creator, LINEAGE_PROCESS, 0);
    return known(m, lineage, first ? ROOT_PLACE : place, DETRUN_RUNNING, real_pid);
}

static void take_cpus(struct detrun_task *t, const struct detrun_task *creator)
{
    uint64_t cpus = atomic_load_explicit(&creator->cpus, memory_order_relaxed);
    atomic_store_explicit(&t->cpus, cpus, memory_order_relaxed);
}

static void make_thread(struct detrun_task *t, const struct detrun_task *creator)
{
    t->vpid = creator->vpid;
    t->parent_vpid = creator->parent_vpid;
    t->process = creator->process;
    atomic_fetch_or_explicit(&t->flags, DETRUN_TASK_THREAD, memory_order_relaxed);
}

/* The test goes on in those that it starts. */
static void take_key(struct detrun_task *t, const struct detrun_task *creator)
{
    if (!lineage_is_keyed(creator))
        return;
    memcpy(t->key, creator->key, sizeof(t->key));
    atomic_fetch_or_explicit(&t->flags, DETRUN_TASK_KEYED, memory_order_relaxed);
}

static struct detrun_task *prepare(struct detrun_memory *m, struct detrun_task *creator,
                                   enum lineage_kind kind, uint64_t lineage)
{
    struct detrun_task *t = fresh(m);
    if (!t)
        return NULL;
    t->number = creator->children;
    t->lineage = lineage;
    place_below(t, creator);
    take_key(t, creator);
    take_cpus(t, creator);
    t->vpid = t->vtid = pidmap_insert(m, t);
    t->parent = lineage_index(m, creator);
    t->parent_nonce = atomic_load_explicit(&creator->nonce, memory_order_relaxed);
    t->parent_vpid = creator->vpid;
    t->process = lineage_index(m, t);
    t->space = creator->space;
    if (kind == LINEAGE_THREAD)
        make_thread(t, creator);
    clock_inherit(t, creator);
    t->guard_reads = creator->guard_reads;
    atomic_store_explicit(&t->state, DETRUN_PREPARED, memory_order_release);
    return t;
}

/* Of the child that was just counted, within its test. */
static uint64_t number_of_next(const struct detrun_task *creator)
{
    return creator->children - creator->children_before;
}

struct detrun_task *lineage_prepare(struct detrun_memory *m, struct detrun_task *creator,
                                    enum lineage_kind kind)
{
    creator->children++;
    return prepare(m, creator, kind, mix(creator->lineage, kind, number_of_next(creator)));
}

/* Full: the last slot is shared, and names in it count together. */
static uint64_t next_of_name(struct detrun_memory *m, uint64_t key)
{
    struct detrun_name *slot = NULL;
    for (uint64_t i = 0; i < DETRUN_NAMES; i++) {
        slot = &m->names[(key + i) % DETRUN_NAMES];
        if (slot->key == key || slot->key == 0)
            break;
    }
    slot->key = key;
    return ++slot->count;
}

struct detrun_task *lineage_prepare_named(struct detrun_memory *m, struct detrun_task *creator,
                                          const char *name)
{
    uint64_t key = hash_bytes(name, strlen(name), creator->lineage);
    creator->children++;
    struct detrun_task *t =
        prepare(m, creator, LINEAGE_PROCESS, mix(creator->lineage, key, next_of_name(m, key)));
    if (!t)
        return NULL;
    place_by_lineage(t);
    clock_inherit_little(t, creator);
    return t;
}

void lineage_private(const struct detrun_memory *m, const struct detrun_task *creator,
                     struct detrun_task *spare)
{
    memset(spare, 0, sizeof(*spare));
    spare->lineage = mix(creator->lineage, LINEAGE_PROCESS, number_of_next(creator));
    place_by_lineage(spare);
    take_key(spare, creator);
    take_cpus(spare, creator);
    spare->vpid = spare->vtid = pidmap_first_choice(m, spare);
    spare->parent_vpid = creator->vpid;
    spare->space = creator->space;
    clock_inherit(spare, creator);
    spare->guard_reads = creator->guard_reads;
    atomic_store_explicit(&spare->state, DETRUN_RUNNING, memory_order_relaxed);
}

bool lineage_claim(struct detrun_memory *m, struct detrun_task *t, int32_t real_pid,
                   int32_t real_tid)
{
    uint32_t expected = DETRUN_PREPARED;
    if (!atomic_compare_exchange_strong_explicit(&t->state, &expected, DETRUN_RUNNING,
                                                 memory_order_acq_rel, memory_order_relaxed))
        return false;
    bind_real(m, t, real_pid, real_tid);
    return true;
}

/* Half bound: who binds it is at it just now, or was killed between any two steps of that. To do it
 * once more is the same; only of one that has ended the number may be another's. */
static bool is_bound(struct detrun_memory *m, const struct detrun_task *t, int32_t real_pid)
{
    int32_t tid = atomic_load_explicit(&t->real_tid, memory_order_relaxed);
    bool half = tid == real_pid && lineage_state(t) != DETRUN_ENDED;
    return tid != 0 && !(half && lineage_by_real(m, tid) != t);
}

void lineage_confirm(struct detrun_memory *m, struct detrun_task *t, int32_t real_pid)
{
    /* Bound before it is claimed: whoever finds it claimed finds it by its pid. */
    if (!is_bound(m, t, real_pid))
        bind_real(m, t, real_pid, real_pid);
    uint32_t expected = DETRUN_PREPARED;
    atomic_compare_exchange_strong_explicit(&t->state, &expected, DETRUN_RUNNING,
                                            memory_order_acq_rel, memory_order_relaxed);
}

void lineage_abandon(struct detrun_memory *m, struct detrun_task *creator, struct detrun_task *t)
{
    creator->children--;
    if (t)
        lineage_free(m, t);
}

bool lineage_end(struct detrun_task *t)
{
    uint32_t expected = DETRUN_RUNNING;
    return atomic_compare_exchange_strong_explicit(&t->state, &expected, DETRUN_ENDED,
                                                   memory_order_acq_rel, memory_order_relaxed);
}

void lineage_begin(const struct detrun_memory *m, struct detrun_task *t, const uint8_t key[32])
{
    uint64_t word;
    memcpy(&word, key, sizeof(word));
    memcpy(t->key, key, sizeof(t->key));
    t->lineage = mix(word, LINEAGE_THREAD + 2, 0);
    t->generation = 0;
    t->children_before = t->children;
    for (int i = 0; i < DETRUN_STREAMS; i++)
        atomic_store_explicit(&t->position[i], 0, memory_order_relaxed);
    atomic_fetch_or_explicit(&t->flags, DETRUN_TASK_KEYED, memory_order_release);
    clock_restart(m, t, key);
}

void lineage_inputs(const struct detrun_task *t, uint64_t sum[2])
{
    uint64_t words[1 + DETRUN_STREAMS + DETRUN_FAMILIES] = {t->lineage};
    uint64_t used = 0;
    for (int i = 0; i < DETRUN_STREAMS; i++)
        used |= words[1 + i] = atomic_load_explicit(&t->position[i], memory_order_relaxed);
    for (int family = 0; family < DETRUN_FAMILIES; family++)
        for (int door = 0; door < DETRUN_DOORS; door++)
            used |= words[1 + DETRUN_STREAMS + family] += t->answered[family][door];
    if (used == 0)
        return;
    XXH128_hash_t hash = XXH3_128bits(words, sizeof(words));
    sum[0] += hash.low64;
    sum[1] += hash.high64;
}

static void add_inputs(struct detrun_memory *m, const struct detrun_task *t)
{
    uint64_t sum[2] = {0, 0};
    lineage_inputs(t, sum);
    for (int i = 0; i < 2; i++)
        if (sum[i] != 0)
            atomic_fetch_add_explicit(&m->shared.inputs[i], sum[i], memory_order_relaxed);
}

static void add_counts(struct detrun_memory *m, const struct detrun_task *t)
{
    for (int source = 0; source < DETRUN_TASK_SOURCES; source++)
        for (int door = 0; door < DETRUN_DOORS; door++)
            if (t->answered[source][door] != 0)
                atomic_fetch_add_explicit(&m->shared.answered[source][door],
                                          t->answered[source][door], memory_order_relaxed);
}

/* The number may still be named: a signal that waits to be taken says who sent it. Virtual ids are
 * larger than every index. */
static void unbind_real(struct detrun_memory *m, const struct detrun_task *t)
{
    int32_t tid = atomic_load_explicit(&t->real_tid, memory_order_relaxed);
    uint32_t index = lineage_index(m, t);
    if (tid > 0 && tid < DETRUN_REAL_PID_LIMIT)
        atomic_compare_exchange_strong_explicit(detrun_index_of(m, tid), &index, t->vtid,
                                                memory_order_acq_rel, memory_order_relaxed);
}

void lineage_free(struct detrun_memory *m, struct detrun_task *t)
{
    if (atomic_exchange_explicit(&t->state, DETRUN_FREE, memory_order_acq_rel) == DETRUN_FREE)
        return;
    add_counts(m, t);
    add_inputs(m, t);
    unbind_real(m, t);
    pidmap_remove(m, t);
    uint32_t index = lineage_index(m, t);
    atomic_fetch_sub_explicit(&m->shared.tasks_in_use, 1, memory_order_relaxed);
    atomic_fetch_and_explicit(&m->used[index / 64], ~(UINT64_C(1) << index % 64),
                              memory_order_release);
}

void lineage_next_image(struct detrun_task *t)
{
    t->generation++;
}

void lineage_keep_image(struct detrun_task *t)
{
    t->generation--;
}

struct detrun_task *lineage_by_vpid(struct detrun_memory *m, int32_t vpid)
{
    return pidmap_find(m, (uint32_t)vpid);
}

struct detrun_task *lineage_by_real(struct detrun_memory *m, int32_t real_tid)
{
    if (real_tid <= 0 || real_tid >= DETRUN_REAL_PID_LIMIT)
        return NULL;
    uint32_t index = atomic_load_explicit(detrun_index_of(m, real_tid), memory_order_acquire);
    if (index == 0 || index >= DETRUN_MAX_TASKS)
        return NULL;
    struct detrun_task *t = &m->tasks[index];
    return lineage_state(t) == DETRUN_FREE ? NULL : t;
}

struct detrun_task *lineage_by_inner(struct detrun_memory *m, uint32_t space, int32_t tid)
{
    for (uint32_t word = 0; tid > 0 && word < DETRUN_USED_WORDS; word++) {
        uint64_t used = atomic_load_explicit(&m->used[word], memory_order_relaxed);
        for (; used; used &= used - 1) {
            struct detrun_task *t = &m->tasks[word * 64 + (uint32_t)__builtin_ctzll(used)];
            if (t->space == space && lineage_state(t) != DETRUN_FREE &&
                atomic_load_explicit(&t->inner_tid, memory_order_relaxed) == tid)
                return t;
        }
    }
    return NULL;
}

uint32_t lineage_virtual(struct detrun_memory *m, int32_t real_tid)
{
    const struct detrun_task *t = lineage_by_real(m, real_tid);
    /* A thread of an image without shim goes under its process's record: no id of its own. */
    if (t)
        return atomic_load_explicit(&t->real_tid, memory_order_relaxed) == real_tid ? t->vtid : 0;
    if (real_tid <= 0 || real_tid >= DETRUN_REAL_PID_LIMIT)
        return 0;
    uint32_t left = atomic_load_explicit(detrun_index_of(m, real_tid), memory_order_acquire);
    return left >= DETRUN_VPID_FIRST ? left : 0;
}

struct detrun_task *lineage_process(struct detrun_memory *m, struct detrun_task *t)
{
    struct detrun_task *first = &m->tasks[t->process % DETRUN_MAX_TASKS];
    return first->vpid == t->vpid && lineage_state(first) != DETRUN_FREE ? first : t;
}

bool lineage_orphaned(const struct detrun_memory *m, const struct detrun_task *t)
{
    if (t->parent == 0)
        return false;
    const struct detrun_task *parent = &m->tasks[t->parent % DETRUN_MAX_TASKS];
    return lineage_state(parent) == DETRUN_FREE ||
           atomic_load_explicit(&parent->nonce, memory_order_relaxed) != t->parent_nonce;
}

/* Its creator may have been a thread that ended before the process did; one that was waited for
 * keeps its record while it leads a group. */
static bool parent_lives(struct detrun_memory *m, const struct detrun_task *process)
{
    if (process->parent == 0)
        return true;
    const struct detrun_task *parent = lineage_by_vpid(m, (int32_t)process->parent_vpid);
    return parent && lineage_state(parent) != DETRUN_ENDED;
}

bool lineage_is_child_of_first(const struct detrun_memory *m, const struct detrun_task *process)
{
    const struct detrun_task *first = &m->tasks[process->space % DETRUN_MAX_TASKS];
    return process->space != 0 && process->parent_vpid == first->vpid && lineage_is_first(m, first);
}

uint32_t lineage_parent(struct detrun_memory *m, struct detrun_task *process, uint32_t space)
{
    if (space != 0 && process->space == space) {
        if (lineage_index(m, process) == space)
            return 0;
        if (lineage_is_child_of_first(m, process))
            return 1;
    }
    if (process->parent_asked < LINEAGE_PARENT_ASKED) {
        owned_count(&process->parent_asked);
        return process->parent_vpid;
    }
    return parent_lives(m, process) ? process->parent_vpid : 1;
}
