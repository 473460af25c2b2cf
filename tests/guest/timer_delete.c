/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_timer.h"

static long delete_it(enum way way, int id)
{
    if (way == BY_LIBC)
        return LIBC(timer_delete((timer_t)(intptr_t)id));
    return by((enum door)way, SYS_timer_delete, id);
}

static void check(enum way way)
{
    int id = make_timer(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGUSR1);
    int other = make_timer(CLOCK_REALTIME, SIGEV_SIGNAL, SIGUSR2);
    CHECK(id != other);
    set_timer(id, 0, 10 * MS, 10 * MS);
    set_timer(other, 0, 30 * MS, 0);
    CHECK(delete_it(way, id) == 0 && delete_it(way, id) == -EINVAL);
    wait_signal(SIGUSR2);
    CHECK(!is_pending(SIGUSR1));
    CHECK(delete_it(way, other) == 0 && delete_it(way, other) == -EINVAL);
    CHECK(way == BY_LIBC || delete_it(way, -1) == -EINVAL);
}

/* A child has none of them. */
static void check_child(enum way way)
{
    int id = make_timer(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGUSR1);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        _exit(delete_it(way, id) == -EINVAL ? 0 : 1);
    check_exit(pid, 0);
    CHECK(delete_it(way, id) == 0);
}

int main(void)
{
    block(SIG_BLOCK, SIGUSR1);
    block(SIG_BLOCK, SIGUSR2);
    for (enum way way = 0; way < WAYS; way++) {
        check(way);
        check_child(way);
    }
    return guest_end();
}
