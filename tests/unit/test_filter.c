/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "bpf.h"
#include "detrun/abi.h"
#include "detrun/calls_numbers.h"
#include "filter.h"
#include "supervisor.h"

static uint32_t run(unsigned options, const struct seccomp_data *data)
{
    return bpf_run(filter_programs[options].code, filter_programs[options].count, data);
}

struct sample {
    int number;
    uint64_t args[6];
    bool trapped;
};

#define VPID       UINT64_C(5000000)
#define MINUS(id)  ((uint64_t)(uint32_t)(-(int32_t)(id)))
#define GARBAGE    (UINT64_C(0xdead) << 32)
#define CLOCK_MARK (DETRUN_PASS & ~UINT64_C(0xffffffff))

static const struct sample samples[] = {
    {SYS_write, {1, 0, 0, 0, 0, 0}, false},
    {SYS_clock_gettime, {0, 0, 0, 0, 0, 0}, true},
    {SYS_getrandom, {0, 0, 0, 0, 0, 0}, true},
    {SYS_prctl, {DETRUN_OPTION, DETRUN_OP_ATTACH, 0, 0, 0, 0}, true},
    {SYS_prctl, {GARBAGE | DETRUN_OPTION, DETRUN_OP_ATTACH, 0, 0, 0, 0}, true},
    {SYS_prctl, {PR_SET_NAME, 0, 0, 0, 0, 0}, false},
    {SYS_io_uring_setup, {0, 0, 0, 0, 0, 0}, true},
    {SYS_getpid, {0, 0, 0, 0, 0, 0}, true},
    {SYS_getpid, {0, 0, 0, 0, 0, DETRUN_PASS}, false},
    {SYS_getpid, {0, 0, 0, 0, 0, DETRUN_PASS & 0xffffffff}, true},
    {SYS_gettid, {0, 0, 0, 0, 0, DETRUN_PASS}, false},
    {SYS_getppid, {0, 0, 0, 0, 0, DETRUN_PASS}, false},
    {SYS_bind, {3, 8, 16, 0, 0, 0}, true},
    {SYS_bind, {3, 8, 16, 0, 0, DETRUN_PASS}, false},
    {SYS_kill, {0, 9, 0, 0, 0, 0}, false},
    {SYS_kill, {1, 9, 0, 0, 0, 0}, false},
    {SYS_kill, {4194303, 9, 0, 0, 0, 0}, false},
    {SYS_kill, {DETRUN_VPID_FIRST, 9, 0, 0, 0, 0}, true},
    {SYS_kill, {DETRUN_VPID_END - 1, 9, 0, 0, 0, 0}, true},
    {SYS_kill, {DETRUN_VPID_END, 9, 0, 0, 0, 0}, false},
    {SYS_kill, {GARBAGE | VPID, 9, 0, 0, 0, 0}, true},
    {SYS_kill, {GARBAGE | 1, 9, 0, 0, 0, 0}, false},
    {SYS_kill, {MINUS(1), 9, 0, 0, 0, 0}, false},
    {SYS_kill, {MINUS(4194303), 9, 0, 0, 0, 0}, false},
    {SYS_kill, {MINUS(DETRUN_VPID_FIRST), 9, 0, 0, 0, 0}, true},
    {SYS_kill, {MINUS(DETRUN_VPID_END - 1), 9, 0, 0, 0, 0}, true},
    {SYS_kill, {GARBAGE | MINUS(VPID), 9, 0, 0, 0, 0}, true},
    {SYS_kill, {UINT64_MAX, 9, 0, 0, 0, 0}, false},
    {SYS_kill, {0x80000000, 9, 0, 0, 0, 0}, false},
    {SYS_tgkill, {1, 1, 9, 0, 0, 0}, false},
    {SYS_tgkill, {1, VPID, 9, 0, 0, 0}, true},
    {SYS_tgkill, {VPID, 1, 9, 0, 0, 0}, true},
    {SYS_rt_sigqueueinfo, {1, 9, 8, 0, 0, 0}, false},
    {SYS_rt_sigqueueinfo, {VPID, 9, 8, 0, 0, 0}, true},
    {SYS_rt_tgsigqueueinfo, {1, 1, 9, 8, 0, 0}, false},
    {SYS_rt_tgsigqueueinfo, {1, VPID, 9, 8, 0, 0}, true},
    {SYS_rt_tgsigqueueinfo, {VPID, 1, 9, 8, 0, 0}, true},
    {SYS_wait4, {MINUS(1), 0, 0, 0, 0, 0}, false},
    {SYS_wait4, {VPID, 0, 0, 0, 0, 0}, true},
    {SYS_waitid, {1, VPID, 0, 0, 0, 0}, true},
    {SYS_waitid, {VPID, 1, 0, 0, 0, 0}, false},
    {SYS_poll, {0, 0, 0, 0, 0, 0}, false},
    {SYS_poll, {0, 0, 1, 0, 0, 0}, true},
    {SYS_poll, {0, 0, INT32_MAX, 0, 0, 0}, true},
    {SYS_poll, {0, 0, MINUS(1), 0, 0, 0}, false},
    {SYS_poll, {0, 0, UINT64_MAX, 0, 0, 0}, false},
    {SYS_epoll_wait, {0, 0, 0, 10, 0, 0}, true},
    {SYS_epoll_wait, {0, 0, 10, 0, 0, 0}, false},
    {SYS_epoll_pwait, {0, 0, 0, 10, 0, 0}, true},
    {SYS_ppoll, {0, 0, 0, 0, 0, 0}, false},
    {SYS_ppoll, {0, 0, 8, 0, 0, 0}, true},
    {SYS_select, {0, 0, 0, 0, 0, 0}, false},
    {SYS_select, {0, 0, 0, 0, 8, 0}, true},
    {SYS_pselect6, {0, 0, 0, 0, 8, 0}, true},
    {SYS_futex, {8, FUTEX_WAIT, 0, 0, 0, 0}, false},
    {SYS_futex, {8, FUTEX_WAIT, 0, 8, 0, 0}, true},
    {SYS_futex, {8, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, 8, 0, 0}, true},
    {SYS_futex, {8, FUTEX_WAIT, 0, 8, DETRUN_PASS, 0}, false},
    {SYS_futex, {8, FUTEX_WAKE, 0, 8, 0, 0}, false},
    {SYS_futex, {8, FUTEX_REQUEUE, 0, 8, 8, 0}, false},
    {SYS_futex, {8, FUTEX_LOCK_PI, 0, 8, 0, 0}, true},
    {SYS_futex, {8, FUTEX_LOCK_PI2, 0, 8, 0, 0}, true},
    {SYS_futex, {8, FUTEX_WAIT_REQUEUE_PI, 0, 8, 0, 0}, true},
    {SYS_futex, {8, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, 8, 0, 0}, true},
    {SYS_setitimer, {0, 8, 0, 0, 0, 0}, true},
    {SYS_timer_create, {0, 0, 8, 0, 0, 0}, true},
    {SYS_timerfd_settime, {3, 0, 8, 0, 0, 0}, true},
    {SYS_timerfd_create, {0, 0, 0, 0, 0, 0}, false},
    {SYS_epoll_pwait2, {0, 0, 0, 8, 0, 0}, true},
    {SYS_epoll_pwait2, {0, 0, 8, 0, 0, 0}, false},
    {SYS_rt_sigtimedwait, {8, 0, 8, 8, 0, 0}, true},
    {SYS_rt_sigtimedwait, {8, 0, 0, 8, 0, 0}, false},
    {SYS_semtimedop, {0, 8, 1, 8, 0, 0}, true},
    {SYS_semtimedop, {0, 8, 1, 8, 0, DETRUN_PASS}, false},
    {SYS_semtimedop, {0, 8, 1, 0, 0, 0}, false},
    {SYS_futex_waitv, {8, 1, 0, 8, 1, 0}, true},
    {SYS_futex_waitv, {8, 1, 0, 8, 1, DETRUN_PASS}, false},
    {SYS_futex_waitv, {8, 1, 0, 0, 1, 0}, false},
    {SYS_futex_wait, {8, 1, 1, 2, 8, 1}, true},
    {SYS_futex_wait, {8, 1, 1, 2, 8, GARBAGE | 1}, true},
    {SYS_futex_wait, {8, 1, 1, 2, 8, CLOCK_MARK | 1}, false},
    {SYS_futex_wait, {8, 1, 1, 2, 0, 1}, false},
    {SYS_mq_timedsend, {0, 8, 1, 0, 8, 0}, true},
    {SYS_mq_timedreceive, {0, 8, 1, 0, 0, 0}, false},
    {SYS_mq_timedreceive, {0, 8, 1, 0, 8, 0}, true},
    {SYS_io_getevents, {0, 1, 1, 8, 0, 0}, false},
    {SYS_io_getevents, {0, 1, 1, 8, 8, 0}, true},
    {SYS_io_pgetevents, {0, 1, 1, 8, 8, 0}, true},
    {SYS_arch_prctl, {0x1002, 0, 0, 0, 0, 0}, true},
    {SYS_arch_prctl, {GARBAGE | 0x1002, 0, 0, 0, 0, 0}, true},
    {SYS_arch_prctl, {0x1003, 0, 0, 0, 0, 0}, false},
    {SYS_openat, {0, 0, 0, 0, 0, 0}, false},
    {SYS_open, {0, 0, 0, 0, 0, 0}, false},
    {-1, {0, 0, 0, 0, 0, 0}, false},
};

