/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <string.h>

#include "environment.h"
#include "lineage.h"
#include "poison.h"

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

/* u64, decimal or 0x hex, nothing else (contract, section 1). */
static bool parse_u64(const char *text, uint64_t *value)
{
    uint64_t base = 10;
    if (text[0] == '0' && (text[1] | 0x20) == 'x') {
        base = 16;
        text += 2;
    }
    if (!*text)
        return false;
    *value = 0;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)digit_of(*text);
        if (digit >= base || __builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, digit, value))
            return false;
    }
    return true;
}

/* @return false when the variable is there and bad; found tells whether it is there. */
static bool read_u64(char *const *envp, const char *name, uint64_t *value, bool *found)
{
    const char *text = environment_get(envp, name);
    *found = text != NULL;
    return !text || parse_u64(text, value);
}

uint64_t settings_seed(char *const *envp)
{
    uint64_t seed = 0;
    bool found;
    return read_u64(envp, DETRUN_ENV_SEED, &seed, &found) && found ? seed : 0;
}

bool settings_from_environment(struct detrun_params *params, char *const *envp)
{
    uint64_t seed = 0;
    uint64_t step_ms = 0;
    uint64_t epoch = 0;
    bool has_seed;
    bool has_step;
    bool has_epoch;
    if (!read_u64(envp, DETRUN_ENV_SEED, &seed, &has_seed) ||
        !read_u64(envp, DETRUN_ENV_STEP, &step_ms, &has_step) ||
        !read_u64(envp, DETRUN_ENV_EPOCH, &epoch, &has_epoch))
        return false;
    if (!has_epoch && !read_u64(envp, "SOURCE_DATE_EPOCH", &epoch, &has_epoch))
        return false;
    uint64_t step = has_step ? step_ms * 1000000 : DETRUN_DEFAULT_STEP_NS;
    params->flags = DETRUN_FLAG_FOREIGN;
    params->job_seed = params->test_seed = seed;
    lineage_key(seed, params->key);
    params->epoch_ns = has_epoch ? (int64_t)epoch * 1000000000 : DETRUN_DEFAULT_EPOCH_NS;
    params->step_ns[DETRUN_FAMILY_WALL] = step;
    params->step_ns[DETRUN_FAMILY_MONO] = has_step ? step : 0;
    params->step_ns[DETRUN_FAMILY_CPU] = has_step ? step : 0;
    return true;
}

static size_t put(char *text, size_t used, size_t room, const char *name, const char *value)
{
    size_t n = strlen(name);
    size_t v = strlen(value);
    if (used + n + v + 3 > room)
        return used;
    memcpy(text + used, name, n);
    text[used + n] = '=';
    memcpy(text + used + n + 1, value, v + 1);
    return used + n + v + 2;
}

static void find_library(char *library, const char *list)
{
    static const char name[] = "/" DETRUN_PRELOAD_NAME;
    while (list && *list) {
        size_t length = 0;
        while (list[length] && list[length] != ':' && list[length] != ' ')
            length++;
        if (length >= sizeof(name) - 1 && length < DETRUN_PATH_SIZE &&
            memcmp(list + length - (sizeof(name) - 1), name, sizeof(name) - 1) == 0) {
            memcpy(library, list, length);
            library[length] = '\0';
            return;
        }
        list += length + (list[length] != '\0');
    }
}

void settings_for_children(struct detrun_params *params, char *const *envp)
{
    static const char *const names[] = {DETRUN_ENV_DETERMINISTIC, DETRUN_ENV_SEED, DETRUN_ENV_STEP,
                                        DETRUN_ENV_EPOCH, "OPENSSL_ia32cap"};
    find_library(params->library, environment_get(envp, "LD_PRELOAD"));
    size_t used = 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = environment_get(envp, names[i]);
        if (value)
            used = put(params->putback, used, DETRUN_PUTBACK_SIZE, names[i], value);
    }
    params->putback[used] = '\0';
}
