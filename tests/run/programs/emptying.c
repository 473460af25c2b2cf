/* SPDX-License-Identifier: MIT */
/* emptying FOLDER [BYTES]: removes each file when it is listed, while others come, in BYTES of
 * address space more than it has: whatever stays is given once. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static unsigned char seen[1000000];

static void fail(const char *what, int number)
{
    printf("%s %d\n", what, number);
    exit(1);
}

static void limit(unsigned long more)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1)
        fail("statm", 0);
    fclose(file);
    struct rlimit room = {pages * 4096 + more, pages * 4096 + more};
    if (setrlimit(RLIMIT_AS, &room) != 0)
        fail("setrlimit", 0);
}

int main(int argc, char **argv)
{
    int n = 0;
    const struct dirent *entry;
    DIR *dir = argc > 1 && chdir(argv[1]) == 0 ? opendir(".") : NULL;
    if (!dir)
        fail("opendir", 0);
    if (argc > 2)
        limit(strtoul(argv[2], NULL, 10));
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] != 'f')
            continue;
        int i = atoi(entry->d_name + 1);
        if (seen[i]++)
            fail("twice", i);
        if (unlink(entry->d_name) != 0)
            fail("unlink", i);
        n++;
        char other[32];
        snprintf(other, sizeof(other), "a%d", n % 50);
        close(open(other, O_CREAT | O_WRONLY, 0600));
    }
    closedir(dir);
    printf("%d files\n", n);
    return 0;
}
