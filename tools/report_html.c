/* SPDX-License-Identifier: MIT */
#include "report_html.h"

#include <stdint.h>
#include <string.h>

/** A range of characters that show as their number: they are invisible, or turn text around. */
static const struct range {
    uint32_t first;
    uint32_t last;
} hidden[] = {{0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
              {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
              {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xe0000, 0xe007f}};

static bool is_hidden(uint32_t character)
{
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
        if (character >= hidden[i].first && character <= hidden[i].last)
            return true;
    return false;
}

/* RFC 3629. @return how many bytes the character has; 0: it is none */
static size_t decode(const unsigned char *s, size_t left, uint32_t *character)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (n == 0 || n > left)
        return 0;
    *character = n == 1 ? s[0] : s[0] & (0x7fU >> n);
    for (size_t i = 1; i < n; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        *character = *character << 6 | (s[i] & 0x3f);
    }
    bool surrogate = *character >= 0xd800 && *character <= 0xdfff;
    return *character < smallest[n] || surrogate || *character > 0x10ffff ? 0 : n;
}

static void put_ascii(FILE *out, unsigned char c, bool blanks)
{
    if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'')
        fprintf(out, "&#%u;", c);
    else if (c == ' ' && blanks)
        fputs("<i>&#183;</i>", out);
    else if (c == '\t' && blanks)
        fputs("<i>&#8594;</i>\t", out);
    else if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
        fprintf(out, "<i>\\x%02x</i>", c);
    else
        fputc(c, out);
}

void html_put_bytes(FILE *out, const char *bytes, size_t length, bool blanks)
{
    const unsigned char *s = (const unsigned char *)bytes;
    while (length > 0) {
        uint32_t character = 0;
        size_t n = decode(s, length, &character);
        if (n == 0)
            fprintf(out, "<i>\\x%02x</i>", s[0]);
        else if (n == 1)
            put_ascii(out, s[0], blanks);
        else if (is_hidden(character))
            fprintf(out, "<i>U+%04X</i>", character);
        else
            fwrite(s, 1, n, out);
        n += n == 0;
        s += n;
        length -= n;
    }
}

void html_put(FILE *out, const char *text)
{
    html_put_bytes(out, text, strlen(text), false);
}

void html_put_count(FILE *out, size_t n, const char *one, const char *many)
{
    char digits[32];
    int length = snprintf(digits, sizeof(digits), "%zu", n);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            fputs("&#8239;", out);
        fputc(digits[i], out);
    }
    fprintf(out, " %s", n == 1 ? one : many);
}
