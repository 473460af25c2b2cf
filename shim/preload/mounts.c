/* SPDX-License-Identifier: MIT */
#include "mounts.h"

#include <string.h>
#include <sys/sysmacros.h>

#include "decimal.h"
#include "inode_path.h"
#include "inodes.h"
#include "poison.h"

/* "id parent MAJOR:MINOR root POINT options ... - TYPE source options" */
struct mount {
    const char *device;
    size_t length; /* of the two numbers */
    uint64_t dev;
    char point[INODE_PATH];
    size_t n; /* of the point; 0: too long */
};

static size_t word_length(const char *word, size_t n)
{
    size_t length = 0;
    while (length < n && word[length] != ' ' && word[length] != '\n')
        length++;
    return length;
}

static const char *word_at(const char *record, size_t n, int number)
{
    const char *end = record + n;
    for (; number > 0 && record < end; number--)
        record += word_length(record, (size_t)(end - record)) + 1;
    return record < end ? record : NULL;
}

static bool read_device(struct mount *m, const char *end)
{
    int major;
    int minor;
    m->length = word_length(m->device, (size_t)(end - m->device));
    size_t digits = decimal_get(m->device, m->length, &major);
    if (digits == 0 || digits + 1 >= m->length || m->device[digits] != ':')
        return false;
    size_t left = m->length - digits - 1;
    if (decimal_get(m->device + digits + 1, left, &minor) != left)
        return false;
    m->dev = makedev((unsigned)major, (unsigned)minor);
    return true;
}

static unsigned digit(char c)
{
    return (unsigned)(c - '0') & 7;
}

/* Blanks, among others, stand there as a backslash and three octal digits. */
static void read_point(struct mount *m, const char *word, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length && n < sizeof(m->point); i++) {
        unsigned byte = (uint8_t)word[i];
        if (word[i] == '\\' && i + 3 < length) {
            byte = digit(word[i + 1]) << 6 | digit(word[i + 2]) << 3 | digit(word[i + 3]);
            i += 3;
        }
        ((uint8_t *)m->point)[n++] = (uint8_t)byte;
    }
    m->n = n < sizeof(m->point) ? n : 0;
}

/* Those whose files have the job's numbers, and are there without anybody's being asked. */
static bool is_local(const char *record, size_t n)
{
    static const char types[][9] = {"ext2",     "ext3",  "ext4",  "xfs",     "btrfs",
                                    "tmpfs",    "zfs",   "f2fs",  "overlay", "vfat",
                                    "squashfs", "erofs", "ramfs", "iso9660", "devtmpfs"};
    size_t at = 0;
    while (at + 3 < n && memcmp(record + at, " - ", 3) != 0)
        at++;
    const char *type = record + at + 3;
    size_t length = at + 3 < n ? word_length(type, n - at - 3) : 0;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strlen(types[i]) == length && memcmp(types[i], type, length) == 0)
            return true;
    return false;
}

void mounts_tell(struct text *t, const char *record, size_t n)
{
    struct mount m = {.device = word_at(record, n, 2)};
    const char *point = word_at(record, n, 4);
    if (!m.device || !point || !read_device(&m, record + n)) {
        text_put(t, record, n);
        return;
    }
    read_point(&m, point, word_length(point, (size_t)(record + n - point)));
    uint64_t dev = inodes_device(m.dev, m.point, is_local(record, n) ? m.n : 0);
    text_put(t, record, (size_t)(m.device - record));
    text_put_number(t, major(dev));
    text_put_string(t, ":");
    text_put_number(t, minor(dev));
    const char *rest = m.device + m.length;
    text_put(t, rest, (size_t)(record + n - rest));
}
