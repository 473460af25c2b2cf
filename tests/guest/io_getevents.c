/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_aio.h"

static long wait_by(enum door door, aio_context_t context, long least, struct io_event *events,
                    struct timespec *timeout)
{
    return by(door, SYS_io_getevents, (long)context, least, 8, (long)events, (long)timeout);
}

int main(void)
{
    return check_all_events(wait_by);
}
