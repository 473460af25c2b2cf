/* SPDX-License-Identifier: MIT */
#include "guest.h"
#include "host.h"
#include "supervisor.h"

long answer_uname(struct question *q)
{
    struct utsname u;
    if (supervisor_is_real(q, DETRUN_HOST) || uname(&u) != 0)
        return ANSWER_CONTINUE;
    host_name(&u);
    int error = guest_write(q, q->args[0], &u, sizeof(u));
    return error ? supervisor_unreachable(q, error) : 0;
}
