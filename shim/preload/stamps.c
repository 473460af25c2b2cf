/* SPDX-License-Identifier: MIT */
#include "stamps.h"

#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <linux/sockios.h>

#include "clock.h"
#include "poison.h"
#include "task.h"
#include "timespec.h"

static bool now(struct timespec *ts)
{
    struct detrun_task *t = task_self();
    if (!t || task_leaves_real(DETRUN_WALL))
        return false;
    *ts = timespec_of(clock_view(shim.memory, t, DETRUN_FAMILY_WALL));
    return true;
}

static bool has_microseconds(unsigned type)
{
    return type == SO_TIMESTAMP_OLD || type == SO_TIMESTAMP_NEW;
}

/* Of SCM_TIMESTAMPING the first of three times is the system clock's; a packet that has none keeps
 * its zero. The others are a device's. */
static bool is_stamp(const struct cmsghdr *message)
{
    static const struct timespec none;
    if (message->cmsg_level != SOL_SOCKET)
        return false;
    switch ((unsigned)message->cmsg_type) {
    case SO_TIMESTAMP_OLD:
    case SO_TIMESTAMP_NEW:
    case SO_TIMESTAMPNS_OLD:
    case SO_TIMESTAMPNS_NEW:
        return true;
    case SO_TIMESTAMPING_OLD:
    case SO_TIMESTAMPING_NEW:
        return message->cmsg_len >= CMSG_LEN(sizeof(none)) &&
               memcmp(CMSG_DATA(message), &none, sizeof(none)) != 0;
    default:
        return false;
    }
}

void stamps_in_message(struct cmsghdr *message)
{
    struct timespec ts;
    if (!is_stamp(message) || !now(&ts))
        return;
    if (has_microseconds((unsigned)message->cmsg_type))
        ts.tv_nsec /= 1000;
    size_t room = message->cmsg_len - CMSG_LEN(0);
    memcpy(CMSG_DATA(message), &ts, room < sizeof(ts) ? room : sizeof(ts));
}

bool stamps_asked(unsigned request)
{
    return request == SIOCGSTAMP_OLD || request == SIOCGSTAMPNS_OLD || request == SIOCGSTAMP_NEW ||
           request == SIOCGSTAMPNS_NEW;
}

void stamps_in_answer(unsigned request, void *answer)
{
    struct timespec ts;
    if (!now(&ts))
        return;
    if (request == SIOCGSTAMP_OLD || request == SIOCGSTAMP_NEW)
        ts.tv_nsec /= 1000;
    memcpy(answer, &ts, sizeof(ts));
}
