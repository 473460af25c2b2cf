/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The job memory shared by launcher, supervisor and shim, and the names both sides agree on.
 *
 * One memfd of fixed size, sparse. The launcher fills `params` before the first exec; guests map
 * it read-only and the rest read-write. Memory ordering: fields declared _Atomic are the only
 * ones that two threads may touch at once (publish with release, read with acquire); every other
 * field of a task belongs to its owner, or to the supervisor while the owner is held in a
 * notification. A change of any layout raises DETRUN_ABI_VERSION.
 */
#ifndef DETRUN_ABI_H
#define DETRUN_ABI_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/seccomp.h>

#define DETRUN_ABI_MAGIC      UINT64_C(0x6e75727465643164)
#define DETRUN_ABI_VERSION    1U
/** Raised by anything that changes an answer. */
#define DETRUN_STREAM_VERSION 1U

/* Environment names. Lengths and values of what the launcher adds are equal in every run. */
#define DETRUN_ENV_DETERMINISTIC "E2E_DETERMINISTIC"
#define DETRUN_ENV_SEED          "E2E_SEED"
#define DETRUN_ENV_STEP          "E2E_TIME_STEP_MS"
/** With a unit; the other one is in milliseconds. */
#define DETRUN_ENV_STEP_EXACT    "DETRUN_STEP"
#define DETRUN_ENV_EPOCH         "DETRUN_EPOCH"
#define DETRUN_ENV_TEST_NAME     "DETRUN_TEST_NAME"
/** Dots, so many that arguments, environment and the program's path take up a multiple of some
 * size: they lie above the stack, whose addresses then do not tell how long they are. Only with a
 * profile. */
#define DETRUN_ENV_PAD           "DETRUN_PAD"
/** What the shim carries across exec when no supervisor holds the job memory. */
#define DETRUN_ENV_CONTEXT       "DETRUN_CONTEXT"
#define DETRUN_PRELOAD_NAME      "libdetrun-preload.so"

/** Exit statuses of detrun itself (contract, section 6). */
enum detrun_exit {
    DETRUN_EXIT_FAILED = 125,
    DETRUN_EXIT_CANNOT_RUN = 126,
    DETRUN_EXIT_NOT_FOUND = 127
};

/**
 * The private call of the shim: prctl with an option no kernel has, trapped for the supervisor;
 * EINVAL without one. A number of its own would not get as far: filters that list what they know
 * (Docker's) refuse others before ours is asked, and valgrind does not pass them on.
 * Second argument: an operation below.
 */
#define DETRUN_OPTION 0x64747275
enum detrun_operation {
    DETRUN_OP_ATTACH = 1,  /**< version, size of the memory, address of a uint32_t for the index of
                           the asking  process's record: a descriptor of the memory, or an error */
    DETRUN_OP_QUERY = 2,   /**< returns DETRUN_ABI_VERSION: is a supervisor there? */
    DETRUN_OP_DECLINE = 3, /**< this image goes without its shim (Go, no libc): returns 0 */
    DETRUN_OP_NAME =
        4, /**< a real thread id of the job: its record is found or made; its virtual id */
    /* By a launcher inside a job, see detrun_inner. */
    DETRUN_OP_JOB = 5,   /**< as ATTACH, of the memory of a new job inside the caller's, whose
                              params are a copy of the outer one's but for the id */
    DETRUN_OP_LEAVE = 6, /**< id: its command has ended. 0 or an error */
    DETRUN_OP_KILL =
        7, /**< id, signal: to all jobs inside that one. How many processes there are */
    DETRUN_OP_UNMAPPED = 8, /**< no room for the memory that ATTACH gave: returns 0 */
    DETRUN_OP_WAIT = 9,     /**< a thread is about to sleep: have an eye on the job. 0 */
    /* By libdetrun, for its program. */
    DETRUN_OP_BEGIN = 10, /**< address of a struct detrun_begin: see lineage_begin(). 0 or an error;
                             answered by the shim where there is one */
    DETRUN_OP_RECORD = 11, /**< address, length of "EVENT\nMEMBERS", the members as JSON without its
                              braces: a record. 0; ENOTCONN: nobody keeps records, EINVAL: not of
                              that form, EMSGSIZE: too long. A failure's third argument is its
                              iteration, or 0; it gets the line that repeats it */
    DETRUN_OP_COUNT = 12,  /**< enum detrun_counter, what to add, address of a uint64_t for the sum.
                              0 or an error */
    DETRUN_OP_INFO = 13,   /**< address, size of a struct detrun_info: how much of it was filled */
    DETRUN_OP_TRACE = 14,  /**< a descriptor of the trace's file, or an error */
    DETRUN_OP_TRACE_GROW = 15, /**< more of that file is needed: 0 or an error */
};

