/* SPDX-License-Identifier: MIT */
/* exec by a thread that is not the first, while others wait and run: the process keeps its id, the
 * new image has it as its thread's id too, and time goes on. */
#include <pthread.h>

#include "trap.h"

static char *own_path;
static pid_t pid_before;

static void *keep_asking(void *unused)
{
    for (;;)
        random_block();
    return unused;
}

static void *replace(void *unused)
{
    char pid[16], now[32];
    snprintf(pid, sizeof(pid), "%d", pid_before);
    snprintf(now, sizeof(now), "%lld", (long long)time(NULL));
    /* A failed one first: who called it must stay usable. */
    FAILS(ENOENT, execl("/nonexistent", "x", (char *)NULL));
    CHECK(getpid() == pid_before && gettid() != getpid());
    execl(own_path, own_path, pid, now, (char *)NULL);
    guest_fail(__FILE__, __LINE__, "exec");
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[3];
    if (argc > 2) {
        CHECK(getpid() == atoi(argv[1]) && gettid() == getpid());
        CHECK(same_day(time(NULL), atoll(argv[2])));
        CHECK(time(NULL) >= atoll(argv[2]) || getenv("GUEST_ALONE"));
        return guest_end();
    }
    own_path = argv[0];
    pid_before = getpid();
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, keep_asking, NULL) == 0);
    CHECK(pthread_create(&threads[2], NULL, replace, NULL) == 0);
    for (;;)
        pause();
}
