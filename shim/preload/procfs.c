/* SPDX-License-Identifier: MIT */
#include "procfs.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "decimal.h"
#include "inodes.h"
#include "pids.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "task.h"

#define PIPE       "pipe:["
#define MIN_DIGITS 7 /* of a virtual id */
#define MAX_DIGITS 9

struct component {
    const char *start;
    size_t length;
};

static struct component next_component(const char *at)
{
    struct component c = {at, 0};
    while (*c.start == '/')
        c.start++;
    while (c.start[c.length] != '\0' && c.start[c.length] != '/')
        c.length++;
    return c;
}

/* @return the virtual id that a component is, or 0 */
static int virtual_id(struct component c)
{
    int id;
    if (c.length < MIN_DIGITS || c.length > MAX_DIGITS || c.start[0] == '0')
        return 0;
    return decimal_get(c.start, c.length, &id) == c.length && lineage_is_virtual(id) ? id : 0;
}

/* Is this directory one of /proc? The path ends with a slash, or is empty. In a sandbox only names
 * can be looked at. */
static bool is_procfs(int dir, const char *path)
{
    struct stat here;
    struct stat proc;
    if (memcmp(path, "/proc/", sizeof("/proc/")) == 0)
        return true;
    return !shim.sandboxed &&
           raw4(SYS_newfstatat, dir, (long)path, (long)&here, AT_EMPTY_PATH) == 0 &&
           raw3(SYS_stat, (long)"/proc", (long)&proc, 0) == 0 && here.st_dev == proc.st_dev;
}

bool procfs_is_on(void)
{
    return task_self() && !task_leaves_real(DETRUN_PID) && !task_leaves_real(DETRUN_PROC);
}

bool procfs_holds(int fd)
{
    struct statfs here;
    return raw3(SYS_fstatfs, fd, (long)&here, 0) == 0 && here.f_type == PROC_SUPER_MAGIC;
}

void procfs_link_of(int fd, char path[PROCFS_LINK])
{
    static const char folder[] = "/proc/self/fd/";
    memcpy(path, folder, sizeof(folder) - 1);
    path[sizeof(folder) - 1 + decimal_put(path + sizeof(folder) - 1, (unsigned)fd)] = '\0';
}

/* Links in /dev lead there, too. */
bool procfs_is_near(const char *path)
{
    if (!path || !shim.on || !reach_readable(path, 1))
        return false;
    if (path[0] != '/')
        return is_procfs(AT_FDCWD, "");
    return (path[1] == 'p' && path[2] == 'r') || (path[1] == 'd' && path[2] == 'e');
}

static int real_id(int id)
{
    if (!procfs_is_on())
        return 0;
    const struct detrun_task *named = lineage_by_vpid(shim.memory, id);
    return named ? task_real_id(named) : 0;
}

/* Up to here the path is copied; the component is a virtual id. @return its length, 0: it stays */
static size_t put_real(int dir, char *real, size_t used, int id)
{
    int number = real_id(id);
    real[used] = '\0';
    return number > 0 && is_procfs(dir, real) ? decimal_put(real + used, (unsigned)number) : 0;
}

bool procfs_rename(int dir, const char *path, char real[PROCFS_PATH])
{
    bool renamed = false;
    size_t used = 0;
    const char *done = path;
    for (struct component c = next_component(path); c.length > 0;
         c = next_component(c.start + c.length)) {
        int id = virtual_id(c);
        size_t before = (size_t)(c.start - done);
        if (id == 0)
            continue;
        if (used + before + MAX_DIGITS + 1 > PROCFS_PATH)
            return false;
        memcpy(real + used, done, before);
        size_t length = put_real(dir, real, used + before, id);
        if (length == 0)
            continue;
        used += before + length;
        done = c.start + c.length;
        renamed = true;
    }
    size_t rest = renamed ? strlen(done) + 1 : 0;
    if (!renamed || used + rest > PROCFS_PATH)
        return false;
    memcpy(real + used, done, rest);
    task_count(task_current, DETRUN_PID, DETRUN_DOOR_SYMBOL);
    return true;
}

/* Text that grows. */
struct told {
    const char *from;
    const char *end;
    char *to;
};

static bool starts_with(const struct told *t, const char *word, size_t n)
{
    return (size_t)(t->end - t->from) >= n && memcmp(t->from, word, n) == 0;
}