/** The key of a test: what the launcher makes of its test seed. */
struct detrun_begin {
    uint8_t key[32];
};

/** Counted for the whole job. */
enum detrun_counter {
    DETRUN_COUNTER_SCENARIOS,
    DETRUN_COUNTER_RECORDINGS,
    DETRUN_COUNTER_REPLAYS,
    DETRUN_COUNTER_EVENTS,
    DETRUN_COUNTER_TIMESTAMPS, /**< of shells' fixtures */
    DETRUN_COUNTER_TICKS,
    DETRUN_COUNTERS
};

#define DETRUN_REDACT_SIZE    512
#define DETRUN_NO_FOLLOW_SIZE 512
#define DETRUN_TEXT_SIZE      1024 /**< of a test's name, or of a seed's text, with its end */
#define DETRUN_RECORD_SIZE    (UINT64_C(1) << 20)
#define DETRUN_REPEAT_SIZE    (UINT64_C(1) << 17)
#define DETRUN_CALLS_SIZE     (UINT64_C(1) << 16)

/** Where a task stands in the tree of creation: "1.2". */
#define DETRUN_PLACE_SIZE 48

/** detrun_info.flags; the first: somebody keeps records. */
#define DETRUN_INFO_RECORDS   1U
#define DETRUN_INFO_JOB_CLOCK 2U /**< --clock-scope=job */
#define DETRUN_INFO_REAL_TIME 4U /**< --wait=real */

/** What a program may know of its job. */
struct detrun_info {
    uint32_t size;
    uint32_t flags;
    uint64_t job_seed;
    uint64_t test_seed;
    uint64_t step_ns;
    uint64_t max_examples;   /**< 0: not given */
    uint32_t seed_encoding;  /**< enum seed_encoding, launcher/seed.h */
    uint32_t iteration;      /**< of detrun repeat, from 1; 0: none */
    uint32_t only_iteration; /**< of the program's own, to be run alone; 0: all */
    uint32_t real;           /**< bit per enum detrun_source */
    uint64_t lineage;
    char task[64]; /**< its place */
    char test_name[DETRUN_TEXT_SIZE];
    char seed_text[DETRUN_TEXT_SIZE]; /**< SEED_TEXT */
    int64_t epoch_ns;
    uint64_t mono_step_ns;
};
/** In the sixth argument of a call that takes fewer: the shim's own, to be let through. */
#define DETRUN_PASS UINT64_C(0x6465747275727f21)

/**
 * Ids of the job's timers, which the kernel does not know: above those that it gives. What a signal
 * of one says of itself (si_timerid) is its id; the one below them stands for an interval timer
 * (setitimer, alarm), whose signals natively come from the kernel, as which nobody else can send.
 */
#define DETRUN_TIMER_FIRST    0x40000000
#define DETRUN_TIMER_INTERVAL (DETRUN_TIMER_FIRST - 1)

/** Defaults of the contract. */
#define DETRUN_DEFAULT_EPOCH_NS   (INT64_C(1735689600) * 1000000000)
#define DETRUN_DEFAULT_STEP_NS    (UINT64_C(16) * 1000000)
#define DETRUN_MONOTONIC_START_NS (UINT64_C(100) * 1000000000)
/** Where a test begins they are later by this: who measures the test from before it began, as test
 * harnesses do in its process, must find a duration that is not negative, and not a day. */
#define DETRUN_TEST_LEAP_NS       (UINT64_C(1800) * 1000000000)
/** CPU clocks start here, so that nobody divides by zero. */
#define DETRUN_CPU_START_NS       UINT64_C(1000000)

/** Virtual pids: above the kernel's PID_MAX_LIMIT, below 2^28 (CPU-clock ids hold 29 bits). */
#define DETRUN_REAL_PID_LIMIT 4194304
#define DETRUN_VPID_FIRST     4194305
#define DETRUN_VPID_END       (1 << 28)

