/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Which descriptors give random bytes, or signals. A class is found out by fstat when it is first
 * needed. Classes of random files are found out again at each use, so a descriptor that was closed
 * or replaced behind our back (close_range, a raw call, a vfork child, which shares this table)
 * does no harm; whatever we see change a descriptor only forgets its class. In a sandbox the kernel
 * cannot be asked: there a class is what the descriptor was before, or what its name says.
 */
#ifndef DETRUN_SHIM_CLASS_H
#define DETRUN_SHIM_CLASS_H

#include <stdint.h>

enum class_of_file {
    CLASS_UNKNOWN,
    CLASS_OTHER,   /**< what is read from it is right */
    CLASS_SIGNALS, /**< a signalfd: who sent them is not */
    CLASS_DEVICE,  /**< from here on: random bytes */
    CLASS_UUID,
    CLASS_BOOT_ID,
};

#define CLASS_TABLE 4096 /**< larger descriptors are looked at on every use */

extern uint8_t class_table[CLASS_TABLE];

static inline enum class_of_file class_known(int fd)
{
    return (unsigned)fd < CLASS_TABLE
               ? (enum class_of_file)__atomic_load_n(&class_table[fd], __ATOMIC_RELAXED)
               : CLASS_UNKNOWN;
}

void class_set(int fd, enum class_of_file kind);

/** Ask the kernel, and remember. A bad descriptor is not remembered: it may become a good one. */
enum class_of_file class_now(int fd);

/** Before a sandbox: what the first descriptors are, while the kernel can be asked. */
void class_look_at_all(void);

/** A new descriptor, or -errno; one that is as another one; one of a file of this name. @return fd
 */
long class_fresh(long fd);
long class_copied(long fd, int from);
long class_opened(long fd, const char *path);

#endif
