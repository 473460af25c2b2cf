/* SPDX-License-Identifier: MIT */
#include "guest_realpath.h"

static const char *into_buffer(const char *path)
{
    static char buf[PATH_MAX];
    return realpath(path, buf);
}

static const char *allocated(const char *path)
{
    return realpath(path, NULL);
}

int main(void)
{
    check_resolved(into_buffer);
    check_resolved(allocated);
    errno = 0;
    CHECK(realpath(strchr("x", 'y'), NULL) == NULL && errno == EINVAL);
    return guest_end();
}