/** The closed list of sources (contract, section 1), in the order of its names. */
#define DETRUN_SOURCE_NAMES                                                                        \
    X(WALL, "wall")                                                                                \
    X(MONOTONIC, "monotonic")                                                                      \
    X(CPUTIME, "cputime")                                                                          \
    X(SLEEP, "sleep")                                                                              \
    X(TIMER, "timer")                                                                              \
    X(RANDOM, "random")                                                                            \
    X(PID, "pid")                                                                                  \
    X(ASLR, "aslr")                                                                                \
    X(DIRS, "dirs")                                                                                \
    X(INODES, "inodes")                                                                            \
    X(MTIMES, "mtimes")                                                                            \
    X(HOST, "host")                                                                                \
    X(CPUS, "cpus")                                                                                \
    X(PROC, "proc")                                                                                \
    X(PORTS, "ports")                                                                              \
    X(TSC, "tsc")                                                                                  \
    X(RDRAND, "rdrand")                                                                            \
    X(URING, "uring")                                                                              \
    X(ENV, "env")

enum detrun_source {
#define X(id, name) DETRUN_##id,
    DETRUN_SOURCE_NAMES
#undef X
        DETRUN_SOURCES
};

/** Doors by which an answer was given; the ones that are counted. */
enum detrun_door {
    DETRUN_DOOR_SYMBOL,
    DETRUN_DOOR_VDSO,
    DETRUN_DOOR_SITE,
    DETRUN_DOOR_NOTIFY,
    DETRUN_DOORS
};

/** Seen but not controlled: what the summary names. X(id, source it belongs to, JSON name) */
#define DETRUN_GAP_NAMES                                                                           \
    X(NO_SHIM, ENV, "images_without_shim")                                                         \
    X(STATIC_DEVICE, RANDOM, "images_that_may_open_random_devices")                                \
    X(FOREIGN_ARCH, ENV, "images_of_another_architecture")                                         \
    X(SETUID, ENV, "setuid_images")                                                                \
    X(UNPRIVILEGED, ENV, "setuid_images_without_privileges")                                       \
    X(UNWRITABLE, ENV, "images_that_may_not_be_written")                                           \
    X(VDSO_REFUSED, MONOTONIC, "vdso_not_patched")                                                 \
    X(AUXV_REFUSED, RANDOM, "at_random_not_written")                                               \
    X(TABLE_FULL, PID, "tasks_without_record")                                                     \
    X(UNATTRIBUTED, PID, "tasks_unattributed")                                                     \
    X(PID_COLLISION, PID, "virtual_pid_collisions")                                                \
    X(PID_UNTRANSLATED, PID, "virtual_pids_untranslated")                                          \
    X(THREAD_DB, PID, "debuggers_with_the_kernels_pids")                                           \
    X(PID_OUTSIDE, PID, "pids_outside_the_job")                                                    \
    X(MISMATCH, ENV, "shim_version_mismatches")                                                    \
    X(NO_MEMORY_MAP, ENV, "shims_without_job_memory")                                              \
    X(GUEST_SILENT, ENV, "notifications_let_through")                                              \
    X(SPIN_GUARD, MONOTONIC, "spin_guard_moves")                                                   \
    X(FILES_WRITTEN, MTIMES, "files_written_that_found_no_place")                                  \
    X(INODES_FULL, INODES, "files_that_found_no_number")                                           \
    X(INODE_PATH, INODES, "files_whose_path_is_not_known")                                         \
    X(SECCOMP_REFUSED, ENV, "seccomp_requests_refused")                                            \
    X(URING_REFUSED, URING, "io_uring_setup_refused")                                              \
    X(EARLY_TIMEOUT, SLEEP, "timeouts_that_computing_did_not_wait_for")                            \
    X(KERNEL_TIMEOUT, SLEEP, "waits_that_only_the_kernel_could_end")                               \
    X(CPU_TIMER, TIMER, "timers_on_cpu_time")                                                      \
    X(REAL_TIMER, TIMER, "timers_left_to_the_kernel")                                              \
    X(NOT_FOLLOWED, ENV, "programs_not_followed")                                                  \
    X(FOLLOWED, ENV, "programs_followed_against_no_follow")                                        \
    X(PORT_SKIPPED, PORTS, "ports_in_use_skipped")                                                 \
    X(PORT_KERNEL, PORTS, "ports_left_to_the_kernel")                                              \
    X(DIRS_KERNEL, DIRS, "directories_left_to_the_kernel")                                         \
    X(NETWORK_REFUSED, PORTS, "connections_refused")                                               \
    X(TEXT_KERNEL, HOST, "texts_of_the_machine_left_to_the_kernel")                                \
    X(SUPERVISOR_RESTARTED, ENV, "supervisor_restarts")

