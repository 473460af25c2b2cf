/* SPDX-License-Identifier: MIT */
/* A hundred failed execs and forty good ones in one process: what it may open, what it has mapped
 * and what its environment holds does not grow, and no image gets the bytes of another. */
#include <dirent.h>

#include "trap.h"

#define IMAGES 40

static int count_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    int c, lines = 0;
    CHECK(file != NULL);
    while ((c = getc(file)) != EOF)
        lines += c == '\n';
    fclose(file);
    return lines;
}

static int count_variables(void)
{
    int n = 0;
    while (environ[n])
        n++;
    return n;
}

static void fail_often(char **argv)
{
    char *nothing[] = {NULL};
    for (int i = 0; i < 25; i++) {
        FAILS(ENOENT, execve("/nonexistent/program", argv, nothing));
        FAILS(EACCES, execv("/etc/passwd", argv));
        FAILS(EACCES, execve("/", argv, environ));
        FAILS(ENOENT, execvp("no-such-program-anywhere", argv));
    }
}

/* argv: name, images left, descriptor of a file of blocks, mappings, variables */
int main(int argc, char **argv)
{
    int left = argc > 1 ? atoi(argv[1]) : IMAGES;
    int maps = count_lines("/proc/self/maps");
    int fd = argc > 1 ? atoi(argv[2]) : memfd_create("blocks", 0);
    struct block b = random_block();
    char text[4][16];
    CHECK(write(fd, &b, sizeof(b)) == sizeof(b));
    int first_maps = argc > 1 ? atoi(argv[3]) : maps;
    int variables = argc > 1 ? atoi(argv[4]) : count_variables();
    CHECK(maps <= first_maps + 2 && count_variables() == variables);
    if (left % 10 == 0)
        fail_often(argv);
    if (left == 0) {
        static struct block blocks[IMAGES + 1];
        CHECK(pread(fd, blocks, sizeof(blocks), 0) == sizeof(blocks));
        check_distinct(blocks, IMAGES + 1);
        CHECK(dup(0) == fd + 1);
        return guest_end();
    }
    int numbers[] = {left - 1, fd, first_maps, variables};
    for (int i = 0; i < 4; i++)
        snprintf(text[i], sizeof(text[i]), "%d", numbers[i]);
    execl(argv[0], argv[0], text[0], text[1], text[2], text[3], (char *)NULL);
    return 1;
}
