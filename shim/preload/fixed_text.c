/* SPDX-License-Identifier: MIT */
#include "fixed_text.h"

#include <stddef.h>
#include <string.h>

#include "clock.h"
#include "cpus.h"
#include "decimal.h"
#include "host.h"
#include "machine.h"
#include "poison.h"
#include "procfs.h"
#include "raw.h"
#include "task.h"

#define CENTISECOND 10000000
#define ROOM        MACHINE_LIST

#define IN_TEXT(number)  IN_TEXT_(number)
#define IN_TEXT_(number) #number

static size_t put_seconds(char *text, uint64_t hundredths)
{
    size_t n = decimal_put(text, (unsigned)(hundredths / 100));
    text[n++] = '.';
    text[n++] = (char)('0' + hundredths / 10 % 10);
    text[n++] = (char)('0' + hundredths % 10);
    return n;
}

/* Since the start, and how long all processors had nothing to do: the same. */
static size_t write_uptime(char text[ROOM])
{
    int64_t now = clock_view(shim.memory, task_current, DETRUN_FAMILY_MONO);
    size_t n = put_seconds(text, (uint64_t)now / CENTISECOND);
    text[n] = ' ';
    memcpy(text + n + 1, text, n);
    text[2 * n + 1] = '\n';
    return 2 * n + 2;
}

/* The last one is the newest process's id. */
static size_t write_load(char text[ROOM])
{
    static const char idle[] = "0.00 0.00 0.00 1/" IN_TEXT(HOST_TASKS) " ";
    size_t n = sizeof(idle) - 1;
    memcpy(text, idle, n);
    n += decimal_put(text + n, task_current->vpid);
    text[n] = '\n';
    return n + 1;
}

static const char memory[] = "MemTotal:        " IN_TEXT(
    HOST_MEMORY_KB) " kB\n"
                    "MemFree:         " IN_TEXT(
                        HOST_FREE_KB) " kB\n"
                                      "MemAvailable:    7864320 kB\n"
                                      "Buffers:           " IN_TEXT(
                                          HOST_BUFFERS_KB) " kB\n"
                                                           "Cached:           524288 kB\n"
                                                           "SwapCached:            0 kB\n"
                                                           "Active:           393216 kB\n"
                                                           "Inactive:         262144 kB\n"
                                                           "SwapTotal:             0 kB\n"
                                                           "SwapFree:              0 kB\n"
                                                           "Dirty:                 0 kB\n"
                                                           "Writeback:             0 kB\n"
                                                           "AnonPages:        131072 kB\n"
                                                           "Mapped:            65536 kB\n"
                                                           "Shmem:              " IN_TEXT(
                                                               HOST_SHARED_KB) " kB\n"
                                                                               "KReclaimable:      "
                                                                               "65536 kB\n"
                                                                               "Slab:             "
                                                                               "131072 kB\n"
                                                                               "SReclaimable:      "
                                                                               "65536 kB\n"
                                                                               "SUnreclaim:        "
                                                                               "65536 kB\n"
                                                                               "PageTables:        "
                                                                               " 8192 kB\n"
                                                                               "CommitLimit:     "
                                                                               "4194304 kB\n"
                                                                               "Committed_AS:     "
                                                                               "262144 kB\n"
                                                                               "HugePages_Total:   "
                                                                               "    0\n"
                                                                               "HugePages_Free:    "
                                                                               "    0\n"
                                                                               "HugePages_Rsvd:    "
                                                                               "    0\n"
                                                                               "HugePages_Surp:    "
                                                                               "    0\n"
                                                                               "Hugepagesize:      "
                                                                               " 2048 kB\n";
static const char name[] = HOST_NAME "\n";
static const char domain[] = HOST_DOMAIN "\n";
static const char machine_id[] = HOST_MACHINE_ID "\n";