enum detrun_gap {
#define X(id, source, name) DETRUN_GAP_##id,
    DETRUN_GAP_NAMES
#undef X
        DETRUN_GAPS
};

/** Families of clocks: each counts its own reads (architecture, section 4). */
enum detrun_family { DETRUN_FAMILY_WALL, DETRUN_FAMILY_MONO, DETRUN_FAMILY_CPU, DETRUN_FAMILIES };

/** Streams of one task; no two share a byte. */
enum detrun_stream {
    DETRUN_STREAM_RANDOM, /**< getrandom, getentropy, arc4random, random_device */
    DETRUN_STREAM_DEVICE, /**< /dev/random and /dev/urandom */
    DETRUN_STREAM_AUXV,   /**< AT_RANDOM, 16 bytes an image */
    DETRUN_STREAM_UUID,   /**< /proc/sys/kernel/random/uuid */
    DETRUN_STREAM_PORT,   /**< ports that are left to the system, four bytes each */
    DETRUN_STREAMS
};

/** params.flags */
#define DETRUN_FLAG_TRAP_OPEN     1U /**< openat is trapped: static programs' random devices */
#define DETRUN_FLAG_JOB_CLOCK     2U /**< one clock for the whole job, see core/clock.h */
#define DETRUN_FLAG_FOREIGN       4U /**< programs of another class can run here: look before an exec */
#define DETRUN_FLAG_NO_PRIVS      8U  /**< the filter needed no_new_privs */
#define DETRUN_FLAG_REAL_TIME     16U /**< --wait=real: time-outs take their time */
#define DETRUN_FLAG_TRAP_GETDENTS 64U /**< getdents64 is trapped: static programs' directories */
#define DETRUN_FLAG_TRACE         32U /**< --trace */

#define DETRUN_PATH_SIZE    1024
#define DETRUN_PUTBACK_SIZE 1024

/** A file as the kernel knows it. ino 0: none. */
struct detrun_start {
    uint64_t dev;
    uint64_t ino;
};
#define DETRUN_STARTS 2

/** What the launcher decided, read-only to the job. The key is readable by the job, by design. */
struct detrun_params {
    uint64_t magic;
    uint32_t version;
    uint32_t stream_version;
    uint64_t size;   /**< sizeof(struct detrun_memory) of who made it */
    uint8_t key[32]; /**< from the test seed; keys every stream */
    uint64_t job_seed;
    uint64_t test_seed;
    int64_t epoch_ns;      /**< wall clock at the start */
    int64_t mono_start_ns; /**< monotonic clocks at the start: small, and another for each key */
    int64_t file_start_ns; /**< real time of the start, by the clock that stamps files */
    int64_t file_shift_ns; /**< how much earlier later times of files show: filetime.h */
    /** The folder that the job was started in, and the one above; none: the root. */
    struct detrun_start starts[DETRUN_STARTS];
    uint64_t start_dev; /**< what the first lies on, the root too */
    uint64_t
        step_ns[DETRUN_FAMILIES]; /**< what one read moves; the CPU family steps as mono does */
    uint32_t real;                /**< bit per enum detrun_source: left to the kernel */
    uint32_t flags;
    uint32_t job;                   /**< 0: the outermost; else the id of a job inside it */
    int32_t launcher;               /**< of an inner job: its pid as the supervisor sees it */
    char library[DETRUN_PATH_SIZE]; /**< absolute path of the shim, as put into LD_PRELOAD */
    /** "NAME=value\0" ... "\0": put back where a program drops them; LD_PRELOAD not among them. */
    char putback[DETRUN_PUTBACK_SIZE];
    /* What records and libdetrun say of the job. */
    uint64_t max_examples;
    uint64_t record_limit; /**< bytes; 0: none */
    uint32_t seed_encoding;
    uint32_t iteration;
    uint32_t only_iteration;
    int32_t record_fd;    /**< the launcher's descriptor; 0: no records */
    int32_t trace_fd;     /**< the same of the trace */
    uint64_t trace_limit; /**< bytes */
    uint32_t network;     /**< enum network, core/network.h */
    uint32_t cpus;        /**< processors that the job sees, core/cpus.h; 0: the machine's */
    char test_name[DETRUN_TEXT_SIZE];
    char seed_text[DETRUN_TEXT_SIZE];
    char redact[DETRUN_REDACT_SIZE]; /**< a regular expression, or "" */
    /** Patterns separated by colons: programs that get real answers, and do not know of the job. */
    char no_follow[DETRUN_NO_FOLLOW_SIZE];
};

