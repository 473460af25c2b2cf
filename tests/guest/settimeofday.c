/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/time.h>

#include "guest.h"

/* Before the monotonic clock: EINVAL where the privilege is there, and nothing is set. */
static const struct timeval too_early = {.tv_sec = 1};

static bool is_refused(long result, bool answered)
{
    return result == -EPERM || (!answered && result == -EINVAL);
}

int main(void)
{
    struct timeval bad = {.tv_sec = 1, .tv_usec = 1000001};
    struct timezone zone = {0};
    CHECK(settimeofday(&too_early, NULL) == -1 && is_refused(-errno, under_detrun()));
    FAILS(EINVAL, settimeofday(&too_early, &zone));
    FAILS(EINVAL, settimeofday(&bad, NULL));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        long refused = by(door, SYS_settimeofday, (long)&too_early, 0);
        CHECK(is_refused(refused, under_detrun() && answered(door)));
        CHECK(by(door, SYS_settimeofday, (long)&bad, 0) == -EINVAL);
        CHECK(by(door, SYS_settimeofday, (long)bad_pointer(), 0) == -EFAULT);
        CHECK(by(door, SYS_settimeofday, (long)&too_early, (long)bad_pointer()) == -EFAULT);
        CHECK(by(door, SYS_settimeofday, (long)&bad, (long)bad_pointer()) == -EINVAL);
    }
    return guest_end();
}
