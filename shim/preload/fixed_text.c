/* SPDX-License-Identifier: MIT */
#include "fixed_text.h"

#include <stddef.h>
#include <string.h>
#include <sys/utsname.h>

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

/* The newest process is the one that asks. */
static size_t write_newest(char *text)
{
    size_t n = decimal_put(text, task_current->vpid);
    text[n] = '\n';
    return n + 1;
}

static size_t write_load(char text[ROOM])
{
    static const char idle[] = "0.00 0.00 0.00 1/" IN_TEXT(HOST_TASKS) " ";
    memcpy(text, idle, sizeof(idle) - 1);
    return sizeof(idle) - 1 + write_newest(text + sizeof(idle) - 1);
}

/* Without who compiled the kernel, where and when. */
static size_t write_version(char text[ROOM])
{
    static const char begin[] = "Linux version ";
    static const char end[] = " (detrun) " HOST_VERSION "\n";
    struct utsname u;
    if (raw_own(SYS_uname, (long)&u, 0) != 0)
        return 0;
    size_t n = strlen(u.release);
    memcpy(text, begin, sizeof(begin) - 1);
    memcpy(text + sizeof(begin) - 1, u.release, n);
    memcpy(text + sizeof(begin) - 1 + n, end, sizeof(end) - 1);
    return sizeof(begin) - 1 + n + sizeof(end) - 1;
}

/* Numbers as in host.h. */
static const char memory[] = "MemTotal:        8388608 kB\n"
                             "MemFree:         7340032 kB\n"
                             "MemAvailable:    7864320 kB\n"
                             "Buffers:           65536 kB\n"
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
                             "Shmem:              8192 kB\n"
                             "KReclaimable:      65536 kB\n"
                             "Slab:             131072 kB\n"
                             "SReclaimable:      65536 kB\n"
                             "SUnreclaim:        65536 kB\n"
                             "PageTables:         8192 kB\n"
                             "CommitLimit:     4194304 kB\n"
                             "Committed_AS:     262144 kB\n"
                             "HugePages_Total:       0\n"
                             "HugePages_Free:        0\n"
                             "HugePages_Rsvd:        0\n"
                             "HugePages_Surp:        0\n"
                             "Hugepagesize:       2048 kB\n";

/* One struct of arrays, no pointers: those would have to be relocated at every start. One star in a
 * path stands for what there may be. */
enum fixed { TEXT, MEMORY, UPTIME, LOAD, NEWEST, VERSION, CPUS, CPU_LIMIT };
static const struct file {
    char path[40];
    char text[36];
    uint8_t what;
    uint8_t source;
} files[] = {
    {"/etc/hostname", HOST_NAME "\n", TEXT, DETRUN_HOST},
    {"/proc/sys/kernel/hostname", HOST_NAME "\n", TEXT, DETRUN_HOST},
    {"/proc/sys/kernel/domainname", HOST_DOMAIN "\n", TEXT, DETRUN_HOST},
    {"/proc/sys/kernel/version", HOST_VERSION "\n", TEXT, DETRUN_HOST},
    {"/proc/version", "", VERSION, DETRUN_HOST},
    {"/etc/machine-id", HOST_MACHINE_ID "\n", TEXT, DETRUN_HOST},
    {"/var/lib/dbus/machine-id", HOST_MACHINE_ID "\n", TEXT, DETRUN_HOST},
    {"/sys/class/net/*/address", "00:00:00:00:00:00\n", TEXT, DETRUN_HOST},
    {"/proc/*/loginuid", "4294967295", TEXT, DETRUN_HOST},
    {"/proc/*/sessionid", "4294967295", TEXT, DETRUN_HOST},
    {"/proc/meminfo", "", MEMORY, DETRUN_PROC},
    {"/proc/uptime", "", UPTIME, DETRUN_PROC},
    {"/proc/loadavg", "", LOAD, DETRUN_PROC},
    {"/proc/sys/kernel/ns_last_pid", "", NEWEST, DETRUN_PID},
    {"/proc/sys/kernel/random/entropy_avail", "256\n", TEXT, DETRUN_PROC},
    {"/proc/sys/fs/file-nr", "1024\t0\t9223372036854775807\n", TEXT, DETRUN_PROC},
    {"/proc/sys/fs/inode-nr", "1024\t0\n", TEXT, DETRUN_PROC},
    {"/proc/sys/fs/inode-state", "1024\t0\t0\t0\t0\t0\t0\n", TEXT, DETRUN_PROC},
    {"/proc/sys/fs/dentry-state", "1024\t0\t45\t0\t0\t0\n", TEXT, DETRUN_PROC},
    {"/sys/devices/system/cpu/online", "", CPUS, DETRUN_CPUS},
    {"/sys/devices/system/cpu/possible", "", CPUS, DETRUN_CPUS},
    {"/sys/devices/system/cpu/present", "", CPUS, DETRUN_CPUS},
    {"/sys/fs/cgroup/*cpu.max", "max 100000\n", CPU_LIMIT, DETRUN_CPUS},
};

static bool is_path(const char *path, const char *wanted)
{
    size_t before = 0;
    while (wanted[before] != '\0' && wanted[before] != '*')
        before++;
    size_t n = strlen(path);
    size_t behind = wanted[before] == '*' ? strlen(wanted + before + 1) : 0;
    return (wanted[before] == '*' ? n >= before + behind : n == before) &&
           memcmp(path, wanted, before) == 0 &&
           memcmp(path + n - behind, wanted + before + 1, behind) == 0;
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
    char target[64] = "";
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
    case TEXT:
    case CPU_LIMIT:
        return procfs_text_put(fd, file->text, strlen(file->text));
    case MEMORY:
        return procfs_text_put(fd, memory, sizeof(memory) - 1);
    case UPTIME:
        return procfs_text_put(fd, text, write_uptime(text));
    case LOAD:
        return procfs_text_put(fd, text, write_load(text));
    case NEWEST:
        return procfs_text_put(fd, text, write_newest(text));
    case VERSION:
        return procfs_text_put(fd, text, write_version(text));
    case CPUS:
        return procfs_text_put(fd, text, machine_list(text, cpus_all(&shim.memory->params)));
    }
    return false;
}

static bool is_answered(const struct file *file)
{
    if (!task_self() || task_leaves_real((enum detrun_source)file->source))
        return false;
    return file->source != DETRUN_CPUS || machine_cpus() > 0;
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
