/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

static void *in_thread(void *tid)
{
    *(pid_t *)tid = gettid();
    CHECK(gettid() != getpid());
    check_same(SYS_gettid, 0, gettid());
    return NULL;
}

int main(void)
{
    pid_t tids[3] = {gettid()};
    CHECK(tids[0] == getpid());
    check_same(SYS_gettid, 0, tids[0]);
    for (int i = 1; i < 3; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, in_thread, &tids[i]) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(tids[i] > 0 && tids[i] != tids[0]);
    }
    for (int i = 0; i < 3; i++)
        show("tid", tids[i]);
    return guest_end();
}
