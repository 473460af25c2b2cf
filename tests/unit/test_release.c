/* SPDX-License-Identifier: MIT */
#include "release_waits.h"

#define WRONG 1000 /* no call has it */

static void run_wait(struct target *t)
{
    t->value = result_of(waits[t->numbers[0]].wait(t));
}

/* NULL: this kernel has no such call. */
static struct target *start_wait(int i, bool threaded)
{
    struct target *t = target_new();
    t->numbers[0] = i;
    target_start(t, run_wait, threaded);
    if (target_await_call(t, waits[i].number))
        return t;
    int status = target_end(t);
    ck_assert_msg((WIFEXITED(status) && WEXITSTATUS(status) == 77) || t->value == -ENOSYS,
                  "%s: status %x, %ld", waits[i].name, status, t->value);
    printf("skipped: no %s here\n", waits[i].name);
    return NULL;
}

static void end_wait(struct target *t, int i)
{
    int status = target_end(t);
    ck_assert_msg(status == 0, "%s: status %x", waits[i].name, status);
    ck_assert_msg(t->value == waits[i].result, "%s: %ld", waits[i].name, t->value);
    ck_assert_msg(t->sound, "%s: memory", waits[i].name);
    munmap(t, sizeof(*t));
}

static void release_one(int i, bool threaded)
{
    struct target *t = start_wait(i, threaded);
    if (!t)
        return;
    enum release_end end = release_wait(t->tid, waits[i].number, waits[i].result);
    ck_assert_msg(end == RELEASE_DONE, "%s: %d", waits[i].name, end);
    end_wait(t, i);
}

START_TEST(a_wait_ends_as_at_its_time_out)
{
    release_one(_i, false);
}
END_TEST

START_TEST(a_wait_of_another_thread_ends)
{
    release_one(_i, true);
}
END_TEST

static void await_again(struct target *t, long number)
{
    while (process_state(t->tid) != 'S' ||
           (target_call(t->tid) != number && target_call(t->tid) != SYS_restart_syscall))
        ck_assert(!t->over);
}

START_TEST(a_wait_goes_on_when_another_is_meant)
{
    struct target *t = start_wait(_i, false);
    if (!t)
        return;
    for (int tries = 0; tries < 20; tries++) {
        ck_assert_int_eq(release_wait(t->tid, WRONG, -EIO), RELEASE_NOT_WAITING);
        await_again(t, waits[_i].number);
    }
    enum release_end end = release_wait(t->tid, waits[_i].number, waits[_i].result);
    ck_assert_msg(end == RELEASE_DONE, "%s: %d", waits[_i].name, end);
    target_end(t);
    ck_assert_msg(t->value == waits[_i].result, "%s: %ld", waits[_i].name, t->value);
    munmap(t, sizeof(*t));
}
END_TEST

/* epoll_wait and its like have EINTR when they are stopped and continued: signal(7). */
static bool is_ended_by_stop(int i)
{
    static const long numbers[] = {SYS_epoll_wait,      SYS_epoll_pwait, SYS_epoll_pwait2,
                                   SYS_rt_sigtimedwait, SYS_semtimedop,  SYS_io_getevents,
                                   SYS_recvmsg,         SYS_recvfrom,    SYS_read,
                                   SYS_write,           SYS_sendto,      SYS_accept,
                                   SYS_connect};
    for (unsigned n = 0; n < sizeof(numbers) / sizeof(*numbers); n++)
        if (numbers[n] == waits[i].number)
            return true;
    return false;
}

static void stop(struct target *t)
{
    int status;
    kill(t->pid, SIGSTOP);
    ck_assert_int_eq(waitpid(t->pid, &status, WUNTRACED), t->pid);
    ck_assert(WIFSTOPPED(status));
}

START_TEST(a_stopped_thread_stays_stopped)
{
    struct target *t = start_wait(_i, false);
    if (!t)
        return;
    stop(t);
    ck_assert_int_eq(release_wait(t->tid, WRONG, -EIO), RELEASE_NOT_WAITING);
    target_await_state(t, 'T');
    ck_assert_int_eq(release_wait(t->tid, waits[_i].number, waits[_i].result), RELEASE_DONE);
    target_await_state(t, 'T');
    ck_assert_int_eq(waitpid(t->pid, NULL, WUNTRACED | WNOHANG), 0);
    ck_assert(!t->over);
    kill(t->pid, SIGCONT);
    end_wait(t, _i);
}
END_TEST

START_TEST(a_stop_keeps_its_meaning_when_another_is_meant)
{
    struct target *t = start_wait(_i, false);
    if (!t)
        return;
    stop(t);
    ck_assert_int_eq(release_wait(t->tid, WRONG, -EIO), RELEASE_NOT_WAITING);
    target_await_state(t, 'T');
    kill(t->pid, SIGCONT);
    if (is_ended_by_stop(_i)) {
        ck_assert_int_eq(target_end(t), 0);
        ck_assert_msg(t->value == -EINTR, "%s: %ld", waits[_i].name, t->value);
        munmap(t, sizeof(*t));
        return;
    }
    await_again(t, waits[_i].number);
    ck_assert_int_eq(release_wait(t->tid, waits[_i].number, waits[_i].result), RELEASE_DONE);
    end_wait(t, _i);
}
END_TEST

static bool said;

static bool say(void *of)
{
    said = true;
    return *(bool *)of;
}

START_TEST(a_wait_ends_only_if_it_is_still_the_one)
{
    struct target *t = start_wait(0, false);
    bool yes = true, no = false;
    ck_assert_int_eq(release_wait_if(t->tid, WRONG, 0, say, &yes), RELEASE_NOT_WAITING);
    ck_assert(!said);
    ck_assert_int_eq(release_wait_if(t->tid, SYS_poll, -EIO, say, &no), RELEASE_NOT_WAITING);
    ck_assert(said);
    ck_assert_int_eq(release_wait_if(t->tid, SYS_poll, 0, say, &yes), RELEASE_DONE);
    end_wait(t, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("release");
    TCase *tests = tcase_create("calls");
    suite_add_tcase(suite, tests);
    tcase_add_loop_test(tests, a_wait_ends_as_at_its_time_out, 0, WAITS);
    tcase_add_loop_test(tests, a_wait_of_another_thread_ends, 0, WAITS);
    tcase_add_loop_test(tests, a_wait_goes_on_when_another_is_meant, 0, WAITS);
    tcase_add_loop_test(tests, a_stopped_thread_stays_stopped, 0, WAITS);
    tcase_add_loop_test(tests, a_stop_keeps_its_meaning_when_another_is_meant, 0, WAITS);
    tcase_add_test(tests, a_wait_ends_only_if_it_is_still_the_one);
    return target_run(suite);
}
