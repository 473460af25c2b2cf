/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cleanup.h"
#include "memory.h"
#include "probe.h"
#include "process.h"
#include "real.h"

#define PAGE       4096
#define PAGES      512
#define BEFORE     1
#define AFTER      2
#define PAUSE_NS   1000000
#define PAUSES     3000
#define YAMA       "/proc/sys/kernel/yama/ptrace_scope"
#define PAD_OFFSET EI_PAD /* in the vDSO's first page: nobody reads it */

/* Private to each process after the fork: only a write from outside changes the other's. */
static volatile char cell = BEFORE;

static char *shared_word(void)
{
    char *word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return word == MAP_FAILED ? NULL : word;
}

static _Noreturn void wait_for_writer(volatile const char *done)
{
    for (int i = 0; i < PAUSES && !*done; i++)
        real_pause(PAUSE_NS);
    _exit(cell == AFTER ? 0 : 1);
}

static int open_memory(int pid)
{
    char path[32];
    snprintf(path, sizeof(path), "/proc/%d/mem", pid);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* @return 0 or -errno */
static int write_by_file(int pid)
{
    static const char after = AFTER;
    AUTO_CLOSE int fd = open_memory(pid);
    if (fd < 0)
        return fd;
    return pwrite(fd, &after, 1, (off_t)(uintptr_t)&cell) == 1 ? 0 : -errno;
}

static int write_by_call(int pid)
{
    static char after = AFTER;
    struct iovec local = {&after, 1};
    struct iovec remote = {(void *)(uintptr_t)&cell, 1};
    return process_vm_writev(pid, &local, 1, &remote, 1, 0) == 1 ? 0 : -errno;
}

typedef int writer(int pid);

static int write_as_sibling(writer *write_it, int target)
{
    int pid = probe_fork();
    if (pid == 0)
        _exit(-write_it(target));
    return -probe_wait(pid);
}

static int write_as_parent(writer *write_it, int target)
{
    return write_it(target);
}

/* @return 0 when the write was seen, else what the writer met */
static int try_to_write(int (*as)(writer *, int), writer *write_it)
{
    char *done = shared_word();
    int pid = done ? probe_fork() : -1;
    if (pid == 0)
        wait_for_writer(done);
    if (pid < 0)
        return -EAGAIN;
    int error = as(write_it, pid);
    *done = 1;
    bool seen = probe_wait(pid) == 0;
    return error ? error : seen ? 0 : -EIO;
}

static void read_yama(char *text, size_t room)
{
    char value[8] = "";
    AUTO_CLOSE int fd = open(YAMA, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, value, sizeof(value) - 1);
    value[n > 0 ? n : 0] = '\0';
    value[strcspn(value, "\n")] = '\0';
    snprintf(text, room, n > 0 ? " (Yama's ptrace_scope: %s)" : "%s", value);
}

static void say_written(struct probe_result *result, int error, enum probe_state refused)
{
    char yama[64];
    read_yama(yama, sizeof(yama));
    if (!process_has_own_proc())
        probe_say(result, PROBE_UNKNOWN, "/proc is another pid namespace's");
    else if (error == 0)
        probe_say(result, PROBE_OK, "can be written%s", yama);
    else if (error == -EIO)
        probe_say(result, refused, "accepted, and without effect%s", yama);
    else
        probe_say(result, refused, "refused: %s%s", strerror(-error), yama);
}

void probe_child_memory(struct probe_result *result)
{
    say_written(result, try_to_write(write_as_parent, write_by_file), PROBE_MISSING);
}

void probe_sibling_memory(struct probe_result *result)
{
    say_written(result, try_to_write(write_as_sibling, write_by_file), PROBE_MISSING);
}

void probe_sibling_call(struct probe_result *result)
{
    say_written(result, try_to_write(write_as_sibling, write_by_call), PROBE_NOTE);
}

void probe_job_memory(struct probe_result *result)
{
    AUTO_CLOSE int named = memfd_create("detrun", MFD_CLOEXEC);
    int error = errno;
    AUTO_CLOSE int fd = memory_open();
    char *memory =
        fd < 0 ? MAP_FAILED : mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        probe_say(result, PROBE_MISSING, "%s", strerror(fd < 0 ? -fd : errno));
        return;
    }
    memory[0] = AFTER;
    char byte = 0;
    if (pread(fd, &byte, 1, 0) != 1 || byte != AFTER)
        probe_say(result, PROBE_MISSING, "a shared mapping is not shared");
    else if (named < 0)
        probe_say(result, PROBE_OK, "memfd_create is refused (%s): a file without a name does",
                  strerror(error));
    else
        probe_say(result, PROBE_OK, "memfd_create");
}

static size_t image_size(const char *header)
{
    const ElfW(Ehdr) *elf = (const ElfW(Ehdr) *)(const void *)header;
    const ElfW(Phdr) *segments = (const ElfW(Phdr) *)(const void *)(header + elf->e_phoff);
    for (int i = 0; i < elf->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD)
            return (segments[i].p_vaddr + segments[i].p_memsz + PAGE - 1) / PAGE * PAGE;
    return PAGE;
}

static bool write_self(volatile char *at)
{
    static const char after = AFTER;
    AUTO_CLOSE int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    return fd >= 0 && pwrite(fd, &after, 1, (off_t)(uintptr_t)at) == 1 && *at == AFTER;
}

void probe_vdso(struct probe_result *result)
{
    char *header = (char *)getauxval(AT_SYSINFO_EHDR);
    if (!header) {
        probe_say(result, PROBE_OK, "there is none: all reads are system calls");
        return;
    }
    volatile char *pad = header + PAD_OFFSET;
    bool writable = mprotect(header, image_size(header), PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
    int error = errno;
    if (writable)
        *pad = AFTER;
    if (writable && *pad == AFTER)
        probe_say(result, PROBE_OK, "mprotect makes it writable");
    else if (write_self(pad))
        probe_say(result, PROBE_OK, "mprotect is refused (%s), /proc/self/mem writes it",
                  strerror(error));
    else
        probe_say(result, PROBE_MISSING, "cannot be written: %s", strerror(error));
}

void probe_page_fault(struct probe_result *result)
{
    volatile char *memory = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    madvise((void *)memory, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
    uint64_t start = real_now_ns();
    for (int i = 0; i < PAGES; i++)
        memory[(size_t)i * PAGE] = 1;
    probe_say(result, PROBE_OK, "%.2f us", (double)(real_now_ns() - start) / PAGES / 1000);
}