/** Life of a record. FREE -> PREPARED -> RUNNING -> ENDED -> FREE; PREPARED -> FREE on failure. */
enum detrun_state {
    DETRUN_FREE,
    DETRUN_PREPARED, /**< the creator made it; exactly one claim succeeds */
    DETRUN_RUNNING,
    DETRUN_ENDED,   /**< a joinable thread that returned, or a dead process not yet waited for */
    DETRUN_OUTSIDE, /**< not ours: the launcher, its group, its session */
};

/** What a task does, as far as it tells; the keeper asks the kernel as well. */
enum detrun_activity {
    DETRUN_ACTIVE,   /**< runs, or waits in a call that is none of ours */
    DETRUN_ASLEEP,   /**< in a wait with a time-out: task.target */
    DETRUN_BLOCKED,  /**< in a wait without one */
    DETRUN_RELEASED, /**< the keeper decided that the time-out has run out */
};

/** What for: who may end the wait besides its time-out? From DETRUN_ON_FUTEX on: who wakes that. */
enum detrun_waits_on {
    DETRUN_ON_FILES,
    DETRUN_ON_SOCKET, /**< that has a time limit of its own */
    DETRUN_ON_OTHERS,
    DETRUN_ON_NOBODY,
    DETRUN_ON_FUTEX
};

/** task.flags */
#define DETRUN_TASK_THREAD   1U  /**< not the first thread of its process */
#define DETRUN_TASK_SHIM     2U  /**< the image has, or is about to have, the shim */
#define DETRUN_TASK_GO       4U  /**< a Go image: raw nanosleep is its scheduler's own */
#define DETRUN_TASK_DETACHED 8U  /**< the thread frees its own record */
#define DETRUN_TASK_ATTACHED 16U /**< the shim of the present image has mapped the job memory */
#define DETRUN_TASK_RAW_IDS  32U /**< raw identity calls stay real wherever they come from */
#define DETRUN_TASK_TRACED                                                                         \
    64U /**< a tracer has yet to be told of this thread's end: the sweep frees it */

#define DETRUN_TASK_LIBC_SIGNALS                                                                   \
    128U /**< no shim, and libc's threads have sent each other signals of its own */
#define DETRUN_TASK_UNREACHABLE                                                                    \
    256U /**< the keeper may not end its waits: they end by the kernel's time-outs */
#define DETRUN_TASK_KEYED      512U /**< a test has begun in it, or in who made it: task.key counts */
#define DETRUN_TASK_UNFOLLOWED 1024U /**< params.no_follow: gets real answers, for ever */

/** In-process answers are counted per task for the first sources only (they are the ones). */
#define DETRUN_TASK_SOURCES (DETRUN_PID + 1)

/** One process or thread. Index 0 is never used, so 0 means none. */
struct detrun_task {
    _Atomic uint32_t state; /**< enum detrun_state */
    _Atomic uint32_t nonce; /**< differs at every allocation of this slot */
    _Atomic uint32_t flags;
    _Atomic int32_t real_pid; /**< thread group id, 0 until claimed */
    _Atomic int32_t real_tid;
    uint32_t vpid;        /**< what getpid answers */
    uint32_t vtid;        /**< what gettid answers; equals vpid in a first thread */
    uint32_t parent_vpid; /**< what getppid answers while the parent lives */
    uint32_t parent;      /**< index of the creator's record */
    uint32_t parent_nonce;
    uint32_t process;    /**< index of the first thread's record */
    uint32_t generation; /**< images: raised by each exec */
    uint64_t lineage;    /**< place in the tree of creation, 64 bits of XXH3 */
    uint64_t start_time; /**< field 22 of /proc/<pid>/stat, 0: not known */

