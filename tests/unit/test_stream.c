/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "job.h"
#include "stream.h"

/* ChaCha once more, one block and one word at a time, after the original paper. */
static uint32_t rotate(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

static void quarter(uint32_t x[16], int a, int b, int c, int d)
{
    x[a] += x[b];
    x[d] = rotate(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = rotate(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = rotate(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = rotate(x[b] ^ x[c], 7);
}

static void chacha_block(const uint8_t key[32], uint64_t nonce, uint64_t block, int rounds,
                         uint8_t out[64])
{
    uint32_t x[16];
    uint32_t start[16];
    memcpy(start, "expand 32-byte k", 16);
    memcpy(start + 4, key, 32);
    memcpy(start + 12, &block, 8);
    memcpy(start + 14, &nonce, 8);
    memcpy(x, start, sizeof(x));
    for (int i = 0; i < rounds; i += 2) {
        for (int column = 0; column < 4; column++)
            quarter(x, column, 4 + column, 8 + column, 12 + column);
        for (int diagonal = 0; diagonal < 4; diagonal++)
            quarter(x, diagonal, 4 + (diagonal + 1) % 4, 8 + (diagonal + 2) % 4,
                    12 + (diagonal + 3) % 4);
    }
    for (int i = 0; i < 16; i++)
        x[i] += start[i];
    memcpy(out, x, 64);
}

START_TEST(zero_key_gives_the_published_chacha8_vector)
{
    /* draft-strombergson-chacha-test-vectors, TC1, 256-bit key, 8 rounds, block 0. */
    static const uint8_t expected[64] = {
        0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f,
        0x09, 0xa5, 0xa1, 0x2c, 0x84, 0x0e, 0xc3, 0xce, 0x9a, 0x7f, 0x3b, 0x18, 0x1b,
        0xe1, 0x88, 0xef, 0x71, 0x1a, 0x1e, 0x98, 0x4c, 0xe1, 0x72, 0xb9, 0x21, 0x6f,
        0x41, 0x9f, 0x44, 0x53, 0x67, 0x45, 0x6d, 0x56, 0x19, 0x31, 0x4a, 0x42, 0xa3,
        0xda, 0x86, 0xb0, 0x01, 0x38, 0x7b, 0xfd, 0xb8, 0x0e, 0x0c, 0xfe, 0x42};
    struct detrun_memory *m = job_new();
    struct detrun_task t;
    uint8_t bytes[64];
    memset(m->params.key, 0, sizeof(m->params.key));
    memset(&t, 0, sizeof(t));
    stream_at(m, &t, DETRUN_STREAM_RANDOM, 0, bytes, sizeof(bytes));
    ck_assert_mem_eq(bytes, expected, sizeof(bytes));
    chacha_block(m->params.key, 0, 0, 8, bytes);
    ck_assert_mem_eq(bytes, expected, sizeof(bytes));
}
END_TEST

START_TEST(the_test_s_own_chacha_gives_the_published_20_round_vector)
{
    static const uint8_t expected[16] = {0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90,
                                         0x40, 0x5d, 0x6a, 0xe5, 0x53, 0x86, 0xbd, 0x28};
    uint8_t key[32] = {0};
    uint8_t bytes[64];
    chacha_block(key, 0, 0, 20, bytes);
    ck_assert_mem_eq(bytes, expected, sizeof(expected));
}
END_TEST

/* The nonce is the core's own matter; with generation 0 and stream 0 it is the lineage. */
START_TEST(every_place_is_what_scalar_chacha_gives)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    static const uint64_t blocks[] = {0, 1, 3, 4, 1000, 0xfffffffe, 0xffffffff, 0x100000000};
    uint8_t expected[192];
    uint8_t bytes[128];
    for (unsigned i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        for (unsigned k = 0; k < 3; k++)
            chacha_block(m->params.key, t->lineage, blocks[i] + k, 8, expected + 64 * k);
        for (unsigned offset = 0; offset < 64; offset++) {
            stream_at(m, t, DETRUN_STREAM_RANDOM, blocks[i] * 64 + offset, bytes, 128);
            ck_assert_mem_eq(bytes, expected + offset, 128);
        }
    }
}
END_TEST

static void fill_in_pieces(struct detrun_memory *m, struct detrun_task *t,
                           struct stream_cache *cache, uint8_t *out, size_t len)
{
    size_t piece = 1;
    for (size_t done = 0; done < len; done += piece) {
        piece = piece * 5 % 1023 + 1;
        if (piece > len - done)
            piece = len - done;
        stream_fill(m, t, DETRUN_STREAM_RANDOM, cache, out + done, piece);
    }
}

START_TEST(pieces_and_cache_do_not_matter)
{
    static uint8_t whole[100000];
    static uint8_t plain[sizeof(whole)];
    static uint8_t cached[sizeof(whole)];
    static struct stream_cache cache;
    for (int which = 0; which < 3; which++) {
        struct detrun_memory *m = job_new();
        struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
        if (which == 0)
            stream_fill(m, t, DETRUN_STREAM_RANDOM, NULL, whole, sizeof(whole));
        else
            fill_in_pieces(m, t, which == 1 ? NULL : &cache, which == 1 ? plain : cached,
                           sizeof(whole));
        ck_assert_uint_eq(t->position[DETRUN_STREAM_RANDOM], sizeof(whole));
        job_free(m);
    }
    ck_assert_mem_eq(whole, plain, sizeof(whole));
    ck_assert_mem_eq(whole, cached, sizeof(whole));
}
END_TEST

START_TEST(one_cache_serves_streams_and_generations_in_turn)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    struct stream_cache cache = {0};
    uint8_t got[8];
    uint8_t expected[8];
    for (uint64_t i = 0; i < 300; i++) {
        enum detrun_stream stream = i % 2 ? DETRUN_STREAM_DEVICE : DETRUN_STREAM_RANDOM;
        uint64_t position = t->position[stream];
        t->generation = (uint32_t)(i / 100);
        stream_fill(m, t, stream, &cache, got, sizeof(got));
        stream_at(m, t, stream, position, expected, sizeof(expected));
        ck_assert_mem_eq(got, expected, sizeof(got));
    }
}
END_TEST

/* Every first block of streams that must differ; 64 bits of each are enough to tell. */
static uint64_t head_of(const struct detrun_memory *m, const struct detrun_task *t,
                        enum detrun_stream stream)
{
    uint64_t head;
    stream_at(m, t, stream, 0, &head, sizeof(head));
    return head;
}

static int compare_words(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void assert_all_differ(uint64_t *words, size_t n)
{
    qsort(words, n, sizeof(*words), compare_words);
    for (size_t i = 1; i < n; i++)
        ck_assert_uint_ne(words[i - 1], words[i]);
}

START_TEST(tasks_generations_and_streams_share_nothing)
{
    static uint64_t heads[100 * 20 * DETRUN_STREAMS];
    struct detrun_memory *m = job_new();
    struct detrun_task *root = lineage_root(m, JOB_REAL_PID);
    size_t n = 0;
    for (int i = 0; i < 100; i++) {
        struct detrun_task *t = lineage_prepare(m, root, i % 2 ? LINEAGE_THREAD : LINEAGE_PROCESS);
        for (t->generation = 0; t->generation < 20; t->generation++)
            for (int s = 0; s < DETRUN_STREAMS; s++)
                heads[n++] = head_of(m, t, (enum detrun_stream)s);
    }
    assert_all_differ(heads, n);
}
END_TEST

START_TEST(no_block_comes_twice_within_a_gibibyte)
{
    static uint64_t heads[65536];
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    for (uint64_t i = 0; i < 65536; i++)
        stream_at(m, t, DETRUN_STREAM_DEVICE, i * 16384 + i % 97, &heads[i], sizeof(heads[i]));
    assert_all_differ(heads, 65536);
}
END_TEST

START_TEST(keys_that_differ_in_one_bit_are_not_alike)
{
    for (int bit = 0; bit < 256; bit++) {
        struct detrun_memory *m = job_new();
        struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
        memset(m->params.key, 0, sizeof(m->params.key));
        uint64_t zero = head_of(m, t, DETRUN_STREAM_RANDOM);
        m->params.key[bit / 8] = (uint8_t)(1 << bit % 8);
        int differing = __builtin_popcountll(zero ^ head_of(m, t, DETRUN_STREAM_RANDOM));
        ck_assert_int_gt(differing, 8);
        ck_assert_int_lt(differing, 56);
        job_free(m);
    }
}
END_TEST

START_TEST(bits_of_a_small_key_are_balanced)
{
    static uint64_t words[8192];
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    memset(m->params.key, 0, sizeof(m->params.key));
    m->params.key[0] = 1;
    stream_fill(m, t, DETRUN_STREAM_RANDOM, NULL, words, sizeof(words));
    long ones = 0;
    for (unsigned i = 0; i < 8192; i++)
        ones += __builtin_popcountll(words[i]);
    ck_assert_int_gt(ones, 262144 - 2000);
    ck_assert_int_lt(ones, 262144 + 2000);
}
END_TEST

static struct detrun_memory *handler_memory;
static struct detrun_task *handler_task;
static struct stream_cache handler_cache;
static uint64_t taken[200000];
static volatile size_t taken_n;
static volatile sig_atomic_t handled;

/* Reserves its slot with one instruction, as the handler may interrupt the taker anywhere. */
static void take_one(void)
{
    uint64_t word;
    stream_fill(handler_memory, handler_task, DETRUN_STREAM_RANDOM, &handler_cache, &word,
                sizeof(word));
    taken[__atomic_fetch_add(&taken_n, 1, __ATOMIC_RELAXED)] = word;
}

static void take_in_handler(int signal_number)
{
    (void)signal_number;
    take_one();
    handled++;
}

START_TEST(a_handler_that_interrupts_neither_repeats_nor_tears)
{
    static uint64_t expected[200000];
    handler_memory = job_new();
    handler_task = lineage_root(handler_memory, JOB_REAL_PID);
    struct sigaction action = {.sa_handler = take_in_handler};
    struct itimerval often = {.it_interval.tv_usec = 50, .it_value.tv_usec = 50};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    while (taken_n < 150000 || (handled < 300 && taken_n < 190000))
        take_one();
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    ck_assert_int_gt(handled, 0);
    stream_at(handler_memory, handler_task, DETRUN_STREAM_RANDOM, 0, expected,
              taken_n * sizeof(expected[0]));
    qsort(expected, taken_n, sizeof(expected[0]), compare_words);
    qsort(taken, taken_n, sizeof(taken[0]), compare_words);
    ck_assert_mem_eq(taken, expected, taken_n * sizeof(expected[0]));
}
END_TEST

START_TEST(a_uuid_is_of_version_4_and_never_the_same)
{
    struct detrun_memory *m = job_new();
    struct detrun_task *t = lineage_root(m, JOB_REAL_PID);
    char texts[2][STREAM_UUID_TEXT];
    for (int i = 0; i < 1000; i++) {
        char *text = texts[i % 2];
        stream_uuid(m, t, text);
        ck_assert_int_eq(text[14], '4');
        ck_assert_ptr_nonnull(memchr("89ab", text[19], 4));
        ck_assert_int_eq(text[36], '\n');
        for (int at = 0; at < 36; at++)
            ck_assert_ptr_nonnull(memchr("0123456789abcdef-", text[at], 17));
        ck_assert(text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-');
        ck_assert(i == 0 || memcmp(texts[0], texts[1], STREAM_UUID_TEXT) != 0);
    }
}
END_TEST

JOB_MAIN("stream", zero_key_gives_the_published_chacha8_vector,
         the_test_s_own_chacha_gives_the_published_20_round_vector,
         every_place_is_what_scalar_chacha_gives, pieces_and_cache_do_not_matter,
         one_cache_serves_streams_and_generations_in_turn,
         tasks_generations_and_streams_share_nothing, no_block_comes_twice_within_a_gibibyte,
         keys_that_differ_in_one_bit_are_not_alike, bits_of_a_small_key_are_balanced,
         a_handler_that_interrupts_neither_repeats_nor_tears,
         a_uuid_is_of_version_4_and_never_the_same)
