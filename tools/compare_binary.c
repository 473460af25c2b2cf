/* SPDX-License-Identifier: MIT */
/*
 * Binary files: where they first differ, and which field that is if their header says.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

static uint32_t little(const struct artifact *a, size_t at, size_t bytes)
{
    uint32_t value = 0;
    for (size_t i = 0; i < bytes && at + i < a->length; i++)
        value |= (uint32_t)(uint8_t)a->bytes[at + i] << (8 * i);
    return value;
}

static uint32_t big(const struct artifact *a, size_t at)
{
    uint32_t value = 0;
    for (size_t i = 0; i < 4 && at + i < a->length; i++)
        value = value << 8 | (uint8_t)a->bytes[at + i];
    return value;
}

static bool begins(const struct artifact *a, size_t at, const char *magic, size_t length)
{
    return a->length >= at + length && memcmp(a->bytes + at, magic, length) == 0;
}

/** A field of a fixed header. */
struct field {
    size_t offset;
    size_t length;
    const char *name;
};

static const char *field_at(const struct field *fields, size_t n, size_t offset)
{
    for (size_t i = 0; i < n; i++)
        if (offset >= fields[i].offset && offset < fields[i].offset + fields[i].length)
            return fields[i].name;
    return NULL;
}

#define FIELD(table, offset) field_at(table, sizeof(table) / sizeof((table)[0]), offset)

/* RFC 1952. */
static bool explain_gzip(const struct artifact *a, size_t offset, char *text, size_t room)
{
    static const struct field fields[] = {
        {3, 1, "flags"}, {4, 4, "modification time"}, {8, 1, "compression"}, {9, 1, "system"}};
    if (!begins(a, 0, "\x1f\x8b", 2))
        return false;
    const char *name = FIELD(fields, offset);
    snprintf(text, room, "gzip: %s", name ? name : "compressed data");
    return true;
}

/* POSIX ustar: blocks of 512 bytes; a member's contents follow its header. */
static bool explain_tar(const struct artifact *a, size_t offset, char *text, size_t room)
{
    static const struct field fields[] = {
        {0, 100, "name"},     {100, 8, "mode"},       {108, 8, "user id"},
        {116, 8, "group id"}, {124, 12, "size"},      {136, 12, "modification time"},
        {148, 8, "checksum"}, {265, 32, "user name"}, {297, 32, "group name"}};
    size_t at = 0;
    if (!begins(a, 257, "ustar", 5))
        return false;
    while (at + 512 <= a->length && begins(a, at + 257, "ustar", 5)) {
        size_t size = (size_t)strtoul(a->bytes + at + 124, NULL, 8);
        size_t next = at + 512 + (size + 511) / 512 * 512;
        const char *name = offset < at + 512 ? FIELD(fields, offset - at) : "contents";
        if (offset < next) {
            snprintf(text, room, "tar: %s of %.100s", name ? name : "header", a->bytes + at);
            return true;
        }
        at = next;
    }
    snprintf(text, room, "tar: behind the last member");
    return true;
}

/* APPNOTE.TXT: local headers one after the other, then the central directory. */
static bool explain_zip(const struct artifact *a, size_t offset, char *text, size_t room)
{
    static const struct field fields[] = {{4, 2, "version"}, {6, 2, "flags"},
                                          {8, 2, "method"},  {10, 4, "modification time"},
                                          {14, 4, "CRC"},    {18, 8, "sizes"}};
    size_t at = 0;
    if (!begins(a, 0, "PK\x03\x04", 4))
        return false;
    while (begins(a, at, "PK\x03\x04", 4)) {
        size_t name = little(a, at + 26, 2);
        size_t next = at + 30 + name + little(a, at + 28, 2) + little(a, at + 18, 4);
        const char *what = offset < at + 30 ? FIELD(fields, offset - at) : "name or contents";
        if (offset < next) {
            snprintf(text, room, "zip: %s of %.*s", what ? what : "header",
                     (int)(at + 30 + name <= a->length && name < 100 ? name : 0),
                     a->bytes + at + 30);
            return true;
        }
        at = next;
    }
    snprintf(text, room, "zip: central directory");
    return true;
}

/* RFC 2083: chunks. */
static bool explain_png(const struct artifact *a, size_t offset, char *text, size_t room)
{
    size_t at = 8;
    if (!begins(a, 0, "\x89PNG\r\n\x1a\n", 8))
        return false;
    while (at + 12 <= a->length) {
        size_t next = at + 12 + big(a, at);
        if (offset < next) {
            snprintf(text, room, "png: chunk %.4s", a->bytes + at + 4);
            return true;
        }
        at = next;
    }
    return false;
}

static bool is_elf64(const struct artifact *a, Elf64_Ehdr *e)
{
    if (a->length < sizeof(*e))
        return false;
    memcpy(e, a->bytes, sizeof(*e));
    return memcmp(e->e_ident, ELFMAG, SELFMAG) == 0 && e->e_ident[EI_CLASS] == ELFCLASS64 &&
           e->e_shentsize == sizeof(Elf64_Shdr) &&
           e->e_shoff + (uint64_t)e->e_shnum * sizeof(Elf64_Shdr) <= a->length &&
           e->e_shstrndx < e->e_shnum;
}

static Elf64_Shdr section(const struct artifact *a, const Elf64_Ehdr *e, size_t i)
{
    Elf64_Shdr s;
    memcpy(&s, a->bytes + e->e_shoff + i * sizeof(s), sizeof(s));
    return s;
}

static bool explain_elf(const struct artifact *a, size_t offset, char *text, size_t room)
{
    Elf64_Ehdr e;
    if (!is_elf64(a, &e))
        return false;
    Elf64_Shdr names = section(a, &e, e.e_shstrndx);
    snprintf(text, room, "ELF: header");
    for (size_t i = 0; i < e.e_shnum; i++) {
        Elf64_Shdr s = section(a, &e, i);
        uint64_t name = names.sh_offset + s.sh_name;
        if (s.sh_type == SHT_NOBITS || offset < s.sh_offset || offset >= s.sh_offset + s.sh_size ||
            name >= a->length)
            continue;
        snprintf(text, room, "ELF: section %.*s", (int)strnlen(a->bytes + name, a->length - name),
                 a->bytes + name);
    }
    return true;
}

void compare_binary(const struct artifact *a, const struct artifact *b, struct comparison *c)
{
    static bool (*const explain[])(const struct artifact *a, size_t offset, char *text,
                                   size_t room) = {explain_gzip, explain_tar, explain_zip,
                                                   explain_png, explain_elf};
    c->format = FORMAT_BINARY;
    c->level = LEVEL_NONE;
    compare_add_kind(c, "bytes");
    if (a->length != b->length)
        compare_add_kind(c, "length");
    for (size_t i = 0; i < sizeof(explain) / sizeof(explain[0]); i++)
        if (explain[i](a, c->first.offset, c->where, sizeof(c->where)))
            return;
}
