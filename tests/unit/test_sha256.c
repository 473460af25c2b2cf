/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sha256.h"

/* By another program, for that many letters 'a': around the ends of blocks. */
static const struct {
    size_t count;
    const char *hex;
} letters[] = {
    {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {1, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
    {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
    {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
    {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
    {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
    {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
    {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
    {120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
    {1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"},
};

/* The standard's own examples. */
static const struct {
    const char *text;
    const char *hex;
} examples[] = {
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
};

static void assert_digest(struct sha256 *s, const char *hex)
{
    uint8_t digest[SHA256_BYTES];
    char text[2 * SHA256_BYTES + 1];
    sha256_end(s, digest);
    for (size_t i = 0; i < SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    ck_assert_str_eq(text, hex);
}

START_TEST(letters_have_the_known_digest)
{
    char text[1000];
    struct sha256 s;
    memset(text, 'a', sizeof(text));
    sha256_init(&s);
    sha256_add(&s, text, letters[_i].count);
    assert_digest(&s, letters[_i].hex);
}
END_TEST

START_TEST(parts_are_as_good_as_the_whole)
{
    struct sha256 s;
    sha256_init(&s);
    for (size_t i = 0; i < letters[_i].count; i++)
        sha256_add(&s, "a", 1);
    assert_digest(&s, letters[_i].hex);
}
END_TEST

START_TEST(examples_have_the_standards_digest)
{
    struct sha256 s;
    sha256_init(&s);
    sha256_add(&s, examples[_i].text, strlen(examples[_i].text));
    assert_digest(&s, examples[_i].hex);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sha256");
    TCase *tcase = tcase_create("sha256");
    int counts = (int)(sizeof(letters) / sizeof(letters[0]));
    tcase_add_loop_test(tcase, letters_have_the_known_digest, 0, counts);
    tcase_add_loop_test(tcase, parts_are_as_good_as_the_whole, 0, counts);
    tcase_add_loop_test(tcase, examples_have_the_standards_digest, 0,
                        (int)(sizeof(examples) / sizeof(examples[0])));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
