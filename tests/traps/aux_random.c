/* SPDX-License-Identifier: MIT */
/* The 16 random bytes that an image is started with: the same by getauxval and /proc/self/auxv, and
 * no other image has them. */
#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>

#include "trap.h"

#define IMAGES 12

static const unsigned char *of_proc(void)
{
    Elf64_auxv_t entries[64];
    int fd = open("/proc/self/auxv", O_RDONLY);
    ssize_t size = read(fd, entries, sizeof(entries));
    CHECK(fd >= 0 && size > 0 && close(fd) == 0);
    for (ssize_t i = 0; i < size / (ssize_t)sizeof(*entries); i++)
        if (entries[i].a_type == AT_RANDOM)
            return (const unsigned char *)entries[i].a_un.a_val;
    return NULL;
}

int main(int argc, char **argv)
{
    static struct block blocks[IMAGES];
    const unsigned char *bytes = (const unsigned char *)getauxval(AT_RANDOM);
    int ends[2];
    char end[16];
    CHECK(bytes != NULL && of_proc() == bytes);
    if (argc > 1)
        return write(atoi(argv[1]), bytes, 16) == 16 ? 0 : 1;
    CHECK(pipe(ends) == 0);
    snprintf(end, sizeof(end), "%d", ends[1]);
    memcpy(blocks[0].bytes, bytes, 16);
    for (int i = 1; i < IMAGES; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            execl(argv[0], argv[0], end, (char *)NULL);
            _exit(99);
        }
        child_exits(pid, 0);
        CHECK(read(ends[0], &blocks[i], 16) == 16);
    }
    check_distinct(blocks, IMAGES);
    return guest_end();
}
