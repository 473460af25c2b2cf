/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the command's process tells the launcher before its first image runs. The command's end is
 * close-on-exec: end of file means that the exec succeeded, or that the process died.
 */
#ifndef DETRUN_LAUNCHER_CHANNEL_H
#define DETRUN_LAUNCHER_CHANNEL_H

enum channel_kind {
    CHANNEL_LISTENER, /**< the filter is in: a descriptor comes along */
    CHANNEL_INSIDE,   /**< the job is inside another, whose supervisor answers */
    CHANNEL_REFUSED,  /**< no filter (error says why): no supervisor */
    CHANNEL_NEEDED,   /**< no filter, and the command cannot do without: it ended */
    CHANNEL_NOT_RUN,  /**< the exec failed with error */
};

struct channel_message {
    enum channel_kind kind;
    int error; /**< 0 or -errno */
};

/** ends[0] is the launcher's. @return 0 or -errno */
int channel_open(int ends[2]);

/** @param fd  goes along, or -1 */
int channel_send(int end, struct channel_message message, int fd);

/** @return 1 with a message, 0 at the end, or -errno; *fd is what came along, or -1 */
int channel_receive(int end, struct channel_message *message, int *fd);

#endif
