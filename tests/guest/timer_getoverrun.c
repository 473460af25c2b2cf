/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_timer.h"

static long get(enum way way, int id)
{
    if (way == BY_LIBC)
        return LIBC(timer_getoverrun((timer_t)(intptr_t)id));
    return by((enum door)way, SYS_timer_getoverrun, id);
}

static void check(enum way way, int signal_number)
{
    int id = make_timer(CLOCK_MONOTONIC, SIGEV_SIGNAL, signal_number);
    CHECK(get(way, id) == 0 && get(way, id + 1000) == -EINVAL);
    set_timer(id, 0, 10 * MS, 10 * MS);
    CHECK(usleep(95000) == 0);
    siginfo_t info = wait_signal(signal_number);
    CHECK(get(way, id) >= 8 && get(way, id) == info.si_overrun);
    show("overrun", supervised() ? get(way, id) : 0);
    wait_signal(signal_number);
    CHECK(!supervised() || get(way, id) == 0);
    set_timer(id, 0, 0, 0);
    CHECK(get(way, id) == 0);
    CHECK(syscall(SYS_timer_delete, id) == 0 && get(way, id) == -EINVAL);
}

int main(void)
{
    block(SIG_BLOCK, SIGUSR1);
    block(SIG_BLOCK, SIGRTMIN + 1);
    for (enum way way = 0; way < WAYS; way++) {
        check(way, SIGUSR1);
        check(way, SIGRTMIN + 1);
    }
    return guest_end();
}
