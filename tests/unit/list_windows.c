/* SPDX-License-Identifier: MIT */
/*
 * list_windows FILE: of each executable segment of an ELF file what core/instructions.h finds in
 * it. A line per window: address of the instruction, address and length of the window, of its pad
 * or 0. list_windows -l: lengths of instructions, given as a line of hexadecimal bytes each; a line
 * "length got bytes" for each that x86_decode() sees otherwise.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "instructions.h"

#define WINDOWS 4096

/* The image as it would be mapped, from address 0 on. */
static uint8_t *map_image(const uint8_t *file, const Elf64_Phdr *segments, unsigned n)
{
    uint64_t size = 0;
    for (unsigned i = 0; i < n; i++)
        if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr + segments[i].p_memsz > size)
            size = segments[i].p_vaddr + segments[i].p_memsz;
    uint8_t *image = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (unsigned i = 0; i < n && image != MAP_FAILED; i++)
        if (segments[i].p_type == PT_LOAD)
            memcpy(image + segments[i].p_vaddr, file + segments[i].p_offset, segments[i].p_filesz);
    return image;
}

static void list(const struct instruction_text *text, uint64_t address)
{
    static struct instruction_window windows[WINDOWS];
    unsigned n = instructions_find(text, windows, WINDOWS);
    for (unsigned i = 0; i < n; i++)
        printf("%lx %lx %u %lx\n", (unsigned long)(address + windows[i].start + windows[i].site),
               (unsigned long)(address + windows[i].start), windows[i].length,
               (unsigned long)(windows[i].pad ? address + windows[i].pad : 0));
}

static int list_file(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size < (off_t)sizeof(Elf64_Ehdr))
        return 2;
    const uint8_t *file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    const Elf64_Ehdr *header = (const void *)file;
    const Elf64_Phdr *segments = (const void *)(file + header->e_phoff);
    if (memcmp(file, ELFMAG "\2", 5) != 0)
        return 2;
    const uint8_t *image = map_image(file, segments, header->e_phnum);
    const uint8_t *frames = NULL;
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_GNU_EH_FRAME)
            frames = image + segments[i].p_vaddr;
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD && (segments[i].p_flags & PF_X)) {
            struct instruction_text text = {image + segments[i].p_vaddr, segments[i].p_memsz,
                                            frames};
            list(&text, segments[i].p_vaddr);
        }
    return 0;
}

static int check_lengths(void)
{
    char line[512];
    while (fgets(line, sizeof(line), stdin)) {
        uint8_t code[32];
        unsigned n = 0;
        char *end = line;
        for (char *at = line; n < sizeof(code); at = end) {
            unsigned long byte = strtoul(at, &end, 16);
            if (end == at)
                break;
            code[n++] = (uint8_t)byte;
        }
        struct x86 i;
        if (!x86_decode(code, n, &i) || i.length != n)
            printf("%u %u %s", n, i.length, line);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    return strcmp(argv[1], "-l") == 0 ? check_lengths() : list_file(argv[1]);
}
