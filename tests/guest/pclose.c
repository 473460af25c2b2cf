/* SPDX-License-Identifier: MIT */
#include "guest_child.h"

/* The child's time is ours when it has been waited for. */
int main(void)
{
    long long before = clock_ns(CLOCK_MONOTONIC);
    FILE *stream = popen("sleep 0.2; echo $$", "r");
    CHECK(stream);
    int status = pclose(stream);
    CHECK(status == 0 || WIFEXITED(status) || WIFSIGNALED(status));
    long long moved = clock_ns(CLOCK_MONOTONIC) - before;
    CHECK(moved >= 200000000 || !children_share_time());
    show("moved", moved);
    stream = popen("exit 3", "r");
    CHECK(stream && WEXITSTATUS(pclose(stream)) == 3);
    show("pid", getpid());
    return guest_end();
}
