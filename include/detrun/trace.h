/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Files of --trace: what a job was answered, wrote and started, task by task. docs/trace.md says
 * the same for those who read them without us. Little-endian; a change of anything here raises
 * TRACE_VERSION.
 *
 * A header, then chunks one behind the other, each of one task; a size of 0 ends them. An event is
 * TRACE_SLOT bytes; those of kind 0 were never written (their writer was killed), and are passed
 * over.
 */
#ifndef DETRUN_TRACE_H
#define DETRUN_TRACE_H

#include <stdint.h>

#define TRACE_MAGIC       "detrun trace\n\x1a\r"
#define TRACE_VERSION     1U
#define TRACE_HEADER      32768 /**< bytes, names and all */
#define TRACE_SLOT        16
#define TRACE_FIRST_CHUNK 4096  /**< a task's first: most have few events */
#define TRACE_CHUNK       65536 /**< all others */
#define TRACE_CHUNK_MAGIC UINT64_C(0x6b6e756863747264)
/** What one task maps, and no file is larger. */
#define TRACE_LIMIT       (UINT64_C(2) << 30)
/** The file grows by so much at once, so that a full disk is found out before it is written to. */
#define TRACE_GROWTH      (UINT64_C(1) << 20)

#define TRACE_PLACE   48
#define TRACE_COMMAND 32

struct trace_header {
    char magic[16];
    uint32_t version;
    uint32_t stream_version;
    uint64_t job_seed;
    uint64_t test_seed;
    uint32_t sources; /**< how many names of sources there are, then of doors, then of calls */
    uint32_t doors;
    uint32_t calls;
    uint32_t names_length;
    _Atomic uint64_t dropped; /**< events for which there was no room */
    _Atomic uint32_t error;   /**< the errno that ended it early */
    _Atomic uint32_t ended;   /**< 1: the launcher saw the command's end */
    uint32_t real;            /**< bit for each source that is left to the kernel */
    uint32_t reserved;
    char names[]; /**< each with its end */
};

struct trace_chunk {
    uint64_t magic;
    uint32_t size;  /**< bytes, with this */
    uint32_t index; /**< of the task's chunks, from 0 */
    uint64_t task;  /**< the same in each run, and another for each task */
    uint32_t generation;
    uint32_t vpid;
    uint32_t vtid;
    uint32_t reserved;
    char place[TRACE_PLACE]; /**< in the tree of creation, as in records */
    char command[TRACE_COMMAND];
    uint64_t spare;
};

enum trace_kind {
    TRACE_NONE,
    TRACE_TEXT,    /**< belongs to the event before: length in `source`, then up to 14 bytes */
    TRACE_CLOCK,   /**< value: the time read, ns */
    TRACE_BYTES,   /**< call: the stream; extra: length; value: digest. Random bytes */
    TRACE_CALL,    /**< value: the result */
    TRACE_LISTING, /**< extra: entries; value: digest of their names. A part of a directory */
    TRACE_OPEN,    /**< extra: flags; value: 0 or -errno; the path follows */
    TRACE_WRITE,   /**< call: descriptor; extra: length; value: digest, or -errno */
    TRACE_IMAGE,   /**< value: generation; the file follows. A program begins */
    TRACE_EXIT,    /**< value: as of wait(2) */
    TRACE_STATE,   /**< extra: length of a file; value: time of its last write, ns; the path may
                      follow */
    TRACE_KINDS
};

/** How often there is such an event, and what it says, may be timing: others are compared. */
#define TRACE_LOOSE       0x80U
/** The door of what the kernel answered, behind those of enum detrun_door. */
#define TRACE_KERNEL_DOOR DETRUN_DOORS

struct trace_event {
    uint8_t kind; /**< enum trace_kind, and TRACE_LOOSE */
    uint8_t source : 5;
    uint8_t door : 3;
    uint16_t call; /**< number of its name in the header */
    uint32_t extra;
    uint64_t value;
};

#define TRACE_TEXT_PIECE 14
struct trace_text {
    uint8_t kind;
    uint8_t length;
    char bytes[TRACE_TEXT_PIECE];
};

_Static_assert(sizeof(struct trace_event) == TRACE_SLOT, "as it is written");
_Static_assert(sizeof(struct trace_text) == TRACE_SLOT, "as it is written");
_Static_assert(sizeof(struct trace_chunk) == 128, "as it is written");

/** Rows of the table by number. A libc function and a system call of one name may be two rows. */
enum trace_call {
#define CALL(name, ...)        TRACE_CALL_##name,
#define CALL_LIBC(name, ...)   TRACE_LIBC_##name,
#define CALL_VOID(name, ...)   TRACE_LIBC_##name,
#define CALL_HAND(name, ...)   TRACE_LIBC_##name,
#define CALL_KERNEL(name, ...) TRACE_CALL_##name,
#define CALL_NOTIFY(name, ...) TRACE_CALL_##name,
#include "detrun/calls.def"
    TRACE_CALLS
};

#endif
