/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <linux/perf_event.h>

#include "guest_ids.h"

static long by_number(pid_t pid)
{
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_SOFTWARE, .size = sizeof(attributes), .exclude_kernel = 1};
    attributes.config = PERF_COUNT_SW_TASK_CLOCK;
    long fd = by(BY_SYSCALL, SYS_perf_event_open, (long)&attributes, pid, -1, -1, 0);
    if (fd >= 0)
        close((int)fd);
    return fd < 0 ? fd : 0;
}

int main(void)
{
    check_takes_pid(by_number);
    return guest_end();
}
