/* SPDX-License-Identifier: MIT */
#include "json.h"

/* RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF. */
static const struct {
    unsigned char first_low, first_high, second_low, second_high, length;
} forms[] = {
    {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/* @return bytes of the character that begins here; 0: it is none */
static int character(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (c[0] < forms[i].first_low || c[0] > forms[i].first_high)
            continue;
        int length = forms[i].length;
        if (length > 1 && (c[1] < forms[i].second_low || c[1] > forms[i].second_high))
            return 0;
        for (int k = 2; k < length; k++)
            if ((c[k] & 0xc0) != 0x80)
                return 0;
        return length;
    }
    return 0;
}

static void put_ascii(FILE *out, char c)
{
    if (c == '"' || c == '\\')
        fprintf(out, "\\%c", c);
    else if ((unsigned char)c < 0x20 || c == 0x7f)
        fprintf(out, "\\u%04x", (unsigned char)c);
    else
        fputc(c, out);
}

void json_put_text(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text) {
        int n = character(text);
        if (n == 0)
            fputs("\xef\xbf\xbd", out);
        else if (n == 1)
            put_ascii(out, *text);
        else
            fwrite(text, 1, (size_t)n, out);
        text += n > 0 ? n : 1;
    }
    fputc('"', out);
}

bool json_is_utf8(const char *text)
{
    int n = 1;
    for (; *text && n > 0; text += n)
        n = character(text);
    return n > 0;
}

bool json_is_text(const char *text)
{
    int n = 1;
    for (; *text && n > 0; text += n) {
        n = character(text);
        if (n == 1 && (unsigned char)*text < 0x20)
            return false;
    }
    return n > 0;
}
