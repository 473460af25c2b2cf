/* SPDX-License-Identifier: MIT */
#include "values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "detrun/abi.h"

#define SECOND     INT64_C(1000000000)
/* Year 2255: beyond, nanoseconds no longer fit with room to move. */
#define LAST_EPOCH INT64_C(9000000000)
/* A step beyond a year would run out of the clock's range. */
#define LONGEST_NS (UINT64_C(366) * 86400 * 1000000000)

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    char lower = (char)tolower((unsigned char)c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

static bool take_digits(const char **text, uint64_t base, uint64_t *value)
{
    const char *start = *text;
    *value = 0;
    for (; (uint64_t)digit_of(**text) < base; (*text)++)
        if (__builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, (uint64_t)digit_of(**text), value))
            return false;
    return *text != start;
}

bool value_u64(const char *text, uint64_t *value)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    text += hex ? 2 : 0;
    return take_digits(&text, hex ? 16 : 10, value) && *text == '\0';
}

static bool is_one_of(const char *text, const char *const words[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

bool value_boolean(const char *text, bool *value)
{
    static const char *const yes[] = {"1", "true", "yes", "on"};
    static const char *const no[] = {"0", "false", "no", "off", ""};
    *value = is_one_of(text, yes, 4);
    return *value || is_one_of(text, no, 5);
}

struct unit {
    const char *name;
    uint64_t ns;
};

static bool find_unit(const char *text, const struct unit *units, size_t n, uint64_t *ns)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(text, units[i].name) == 0) {
            *ns = units[i].ns;
            return true;
        }
    return false;
}

/* Up to nine places behind the point, in billionths. */
static bool take_fraction(const char **text, uint64_t *billionths)
{
    uint64_t weight = SECOND / 10;
    *billionths = 0;
    if (**text != '.')
        return true;
    const char *start = ++*text;
    for (; isdigit((unsigned char)**text); (*text)++, weight /= 10)
        *billionths += (uint64_t)digit_of(**text) * weight;
    return *text != start && *text - start <= 9;
}

bool value_duration(const char *text, uint64_t default_unit_ns, uint64_t *ns)
{
    static const struct unit units[] = {
        {"ns", 1},
        {"us", 1000},
        {"ms", 1000000},
        {"s", 1000000000},
        {"m", UINT64_C(60) * 1000000000},
        {"h", UINT64_C(3600) * 1000000000},
        {"d", UINT64_C(86400) * 1000000000},
    };
    uint64_t whole;
    uint64_t billionths;
    uint64_t unit = default_unit_ns;
    if (!take_digits(&text, 10, &whole) || !take_fraction(&text, &billionths))
        return false;
    if (*text && !find_unit(text, units, sizeof(units) / sizeof(units[0]), &unit))
        return false;
    if (__builtin_mul_overflow(whole, unit, ns) || *ns > LONGEST_NS)
        return false;
    *ns += (uint64_t)((__uint128_t)billionths * unit / SECOND);
    return true;
}

bool value_unix_seconds(const char *text, int64_t *ns)
{
    uint64_t seconds;
    if (!isdigit((unsigned char)text[0]) || !take_digits(&text, 10, &seconds) || *text ||
        seconds > LAST_EPOCH)
        return false;
    *ns = (int64_t)seconds * SECOND;
    return true;
}

static bool epoch_from_now(const char *text, int64_t now_ns, int64_t *ns)
{
    static const struct unit units[] = {
        {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}, {"y", 31536000},
    };
    int64_t sign = text[0] == '-' ? -1 : 1;
    uint64_t number;
    uint64_t unit;
    text++;
    if (!take_digits(&text, 10, &number) ||
        !find_unit(text, units, sizeof(units) / sizeof(units[0]), &unit) ||
        number > (uint64_t)LAST_EPOCH / unit)
        return false;
    int64_t seconds = now_ns / SECOND + sign * (int64_t)(number * unit);
    *ns = seconds * SECOND;
    return seconds >= 0 && seconds <= LAST_EPOCH;
}