/* What an option alone traps. */
static const struct optional {
    int number;
    unsigned option;
} optional[] = {
    {SYS_open, CALLS_WITH_OPEN},           {SYS_openat, CALLS_WITH_OPEN},
    {SYS_connect, CALLS_WITH_NETWORK},     {SYS_sendto, CALLS_WITH_NETWORK},
    {SYS_getdents64, CALLS_WITH_GETDENTS}, {SYS_sendmsg, CALLS_WITH_NETWORK},
    {SYS_sendmmsg, CALLS_WITH_NETWORK},
};
#define OPTIONAL (sizeof(optional) / sizeof(optional[0]))

static bool is_optional(int number)
{
    for (size_t i = 0; i < OPTIONAL; i++)
        if (optional[i].number == number)
            return true;
    return false;
}

START_TEST(arguments_decide)
{
    const struct sample *s = &samples[_i];
    struct seccomp_data data = {.nr = s->number, .arch = AUDIT_ARCH_X86_64};
    for (int i = 0; i < 6; i++)
        data.args[i] = s->args[i];
    uint32_t expected = s->trapped ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ALLOW;
    ck_assert_uint_eq(run(0, &data), expected);
    for (unsigned options = 1; options < CALLS_FILTERS; options++)
        if (!is_optional(s->number))
            ck_assert_uint_eq(run(options, &data), expected);
}
END_TEST

