/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_touch.h"

static int set_times(const struct timespec times[2])
{
    int fd = open("old", O_RDONLY);
    int result = futimens(fd, times);
    CHECK(close(fd) == 0);
    return result;
}

static int now(void)
{
    return set_times(NULL);
}

static int now_by_name(void)
{
    return set_times((struct timespec[2]){{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_NOW}});
}

static int set(void)
{
    return set_times((struct timespec[2]){{.tv_sec = 978307200}, {.tv_sec = 978307200}});
}

int main(void)
{
    touches(now, set);
    touches(now_by_name, set);
    FAILS(EBADF, futimens(-1, NULL));
    return guest_end();
}
