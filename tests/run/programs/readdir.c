/* SPDX-License-Identifier: MIT */
/* readdir FOLDER: its names and their positions. */
#include <dirent.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
    if (!dir)
        return 1;
    for (const struct dirent *entry; (entry = readdir(dir));)
        printf("%ld %s\n", telldir(dir), entry->d_name);
    return closedir(dir);
}
