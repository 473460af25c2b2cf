/* SPDX-License-Identifier: MIT */
#include "guest_listing.h"

static void look(const char *path, struct ids *ids)
{
    DIR *dir = opendir(path);
    CHECK(dir != NULL);
    errno = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        CHECK(atoi(entry->d_name) != getpid() || (entry->d_type == DT_DIR && entry->d_ino != 0));
        add_name(ids, entry->d_name);
    }
    CHECK(errno == 0 && closedir(dir) == 0);
}

/* Where one has been one can go again. */
static void check_places(const char *path, int wanted)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    long before = -1;
    CHECK(dir != NULL);
    while ((entry = readdir(dir)) != NULL && atoi(entry->d_name) != wanted)
        before = telldir(dir);
    CHECK(entry != NULL);
    seekdir(dir, before);
    /* Others may have come and gone meanwhile. */
    while ((entry = readdir(dir)) != NULL && atoi(entry->d_name) != wanted)
        CHECK(entry->d_name[0] != '.');
    CHECK(entry != NULL);
    while ((entry = readdir(dir)) != NULL)
        CHECK(atoi(entry->d_name) != wanted);
    rewinddir(dir);
    entry = readdir(dir);
    CHECK(entry && strcmp(entry->d_name, ".") == 0 && closedir(dir) == 0);
}

static void *places_in_thread(void *argument)
{
    (void)argument;
    check_places("/proc/self/task", getpid());
    check_places("/proc/self/task", gettid());
    return NULL;
}

int main(void)
{
    pthread_t thread;
    check_places("/proc", getpid());
    check_places("/proc", getppid());
    check_listings(look);
    CHECK(pthread_create(&thread, NULL, places_in_thread, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    show("pid", getpid());
    return guest_end();
}
