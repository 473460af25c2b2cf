/* SPDX-License-Identifier: MIT */
/**
 * @file
 * When a packet came: the kernel says it by its own clock, in control messages and by ioctl(2).
 * Told instead is the reader's wall clock as it stands, which is not moved: not before what the
 * reader has read, not after what it reads next.
 */
#ifndef DETRUN_SHIM_STAMPS_H
#define DETRUN_SHIM_STAMPS_H

#include <stdbool.h>

struct cmsghdr;

/** A control message that was received, as far as there was room for it. */
void stamps_in_message(struct cmsghdr *message);

/** Is this request one that asks for a packet's time? */
bool stamps_asked(unsigned request);

/** Its answer, which the kernel has written. */
void stamps_in_answer(unsigned request, void *answer);

#endif