static bool take_offset(const char **text, int64_t *seconds)
{
    int sign = **text == '-' ? -1 : 1;
    *seconds = 0;
    if (**text == 'Z' || **text == 'z') {
        (*text)++;
        return true;
    }
    const char *t = *text;
    bool shaped = (t[0] == '+' || t[0] == '-') && isdigit((unsigned char)t[1]) &&
                  isdigit((unsigned char)t[2]) && t[3] == ':' && isdigit((unsigned char)t[4]) &&
                  isdigit((unsigned char)t[5]);
    if (!shaped)
        return false;
    int hours = digit_of(t[1]) * 10 + digit_of(t[2]);
    int minutes = digit_of(t[4]) * 10 + digit_of(t[5]);
    *seconds = sign * (hours * 3600 + minutes * 60);
    *text += 6;
    return hours < 24 && minutes < 60;
}

static bool same_day(const struct tm *a, const struct tm *b)
{
    return a->tm_year == b->tm_year && a->tm_mon == b->tm_mon && a->tm_mday == b->tm_mday;
}

static bool epoch_rfc3339(const char *text, int64_t *ns)
{
    struct tm tm = {0};
    int64_t offset;
    uint64_t fraction;
    const char *rest = strptime(text, "%Y-%m-%d", &tm);
    if (!rest || rest - text != 10 || !strchr("Tt ", *rest) || !*rest)
        return false;
    const char *clock = rest + 1;
    rest = strptime(clock, "%H:%M:%S", &tm);
    if (!rest || rest - clock != 8 || !take_fraction(&rest, &fraction) ||
        !take_offset(&rest, &offset) || *rest)
        return false;
    struct tm given = tm;
    int64_t seconds = timegm(&tm) - offset;
    if (!same_day(&given, &tm) && given.tm_sec < 60)
        return false;
    *ns = seconds * SECOND + (int64_t)fraction;
    return seconds >= 0 && seconds <= LAST_EPOCH;
}

bool value_epoch(const char *text, int64_t now_ns, int64_t *ns, bool *relative)
{
    *relative = strcmp(text, "now") == 0 || text[0] == '+' || text[0] == '-';
    if (strcmp(text, "now") == 0) {
        *ns = now_ns;
        return true;
    }
    if (*relative)
        return epoch_from_now(text, now_ns, ns);
    return value_unix_seconds(text, ns) || epoch_rfc3339(text, ns);
}

#define BIT(id) (UINT32_C(1) << DETRUN_##id)

static const struct {
    const char *name;
    uint32_t mask;
} sources[] = {
#define X(id, name) {name, BIT(id)},
    DETRUN_SOURCE_NAMES
#undef X
    {"clock", BIT(WALL) | BIT(MONOTONIC) | BIT(CPUTIME) | BIT(SLEEP) | BIT(TIMER)},
    {"files", BIT(DIRS) | BIT(INODES) | BIT(MTIMES)},
    {"world", BIT(CPUS) | BIT(PROC) | BIT(ENV)},
};

/* Nothing answers it yet; its group holds others. */
#define REAL_ANYWAY BIT(ENV)

static uint32_t mask_of(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
        if (strlen(sources[i].name) == len && strncmp(name, sources[i].name, len) == 0)
            return sources[i].mask;
    return 0;
}

bool value_real(const char *text, uint32_t *mask)
{
    *mask = 0;
    for (;;) {
        size_t len = strcspn(text, ",");
        uint32_t one = mask_of(text, len);
        if (one == 0)
            return false;
        *mask |= one;
        if (text[len] == '\0')
            return true;
        text += len + 1;
    }
}

void value_put_real(uint32_t mask, char *names, size_t room)
{
    size_t used = 0;
    names[0] = '\0';
    for (size_t i = 0; i < DETRUN_SOURCES && used < room; i++)
        if (mask & sources[i].mask)
            used += (size_t)snprintf(names + used, room - used, "%s%s", used ? "," : "",
                                     sources[i].name);
}

void value_real_anyway(const char *text, char *names, size_t room)
{
    size_t used = 0;
    names[0] = '\0';
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t len = strcspn(at, ",");
        uint32_t one = mask_of(at, len);
        if ((one & ~REAL_ANYWAY) != 0 || used + len + 2 > room)
            continue;
        used +=
            (size_t)snprintf(names + used, room - used, "%s%.*s", used ? " " : "", (int)len, at);
    }
}
