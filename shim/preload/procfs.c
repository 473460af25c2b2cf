/* SPDX-License-Identifier: MIT */
#include "procfs.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "poison.h"
#include "raw.h"
#include "task.h"

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
    int id = 0;
    if (c.length < MIN_DIGITS || c.length > MAX_DIGITS || c.start[0] == '0')
        return 0;
    for (size_t i = 0; i < c.length; i++) {
        if (c.start[i] < '0' || c.start[i] > '9')
            return 0;
        id = id * 10 + (c.start[i] - '0');
    }
    return lineage_is_virtual(id) ? id : 0;
}

/* Is this directory one of /proc? The path ends with a slash, or is empty. */
static bool is_procfs(int dir, const char *path)
{
    struct stat here;
    struct stat proc;
    if (memcmp(path, "/proc/", sizeof("/proc/")) == 0)
        return true;
    return raw4(SYS_newfstatat, dir, (long)path, (long)&here, AT_EMPTY_PATH) == 0 &&
           raw3(SYS_stat, (long)"/proc", (long)&proc, 0) == 0 && here.st_dev == proc.st_dev;
}

static int real_id(int id)
{
    struct detrun_task *t = task_self();
    if (!t || task_leaves_real(DETRUN_PID) || task_leaves_real(DETRUN_PROC))
        return 0;
    const struct detrun_task *named = lineage_by_vpid(shim.memory, id);
    return named ? atomic_load_explicit(&named->real_tid, memory_order_acquire) : 0;
}

static size_t put_number(char *text, unsigned number)
{
    char digits[10];
    size_t n = 0;
    for (bool more = true; more; more = (number /= 10) > 0)
        digits[n++] = (char)('0' + number % 10);
    for (size_t i = 0; i < n; i++)
        text[i] = digits[n - 1 - i];
    return n;
}

/* Up to here the path is copied; the component is a virtual id. @return its length, 0: it stays */
static size_t put_real(int dir, char *real, size_t used, int id)
{
    int number = real_id(id);
    real[used] = '\0';
    return number > 0 && is_procfs(dir, real) ? put_number(real + used, (unsigned)number) : 0;
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