    /* The owner's clock. */
    _Atomic uint64_t base;                   /**< ns slept, by itself or by whom it waited for */
    _Atomic uint64_t moved[DETRUN_FAMILIES]; /**< ns moved by reads */
    uint64_t wall_at_start;                  /**< moved[DETRUN_FAMILY_WALL] when it was made */
    uint64_t kept;         /**< part of the base that is not passed on to whom it wakes */
    uint64_t pending_base; /**< from children reaped at a moment of their own; see call_child.c */
    uint64_t pending_wall;
    uint32_t spins;          /**< reads since the base moved (spin guard) */
    uint32_t guard_reads;    /**< how many of them set the guard off */
    uint32_t children;       /**< threads and processes started so far */
    _Atomic uint32_t living; /**< processes started and not yet reaped */
    uint32_t deferred;       /**< number of the child that was last deferred */
    uint32_t parent_asked;   /**< getppid calls, see lineage_parent() */
    uint32_t seen_end;       /**< children when it last read the end of a pipe or file */
    uint32_t number;         /**< which of its creator's children this is, from 1 */
    uint32_t images;         /**< ARCH_SET_FS calls seen by the supervisor */
    _Atomic uint64_t position[DETRUN_STREAMS]; /**< next byte of each stream */

    /* Threads: what the trampoline calls. */
    uint64_t start_routine;
    uint64_t argument;
    uint64_t handle; /**< its pthread_t; while it is being created, where that will be written */

    /* First thread of a process: where libc's text lies (its raw identity calls stay real). */
    uint64_t libc_start;
    uint64_t libc_end;

    /* In a pid namespace that is not the supervisor's: which one, and the id there, by which the
     * others in it know it; real_tid stays the id outside, 0 until somebody there tells it. */
    uint32_t space; /**< 0: the supervisor's */
    _Atomic int32_t inner_tid;

    uint32_t answered[DETRUN_TASK_SOURCES][DETRUN_DOORS];

    _Atomic uint64_t cpus; /**< bit for each that it may run on, core/cpus.h; 0: all */

    /* Waits, see shim/preload/waits.h. */
    _Atomic uint64_t target;   /**< ASLEEP: job time at which the time-out runs out */
    _Atomic uint32_t activity; /**< enum detrun_activity */
    _Atomic uint32_t beat;     /**< changes whenever the activity begins anew */
    _Atomic uint32_t released; /**< a futex word: 1 once the keeper has ended the wait, 2 before
                                    its turn, 3 from the end of each wait to the next */
    _Atomic uint32_t waits_on; /**< enum detrun_waits_on, or index of a detrun_futex */
    _Atomic uint32_t wakes;    /**< of that futex when the wait began */
    uint32_t blocked_beat; /**< the keeper's: the last beat at which the kernel had it blocked */

    /* Tests of one program, see lineage_begin(), and records. */
    uint32_t children_before; /**< the test: their numbers count from there */
    uint32_t records;         /**< written of this task */

    /* Of a trace, see core/trace.h. */
    _Atomic uint64_t
        trace_next;        /**< number of the next slot in its file << 32 | how many are left */
    uint64_t trace_task;   /**< its lineage when it began */
    uint32_t trace_chunks; /**< so far */

    uint8_t key[32];
    char place[DETRUN_PLACE_SIZE];

    uint32_t pipes; /**< made so far, or seen first */
} __attribute__((aligned(64)));

/** Who last woke waiters of one futex, and how far its clock was. */
struct detrun_futex {
    _Atomic uint64_t address; /**< mixed with the process for private futexes; 0: free */
    _Atomic uint64_t base;
    _Atomic uint64_t mono;  /**< base and what reads moved, for runs whose monotonic clock steps */
    _Atomic uint32_t wakes; /**< calls that woke, or may have woken, somebody */
};

/** How many children of one name a task has started; see lineage_prepare_named(). */
struct detrun_name {
    uint64_t key; /**< creator and name mixed; 0: free */
    uint64_t count;
};

/** A file that the job has written. */
struct detrun_written {
    _Atomic uint64_t key; /**< device and inode mixed; 0: free */
    _Atomic int64_t ns;   /**< wall clock of the last write, 0: being made */
};

