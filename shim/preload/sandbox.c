/* SPDX-License-Identifier: MIT */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "bpf.h"
#include "class.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "sites.h"
#include "task.h"

/* What the shim calls where the program would not, with the arguments filters look at. */
static const struct own_call {
    short number;
    unsigned char argument;
    unsigned value;
} own_calls[] = {
    {SYS_prctl, 0, DETRUN_OPTION},
    {SYS_brk, 0, 0},
    {SYS_mmap, 2, PROT_READ | PROT_WRITE},
    {SYS_munmap, 0, 0},
    {SYS_mprotect, 2, PROT_READ | PROT_WRITE | PROT_EXEC},
    {SYS_mprotect, 2, PROT_READ},
    {SYS_madvise, 2, MADV_WIPEONFORK},
    {SYS_mincore, 0, 0},
    {SYS_futex, 1, FUTEX_WAIT_PRIVATE},
    {SYS_getpid, 0, 0},
    {SYS_gettid, 0, 0},
    {SYS_getppid, 0, 0},
    {SYS_close, 0, 0},
    {SYS_fstat, 0, 0},
    {SYS_newfstatat, 0, 0},
    {SYS_stat, 0, 0},
    {SYS_readlink, 0, 0},
    {SYS_access, 0, 0},
    {SYS_lseek, 0, 0},
    {SYS_openat, 0, 0},
    {SYS_read, 0, 0},
    {SYS_kill, 1, 0},
    {SYS_nanosleep, 0, 0},
    {SYS_clock_gettime, 0, 0},
    {SYS_rt_sigaction, 0, 0},
    {SYS_memfd_create, 0, 0},
    {SYS_prlimit64, 0, 0},
    {SYS_fcntl, 1, F_GETFD},
    {SYS_fchmod, 0, 0},
    {SYS_dup3, 0, 0},
};

static bool allows(const struct sock_fprog *program, const struct own_call *call)
{
    struct seccomp_data data = {.nr = call->number, .arch = AUDIT_ARCH_X86_64};
    data.args[call->argument] = call->value;
    uint32_t action =
        bpf_run(program->filter, program->len, &data) & (uint32_t)SECCOMP_RET_ACTION_FULL;
    return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG;
}

/* A bad pointer is the kernel's to refuse. */
static bool is_readable(const struct sock_fprog *program)
{
    return reach_readable(program, sizeof(*program)) &&
           reach_readable(program->filter, program->len * sizeof(*program->filter));
}

static bool refuses_us(const struct sock_fprog *program)
{
    for (size_t i = 0; i < sizeof(own_calls) / sizeof(own_calls[0]); i++)
        if (!allows(program, &own_calls[i]))
            return true;
    return false;
}

/* Whatever needs a call of ours later is done now. */
static void prepare(void)
{
    sites_arm();
    sites_arm_entries();
    class_look_at_all();
}

/* Threads to come learn their real ids where no filter so far minds. */
static bool hides_tids(const struct sock_fprog *program, bool strict)
{
    static const struct own_call ask = {SYS_gettid, 0, 0};
    return strict || !allows(program, &ask);
}

/* @return what shim.sandboxed was */
static bool enter(const struct sock_fprog *program, bool strict)
{
    bool before = shim.sandboxed;
    if (!task_self() || !(strict || is_readable(program)))
        return before;
    shim.tids_hidden = shim.tids_hidden || hides_tids(program, strict);
    if (before)
        return before;
    /* What the program was told of itself it may ask for: libc's own calls come by these. */
    sites_arm_late();
    if (strict || refuses_us(program)) {
        prepare();
        shim.sandboxed = true;
    }
    return before;
}

static long entered(long result, bool before)
{
    if (result >= 0)
        return result;
    shim.sandboxed = before;
    return result;
}

/* Behind detrun's filter the kernel refuses strict mode, and a second listener. */
static void count_refusal(bool asked)
{
    if (asked && shim.memory && !shim.alone)
        lineage_count_gap(shim.memory, DETRUN_GAP_SECCOMP_REFUSED);
}

long sandbox_seccomp(unsigned operation, unsigned flags, void *arguments)
{
    bool strict = operation == SECCOMP_SET_MODE_STRICT;
    if (!strict && operation != SECCOMP_SET_MODE_FILTER)
        return raw3(SYS_seccomp, operation, flags, (long)arguments);
    bool before = enter(arguments, strict);
    long result = entered(raw3(SYS_seccomp, operation, flags, (long)arguments), before);
    count_refusal(strict ? result == -EINVAL && flags == 0 && !arguments : result == -EBUSY);
    return result;
}

long sandbox_prctl(unsigned long mode, void *filter)
{
    bool strict = mode == SECCOMP_MODE_STRICT;
    bool before = enter(filter, strict);
    long result = entered(
        raw6(SYS_prctl, PR_SET_SECCOMP, (long)mode, strict ? 0 : (long)filter, 0, 0, 0), before);
    count_refusal(strict && result == -EINVAL);
    return result;
}