START_TEST(options_trap_more)
{
    const struct optional *o = &optional[_i];
    struct seccomp_data data = {.nr = o->number, .arch = AUDIT_ARCH_X86_64};
    for (unsigned options = 0; options < CALLS_FILTERS; options++) {
        data.args[4] = 1; /* sendto: an address */
        ck_assert_uint_eq(run(options, &data),
                          options & o->option ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ALLOW);
        data.args[4] = 0;
        if (o->number == SYS_sendto)
            ck_assert_uint_eq(run(options, &data), SECCOMP_RET_ALLOW);
    }
    ck_assert(supervisor_row(o->number)->answer != NULL);
}
END_TEST

START_TEST(other_architectures_run_on)
{
    struct seccomp_data i386 = {.nr = 13, .arch = AUDIT_ARCH_I386};
    struct seccomp_data x32 = {.nr = 0x40000000 | SYS_getrandom, .arch = AUDIT_ARCH_X86_64};
    ck_assert_uint_eq(run(0, &i386), SECCOMP_RET_ALLOW);
    ck_assert_uint_eq(run(0, &x32), SECCOMP_RET_ALLOW);
}
END_TEST

START_TEST(nothing_kills)
{
    const struct filter_program *program = &filter_programs[_i];
    for (size_t i = 0; i < program->count; i++) {
        uint32_t k = program->code[i].k;
        if (BPF_CLASS(program->code[i].code) == BPF_RET)
            ck_assert(k == SECCOMP_RET_ALLOW || k == SECCOMP_RET_USER_NOTIF);
    }
}
END_TEST