/** An object in whose code processor instructions have been looked for, see core/searched.h. */
struct detrun_searched {
    _Atomic uint64_t key;   /**< of its build id; 0: free */
    _Atomic uint64_t found; /**< DETRUN_SEARCHED_DONE | count << 32 | the first; 0: not known yet */
};
#define DETRUN_SEARCHED_DONE (UINT64_C(1) << 63)

/** One of its windows: struct instruction_window, and the executable segment it is in, from 0. */
struct detrun_window {
    uint32_t start;
    uint32_t pad;
    uint8_t length;
    uint8_t site;
    uint16_t segment;
};

#define DETRUN_SEARCHED          1024
#define DETRUN_WINDOWS           4096
#define DETRUN_WRITTEN_FILES     131072
/** Words for files, and as many for their numbers: core/inode.h. */
#define DETRUN_INODE_WORDS       (1 << 20)
#define DETRUN_DEVICES           64
#define DETRUN_PIPES             65536
#define DETRUN_MAX_TASKS         65536
#define DETRUN_NAMES             4096
#define DETRUN_USED_WORDS        (DETRUN_MAX_TASKS / 64)
#define DETRUN_FUTEX_SLOTS       4096
/**
 * Virtual pids hash into buckets of two cache lines; a slot holds vpid << 32 | task index. The
 * first few buckets are tried first: a small job then touches few pages.
 */
#define DETRUN_VPID_NEAR_BUCKETS 128
#define DETRUN_VPID_BUCKETS      16384
#define DETRUN_VPID_SLOTS        16
/** Real pids below this, the usual ones, have their index beside the other small tables. */
#define DETRUN_LOW_PIDS          32768
#define DETRUN_INFLIGHT          512

/** Requests the supervisor has received and not answered; another one takes them up. */
struct detrun_inflight {
    struct seccomp_notif request; /**< id 0: slot is free */
};

#define DETRUN_INNER_JOBS 128

/**
 * A job inside another: a second listener in a chain of filters is EBUSY, so one supervisor keeps
 * the memories of all. Listed in the outermost job's memory, for a supervisor that takes over.
 */
struct detrun_inner {
    _Atomic uint32_t id; /**< 0: free; written last */
    uint32_t outer;      /**< id of the job around it */
    int32_t launcher;    /**< real pid of the detrun that made it */
    int32_t launcher_fd; /**< its descriptor of the memory */
    int32_t supervisor_fd;
};

/** What is done about the numbers of files on a device. */
enum detrun_device {
    DETRUN_DEVICE_NEW = 1, /**< not yet known */
    DETRUN_DEVICE_FILES,   /**< they get the job's */
    DETRUN_DEVICE_KERNELS, /**< its files are the kernel's own: they keep them */
    DETRUN_DEVICE_PIPES,
};

struct detrun_shared {
    _Atomic uint64_t
        answered[DETRUN_SOURCES][DETRUN_DOORS]; /**< of freed tasks and the supervisor */
    _Atomic uint64_t gaps[DETRUN_GAPS];
    _Atomic uint32_t next_nonce;
    _Atomic uint32_t allocation_hint;
    _Atomic uint32_t tasks_in_use;
    _Atomic uint32_t far_vpids; /**< virtual pids that ever went into a far bucket */
    /** Somebody changed what lies under /: the shim may not be found everywhere. */
    _Atomic uint32_t roots_differ;
    /** DETRUN_FLAG_JOB_CLOCK: how far each family is from its start; the CPU family is not used. */
    _Atomic uint64_t job_clock[DETRUN_FAMILIES];
    /** The time of the job: the last time-out that ran out while all were blocked, ns from the
     * start. */
    _Atomic uint64_t now;
    _Atomic uint32_t watched;    /**< the keeper has an eye on the job: no need to call it */
    _Atomic uint32_t signals;    /**< sent by threads of the job: they end waits of every kind */
    _Atomic uint32_t inner_jobs; /**< made so far: the last id */
    /** Sum over freed tasks of what they were answered: lineage_inputs(). */
    _Atomic uint64_t inputs[2];
    _Atomic uint64_t counters[DETRUN_COUNTERS];
    _Atomic uint32_t windows;      /**< of their table that are taken */
    _Atomic uint32_t searched;     /**< objects whose code is known */
    _Atomic uint64_t recorded;     /**< bytes of records */
    _Atomic uint32_t record_error; /**< errno of the first that was not written: it is the last */
    _Atomic uint32_t truncated;    /**< their limit was reached, and this has been recorded */
    /** What files lie on: the kernel's number << 32 | the job's minor << 8 | enum detrun_device;
     * 0: free. Minor 0: it keeps its number. */
    _Atomic uint64_t devices[DETRUN_DEVICES];
    _Atomic uint32_t trace_error;   /**< errno that ended the trace early */
    _Atomic uint64_t trace_claimed; /**< bytes of its file that tasks have; see trace_close() */
    _Atomic uint64_t trace_allocated;
    _Atomic uint64_t trace_dropped; /**< events */
    struct detrun_inner inner[DETRUN_INNER_JOBS];
    struct detrun_inflight inflight[DETRUN_INFLIGHT];
};

