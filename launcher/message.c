/* SPDX-License-Identifier: MIT */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
}

bool message_has_control(const char *text)
{
    while (*text && !is_control((unsigned char)*text))
        text++;
    return *text != '\0';
}

/* @return length of what stands for c */
static size_t escaped(char *out, unsigned char c)
{
    static const char digits[] = "0123456789abcdef";
    static const char named[] = "\a\b\t\n\v\f\r";
    const char *name = memchr(named, c, sizeof(named) - 1);
    out[0] = '\\';
    out[1] = "abtnvfrx"[name ? name - named : 7];
    out[2] = digits[c >> 4];
    out[3] = digits[c & 15];
    return name ? 2 : 4;
}

void message_escape(char *out, size_t room, const char *text)
{
    const char *end = out + room;
    for (; *text && end - out > 4; text++)
        if (is_control((unsigned char)*text))
            out += escaped(out, (unsigned char)*text);
        else
            *out++ = *text;
    *out = '\0';
}

void message_say(const char *format, ...)
{
    static char line[1024];
    static char text[4096] = "detrun: ";
    static const size_t start = sizeof("detrun: ") - 1;
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof(line), format, values);
    va_end(values);
    message_escape(text + start, sizeof(text) - start - 1, line);
    size_t n = strlen(text);
    text[n] = '\n';
    if (write(STDERR_FILENO, text, n + 1) < 0)
        return; /* nobody to tell */
}
