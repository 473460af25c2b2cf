/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

static void *in_thread(void *expected)
{
    CHECK(getpid() == *(pid_t *)expected);
    return NULL;
}

int main(void)
{
    pid_t pid = getpid();
    pthread_t thread;
    CHECK(pid > 0 && getpid() == pid && gettid() == pid);
    show("pid", pid);
    check_same(SYS_getpid, 0, pid);
    CHECK(pthread_create(&thread, NULL, in_thread, &pid) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    on_signal(SIGUSR1);
    CHECK(raise(SIGUSR1) == 0 && signals_seen == 1);
    return guest_end();
}