/** Calls that were noted: launcher/calls.c. */
struct detrun_calls {
    uint32_t used;     /**< bytes of text */
    uint32_t left_out; /**< calls for which there was no room */
    char text[DETRUN_CALLS_SIZE - 8];
};

#define DETRUN_PARAMS_SIZE 8192
#define DETRUN_SHARED_SIZE (DETRUN_INFLIGHT * 80 + 8192)

/* What every process touches comes first and lies close together: each page of it that a fork's
 * child touches is a page fault, each two megabytes a page table. */
struct detrun_memory {
    union {
        struct detrun_params params;
        uint8_t params_pages[DETRUN_PARAMS_SIZE];
    };
    union {
        struct detrun_shared shared;
        uint8_t shared_pages[((DETRUN_SHARED_SIZE + 4095) / 4096) * 4096];
    };
    _Atomic uint64_t used[DETRUN_USED_WORDS]; /**< bit per task record */
    _Atomic uint64_t near_vpids[DETRUN_VPID_NEAR_BUCKETS][DETRUN_VPID_SLOTS];
    _Atomic uint32_t low_pids[DETRUN_LOW_PIDS]; /**< see detrun_index_of() */
    struct detrun_futex futexes[DETRUN_FUTEX_SLOTS];
    struct detrun_name names[DETRUN_NAMES];
    struct detrun_task tasks[DETRUN_MAX_TASKS];
    _Atomic uint64_t vpids[DETRUN_VPID_BUCKETS][DETRUN_VPID_SLOTS];
    _Atomic uint32_t pids[DETRUN_REAL_PID_LIMIT]; /**< as low_pids, from DETRUN_LOW_PIDS on */
    struct detrun_written written[DETRUN_WRITTEN_FILES];
    _Atomic uint64_t inodes[DETRUN_INODE_WORDS];
    _Atomic uint64_t numbers[DETRUN_INODE_WORDS];
    _Atomic uint64_t pipes[DETRUN_PIPES]; /**< the kernel's number << 32 | the job's */
    struct detrun_searched searched[DETRUN_SEARCHED];
    struct detrun_window windows[DETRUN_WINDOWS];
    /** Where records are kept: the launcher's words to repeat the job, quoted for a shell, and
     * those of its command, each with its end; or "". */
    char repeat[DETRUN_REPEAT_SIZE];
    struct detrun_calls calls;
};

/**
 * Where a real thread id, 0 < tid < DETRUN_REAL_PID_LIMIT, has its task's index; when that task is
 * gone its virtual id, until the number is used again.
 */
static inline _Atomic uint32_t *detrun_index_of(struct detrun_memory *m, int32_t tid)
{
    return tid < DETRUN_LOW_PIDS ? &m->low_pids[tid] : &m->pids[tid];
}

_Static_assert(sizeof(struct detrun_params) <= DETRUN_PARAMS_SIZE, "params fit their pages");
_Static_assert(sizeof(struct detrun_shared) <= sizeof(((struct detrun_memory *)0)->shared_pages),
               "shared fits its pages");
_Static_assert(offsetof(struct detrun_memory, shared) % 4096 == 0, "params are mapped read-only");
_Static_assert(sizeof(struct detrun_task) % 64 == 0, "records do not share cache lines");
_Static_assert(sizeof(struct seccomp_notif) == 80, "kernel layout");

#endif
