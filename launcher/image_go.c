/* SPDX-License-Identifier: MIT */
/* Go programs of x86-64: found by their build note, their cputicks() made to read 0. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "guest.h"
#include "image.h"

#define MAX_HEADERS 32
#define NOTE_ROOM   64
#define MAX_PLACES  4
#define CACHE       16

/* runtime.cputicks of Go 1.19 (asm_amd64.s): RDTSCP, or the fenced RDTSC of older CPUs; then
 * SHLQ $32, DX; ADDQ DX, AX. Older Go has the RDTSC straight before them. */
static const struct pattern {
    uint8_t size;
    uint8_t replaced;
    uint8_t from[12];
    uint8_t to[9];
} patterns[] = {
    /* rdtscp; shl $32, %rdx; add %rdx, %rax: xor %eax, %eax; cltd */
    {10, 3, {0x0f, 0x01, 0xf9, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x01, 0xd0}, {0x31, 0xc0, 0x99}},
    /* mfence; lfence; rdtsc: xor %eax, %eax; xor %edx, %edx; nopl */
    {8,
     8,
     {0x0f, 0xae, 0xf0, 0x0f, 0xae, 0xe8, 0x0f, 0x31},
     {0x31, 0xc0, 0x31, 0xd2, 0x0f, 0x1f, 0x40, 0x00}},
    /* rdtsc; shl; add: xor %eax, %eax; cltd; nopw */
    {9,
     9,
     {0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x01, 0xd0},
     {0x31, 0xc0, 0x99, 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00}},
};
#define PATTERNS (sizeof(patterns) / sizeof(patterns[0]))

struct places {
    dev_t device;
    ino_t inode;
    struct timespec changed;
    off_t size;
    unsigned count;
    struct {
        uint64_t address;
        const struct pattern *pattern;
    } at[MAX_PLACES];
};

static long read_headers(const struct question *q, const struct image *image,
                         Elf64_Phdr headers[MAX_HEADERS])
{
    size_t n = image->header_count < MAX_HEADERS ? image->header_count : MAX_HEADERS;
    int error =
        guest_read((int32_t)q->request->pid, image->headers, headers, n * sizeof(Elf64_Phdr));
    return error ? error : (long)n;
}

static uint64_t bias_of(const struct image *image, const Elf64_Phdr *headers, long n)
{
    for (long i = 0; i < n; i++)
        if (headers[i].p_type == PT_PHDR)
            return image->headers - headers[i].p_vaddr;
    for (long i = 0; i < n; i++)
        if (headers[i].p_type == PT_LOAD && headers[i].p_offset == 0)
            return image->headers - sizeof(Elf64_Ehdr) - headers[i].p_vaddr;
    return 0;
}

/* Several notes may share one segment; Go's own linker gives its note one of its own. */
static bool has_go_note(const uint8_t *notes, size_t len)
{
    return memmem(notes, len, "Go\0", 4) != NULL;
}

bool image_is_go(const struct question *q, const struct image *image, uint64_t *bias)
{
    Elf64_Phdr headers[MAX_HEADERS];
    uint8_t notes[NOTE_ROOM];
    long n = read_headers(q, image, headers);
    *bias = bias_of(image, headers, n);
    for (long i = 0; i < n; i++) {
        if (headers[i].p_type != PT_NOTE)
            continue;
        size_t len = headers[i].p_filesz < NOTE_ROOM ? headers[i].p_filesz : NOTE_ROOM;
        uint64_t address = *bias + headers[i].p_vaddr;
        if (guest_read((int32_t)q->request->pid, address, notes, len) == 0 &&
            has_go_note(notes, len))
            return true;
    }
    return false;
}

static void scan(struct places *places, const uint8_t *text, size_t len, uint64_t address)
{
    for (size_t p = 0; p < PATTERNS; p++) {
        const uint8_t *at = text;
        while (places->count < MAX_PLACES &&
               (at = memmem(at, len - (size_t)(at - text), patterns[p].from, patterns[p].size))) {
            places->at[places->count].address = address + (uint64_t)(at - text);
            places->at[places->count++].pattern = &patterns[p];
            at += patterns[p].size;
        }
    }
}

static void scan_file(struct places *places, const uint8_t *file, size_t size)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    if (size < sizeof(*header) || header->e_phoff + header->e_phnum * sizeof(Elf64_Phdr) > size)
        return;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(file + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *s = &segments[i];
        if (s->p_type == PT_LOAD && (s->p_flags & PF_X) && s->p_offset + s->p_filesz <= size)
            scan(places, file + s->p_offset, s->p_filesz, s->p_vaddr);
    }
}

static bool is_same_file(const struct places *p, const struct stat *st)
{
    return p->inode == st->st_ino && p->device == st->st_dev && p->size == st->st_size &&
           p->changed.tv_sec == st->st_mtim.tv_sec && p->changed.tv_nsec == st->st_mtim.tv_nsec;
}

static const struct places *find_places(int32_t pid)
{
    static struct places cache[CACHE];
    static unsigned next;
    char path[32];
    struct stat st;
    snprintf(path, sizeof(path), "/proc/%d/exe", pid);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0)
        return NULL;
    for (unsigned i = 0; i < CACHE; i++)
        if (is_same_file(&cache[i], &st))
            return &cache[i];
    void *file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file == MAP_FAILED)
        return NULL;
    struct places *places = &cache[next++ % CACHE];
    *places = (struct places){st.st_dev, st.st_ino, st.st_mtim, st.st_size, 0, {{0}}};
    scan_file(places, file, (size_t)st.st_size);
    munmap(file, (size_t)st.st_size);
    return places;
}

int image_patch_go(const struct question *q, int mem, uint64_t bias)
{
    const struct places *places = find_places((int32_t)q->request->pid);
    int result = places ? 0 : -ENOENT;
    for (unsigned i = 0; places && i < places->count; i++) {
        const struct pattern *p = places->at[i].pattern;
        int error = guest_patch(q, mem, bias + places->at[i].address, p->to, p->replaced);
        result = error ? error : result;
    }
    return result;
}
