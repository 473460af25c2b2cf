/* SPDX-License-Identifier: MIT */
/* The environment is wiped, replaced by one that cannot be written, edited, or gone: what is asked
 * goes on being answered, children too, and none of the variables that it had is changed. */
#include "trap.h"

static char *self;
static pid_t own_pid;

/* A child image that checks that it lives when its parent lived. */
static void start(char *const *envp)
{
    char now[32], parent[16];
    snprintf(now, sizeof(now), "%lld", (long long)time(NULL));
    snprintf(parent, sizeof(parent), "%d", own_pid);
    pid_t pid = fork();
    if (pid == 0) {
        execle(self, self, now, parent, (char *)NULL, envp);
        _exit(99);
    }
    child_exits(pid, 0);
    CHECK(getpid() == own_pid && same_day(time(NULL), atoll(now)));
    random_block();
}

static char **read_only(void)
{
    char *pages = guest_pages();
    char **array = (char **)(void *)pages;
    array[0] = strcpy(pages + 64, "PATH=/bin:/usr/bin");
    array[1] = strcpy(pages + 128, "LD_PRELOAD=");
    array[2] = NULL;
    CHECK(mprotect(pages, 4096, PROT_READ) == 0);
    return array;
}

static void edit(void)
{
    static char own[] = "E2E_SEED=not a number";
    CHECK(setenv("E2E_DETERMINISTIC", "0", 1) == 0);
    CHECK(putenv(own) == 0 && unsetenv("DETRUN_CONTEXT") == 0);
    CHECK(setenv("LD_PRELOAD", "", 1) == 0);
    CHECK(getpid() == own_pid);
}

static int as_child(char **argv)
{
    CHECK(same_day(time(NULL), atoll(argv[1])));
    CHECK(getppid() == atoi(argv[2]));
    random_block();
    return 0;
}

int main(int argc, char **argv)
{
    char *nothing[] = {NULL};
    if (argc == 3)
        return as_child(argv);
    self = argv[0];
    own_pid = getpid();
    start(environ);
    start(nothing);
    start(NULL);
    start(read_only());
    CHECK(clearenv() == 0);
    start(environ);
    environ = NULL;
    start(environ);
    CHECK(system("exit 3") == 3 << 8);
    environ = read_only();
    CHECK(getenv("PATH") != NULL && strcmp(getenv("LD_PRELOAD"), "") == 0);
    start(environ);
    CHECK(system("exit 4") == 4 << 8);
    environ = nothing;
    CHECK(setenv("A", "b", 1) == 0);
    start(environ);
    edit();
    CHECK(getpid() == own_pid && time(NULL) > 0);
    return guest_end();
}
