/* SPDX-License-Identifier: MIT */
/* A thread changes the environment while another is in system(): its variables are there
 * afterwards, and none is lost. */
#include <pthread.h>

#include "trap.h"

#define NAMES 60

static _Atomic int begun;
static int set_so_far;

static void *set_meanwhile(void *unused)
{
    char name[16];
    while (!begun)
        sched_yield();
    usleep(30000);
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof(name), "TRAP_%d", set_so_far++);
        CHECK(setenv(name, name, 1) == 0);
    }
    CHECK(unsetenv("TRAP_1") == 0 && setenv("PATH", "/bin:/usr/bin", 1) == 0);
    return unused;
}

static void check_all(void)
{
    char name[16];
    int n = 0;
    for (int i = 0; i < set_so_far; i++) {
        snprintf(name, sizeof(name), "TRAP_%d", i);
        const char *value = getenv(name);
        CHECK(i == 1 ? value == NULL : value && strcmp(value, name) == 0);
    }
    for (char **entry = environ; *entry; entry++)
        n += strncmp(*entry, "TRAP_", 5) == 0;
    CHECK(n == set_so_far - 1 && strcmp(getenv("PATH"), "/bin:/usr/bin") == 0);
    CHECK(system("test \"$TRAP_2\" = TRAP_2 && test -z \"$TRAP_1\"") == 0);
}

/* wiped: what a job adds to the environment is not in it. */
static void while_in_system(bool wiped)
{
    pthread_t thread;
    if (wiped)
        CHECK(unsetenv("LD_PRELOAD") == 0 && unsetenv("E2E_SEED") == 0 &&
              setenv("LD_PRELOAD", "", 1) == 0);
    begun = 0;
    CHECK(pthread_create(&thread, NULL, set_meanwhile, NULL) == 0);
    begun = 1;
    CHECK(system("sleep 0.15") == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(!wiped || strcmp(getenv("LD_PRELOAD"), "") == 0);
    check_all();
}

int main(void)
{
    for (int i = 0; i < 4; i++)
        while_in_system(i % 2);
    return guest_end();
}