/* All that may be trapped, some by their arguments. One more costs each program that calls it a
 * notification: it needs a row in scripts/bench, then a line here. */
static const int trapped[] = {
    SYS_poll,
    SYS_select,
    SYS_nanosleep,
    SYS_getpid,
    SYS_wait4,
    SYS_kill,
    SYS_gettimeofday,
    SYS_getrusage,
    SYS_sysinfo,
    SYS_times,
    SYS_setpgid,
    SYS_getppid,
    SYS_getpgid,
    SYS_getsid,
    SYS_pivot_root,
    SYS_arch_prctl,
    SYS_chroot,
    SYS_mount,
    SYS_umount2,
    SYS_gettid,
    SYS_tkill,
    SYS_time,
    SYS_futex,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_epoll_wait,
    SYS_epoll_pwait2,
    SYS_rt_sigtimedwait,
    SYS_semtimedop,
    SYS_futex_waitv,
    SYS_futex_wait,
    SYS_mq_timedsend,
    SYS_mq_timedreceive,
    SYS_io_getevents,
    SYS_io_pgetevents,
    SYS_tgkill,
    SYS_waitid,
    SYS_pselect6,
    SYS_ppoll,
    SYS_epoll_pwait,
    SYS_setns,
    SYS_getrandom,
    SYS_io_uring_setup,
    SYS_bind,
    SYS_uname,
    SYS_move_mount,
    SYS_sched_getparam,
    SYS_sched_setparam,
    SYS_sched_getscheduler,
    SYS_sched_setscheduler,
    SYS_sched_rr_get_interval,
    SYS_sched_getaffinity,
    SYS_sched_setaffinity,
    SYS_getcpu,
    SYS_sched_getattr,
    SYS_sched_setattr,
    SYS_getpriority,
    SYS_setpriority,
    SYS_ioprio_get,
    SYS_ioprio_set,
    SYS_prlimit64,
    SYS_get_robust_list,
    SYS_kcmp,
    SYS_pidfd_open,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_perf_event_open,
    SYS_ptrace,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_adjtimex,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_prctl,
    SYS_alarm,
    SYS_getitimer,
    SYS_setitimer,
    SYS_timer_create,
    SYS_timer_settime,
    SYS_timer_gettime,
    SYS_timer_getoverrun,
    SYS_timer_delete,
    SYS_timerfd_settime,
    SYS_timerfd_gettime,
};

static bool is_pinned(int number)
{
    for (size_t i = 0; i < sizeof(trapped) / sizeof(trapped[0]); i++)
        if (trapped[i] == number)
            return true;
    return false;
}

/* Each argument either way: a call is in the filter when one of these traps it. */
static bool may_be_trapped(int number)
{
    for (int i = 0; i < (int)(sizeof(samples) / sizeof(samples[0])); i++) {
        struct seccomp_data data = {.nr = number, .arch = AUDIT_ARCH_X86_64};
        for (int k = 0; k < 6; k++)
            data.args[k] = samples[i].args[k];
        if (run(0, &data) == SECCOMP_RET_USER_NOTIF)
            return true;
    }
    return false;
}

START_TEST(trapped_numbers_are_the_pinned_ones)
{
    for (int number = 0; number < 4096; number++)
        ck_assert_msg(may_be_trapped(number) == is_pinned(number), "call %d", number);
}
END_TEST

START_TEST(each_trapped_call_has_an_answer)
{
    const struct supervisor_row *row = supervisor_row(trapped[_i]);
    ck_assert_ptr_nonnull(row);
    ck_assert_msg(row->answer != NULL, "call %d", trapped[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("filter");
    TCase *tcase = tcase_create("filter");
    tcase_add_loop_test(tcase, arguments_decide, 0, (int)(sizeof(samples) / sizeof(samples[0])));
    tcase_add_loop_test(tcase, options_trap_more, 0, (int)OPTIONAL);
    tcase_add_test(tcase, other_architectures_run_on);
    tcase_add_loop_test(tcase, nothing_kills, 0, CALLS_FILTERS);
    tcase_add_test(tcase, trapped_numbers_are_the_pinned_ones);
    tcase_add_loop_test(tcase, each_trapped_call_has_an_answer, 0,
                        (int)(sizeof(trapped) / sizeof(trapped[0])));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