static bool copy_word(struct told *t, const char *word, size_t n)
{
    if (!starts_with(t, word, n))
        return false;
    memcpy(t->to, word, n);
    t->from += n;
    t->to += n;
    return true;
}

/* One real id, a whole component. */
static bool copy_id(struct told *t)
{
    int id;
    size_t digits = decimal_get(t->from, (size_t)(t->end - t->from), &id);
    if (digits == 0 || (t->from + digits < t->end && t->from[digits] != '/'))
        return false;
    t->from += digits;
    t->to += decimal_put(t->to, (unsigned)pids_to_virtual(id));
    return true;
}

/* What follows "/proc/", or is the text of one of its own links. */
static size_t tell_ids(struct told t, char *told)
{
    if (!procfs_is_on() || !copy_id(&t))
        return 0;
    if (copy_word(&t, "/task/", 6))
        (void)copy_id(&t);
    size_t rest = (size_t)(t.end - t.from);
    memcpy(t.to, t.from, rest);
    return (size_t)(t.to - told) + rest;
}

size_t procfs_tell(const char *path, size_t n, char *told)
{
    struct told t = {path, path + n, told};
    return copy_word(&t, "/proc/", 6) ? tell_ids(t, told) : 0;
}

static struct component last_component(const char *path)
{
    struct component last = {path, 0};
    for (struct component c = next_component(path); c.length > 0;
         c = next_component(c.start + c.length))
        last = c;
    return last;
}

static bool is_word(struct component c, const char *word)
{
    return strlen(word) == c.length && memcmp(c.start, word, c.length) == 0;
}

static bool lies_in_procfs(int dir, const char *path)
{
    char folder[PROCFS_PATH];
    size_t n = (size_t)(last_component(path).start - path);
    if (n >= sizeof(folder))
        return false;
    memcpy(folder, path, n);
    folder[n] = '\0';
    return is_procfs(dir, folder);
}

/* /proc/self and /proc/thread-self, whose texts begin with a number. */
static bool is_own_link(int dir, const char *path)
{
    struct component last = last_component(path);
    return (is_word(last, "self") || is_word(last, "thread-self")) && lies_in_procfs(dir, path);
}

/* A descriptor's link, "pipe:[NUMBER]". */
static size_t tell_pipe(int dir, const char *path, const char *text, size_t n, char *told)
{
    unsigned long number = 0;
    if (!lies_in_procfs(dir, path))
        return 0;
    for (size_t i = sizeof(PIPE) - 1; i < n && text[i] >= '0' && text[i] <= '9'; i++)
        number = number * 10 + (unsigned long)(text[i] - '0');
    memcpy(told, PIPE, sizeof(PIPE) - 1);
    size_t length = sizeof(PIPE) - 1;
    length += decimal_put(told + length, (unsigned)inodes_of_pipe(number));
    told[length++] = ']';
    return length;
}

static bool is_pipe(const char *text, long n)
{
    return n > (long)sizeof(PIPE) && memcmp(text, PIPE, sizeof(PIPE) - 1) == 0;
}

/* Read again: a buffer too small has only a part of the text. */
static size_t tell_link(int dir, const char *path, char *told)
{
    char text[PROCFS_PATH - PROCFS_GROWTH];
    long n = raw4(SYS_readlinkat, dir, (long)path, (long)text, sizeof(text));
    if (n <= 0 || n == (long)sizeof(text))
        return 0;
    if (text[0] == '/')
        return procfs_tell(text, (size_t)n, told);
    if (is_pipe(text, n))
        return tell_pipe(dir, path, text, (size_t)n, told);
    return is_own_link(dir, path) ? tell_ids((struct told){text, text + n, told}, told) : 0;
}

static bool may_be_told(const char *text, long n)
{
    return is_pipe(text, n) || (text[0] >= '0' && text[0] <= '9') ||
           (n > 6 && memcmp(text, "/proc/", 6) == 0);
}

long procfs_link_read(int dir, const char *path, char *buf, size_t size, long n)
{
    char told[PROCFS_PATH];
    bool whole = n > 0 && (size_t)n < size;
    if (n <= 0 || shim.sandboxed || (whole && !may_be_told(buf, n)))
        return n;
    size_t length = tell_link(dir, path, told);
    if (length == 0)
        return n;
    if (length > size)
        length = size;
    memcpy(buf, told, length);
    task_count(task_current, DETRUN_PID, DETRUN_DOOR_SYMBOL);
    return (long)length;
}