/* One struct of arrays, no pointers: those would have to be relocated at every start. */
enum fixed { NAME, DOMAIN, MACHINE_ID, MEMORY, UPTIME, LOAD, CPUS };
static const struct file {
    char path[40];
    uint8_t what;
    uint8_t source;
} files[] = {
    {"/etc/hostname", NAME, DETRUN_HOST},
    {"/proc/sys/kernel/hostname", NAME, DETRUN_HOST},
    {"/proc/sys/kernel/domainname", DOMAIN, DETRUN_HOST},
    {"/etc/machine-id", MACHINE_ID, DETRUN_HOST},
    {"/var/lib/dbus/machine-id", MACHINE_ID, DETRUN_HOST},
    {"/proc/meminfo", MEMORY, DETRUN_PROC},
    {"/proc/uptime", UPTIME, DETRUN_PROC},
    {"/proc/loadavg", LOAD, DETRUN_PROC},
    {"/sys/devices/system/cpu/online", CPUS, DETRUN_CPUS},
    {"/sys/devices/system/cpu/possible", CPUS, DETRUN_CPUS},
    {"/sys/devices/system/cpu/present", CPUS, DETRUN_CPUS},
};

static bool is_path(const char *path, const char *wanted)
{
    size_t n = strlen(wanted) + 1;
    return strlen(path) + 1 == n && memcmp(path, wanted, n) == 0;
}

static const struct file *file_of(const char *path)
{
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (is_path(path, files[i].path))
            return &files[i];
    return NULL;
}

static bool ends_alike(const char *path, const char *whole)
{
    size_t n = strlen(path);
    size_t size = strlen(whole);
    while (n > 0 && size > 0 && path[n - 1] == whole[size - 1] && whole[size - 1] != '/') {
        n--;
        size--;
    }
    return whole[size - 1] == '/' && (n == 0 || path[n - 1] == '/');
}

/* Of a path that begins elsewhere only what its last name says may be one. */
static const struct file *file_of_link(int fd, const char *path)
{
    char link[PROCFS_LINK];
    char target[sizeof(files[0].path)] = "";
    bool may_be = false;
    for (size_t i = 0; !may_be && i < sizeof(files) / sizeof(files[0]); i++)
        may_be = ends_alike(path, files[i].path);
    if (!may_be)
        return NULL;
    procfs_link_of(fd, link);
    raw3(SYS_readlink, (long)link, (long)target, sizeof(target) - 1);
    return file_of(target);
}

static const struct file *file_opened(int fd, const char *path)
{
    if (path[0] != '/')
        return file_of_link(fd, path);
    bool may_be = path[1] == 'e' || path[1] == 'p' || path[1] == 's' || path[1] == 'v';
    return may_be ? file_of(path) : NULL;
}

static bool put(int fd, const struct file *file)
{
    char text[ROOM];
    switch ((enum fixed)file->what) {
    case NAME:
        return procfs_text_put(fd, name, sizeof(name) - 1);
    case DOMAIN:
        return procfs_text_put(fd, domain, sizeof(domain) - 1);
    case MACHINE_ID:
        return procfs_text_put(fd, machine_id, sizeof(machine_id) - 1);
    case MEMORY:
        return procfs_text_put(fd, memory, sizeof(memory) - 1);
    case UPTIME:
        return procfs_text_put(fd, text, write_uptime(text));
    case LOAD:
        return procfs_text_put(fd, text, write_load(text));
    case CPUS:
        return procfs_text_put(fd, text, machine_list(text, cpus_all(&shim.memory->params)));
    }
    return false;
}

static bool is_answered(const struct file *file)
{
    if (!task_self() || task_leaves_real((enum detrun_source)file->source))
        return false;
    return file->what != CPUS || machine_cpus() > 0;
}

bool fixed_text_opened(int fd, const char *path)
{
    const struct file *file = shim.sandboxed ? NULL : file_opened(fd, path);
    if (!file || !is_answered(file))
        return false;
    if (!put(fd, file))
        lineage_count_gap(shim.memory, DETRUN_GAP_TEXT_KERNEL);
    return true;
}

bool fixed_text_is_counter(const char *path)
{
    return path[0] == '/' && path[1] == 'v' && is_path(path, "/var/lib/libuuid/clock.txt") &&
           task_self() && !task_leaves_real(DETRUN_HOST);
}
