/* SPDX-License-Identifier: MIT */
#include "filetime.h"
#include "job.h"

#define SECOND    INT64_C(1000000000)
#define UNTOUCHED 0 /* an inode that has not changed since long ago */

static const int64_t start = INT64_C(1796000000) * SECOND; /* in November 2026 */

static struct detrun_params params_at(int64_t epoch_ns)
{
    struct detrun_params p = {.epoch_ns = epoch_ns};
    filetime_choose_shift(&p, start);
    return p;
}

static struct detrun_params defaults(void)
{
    return params_at(DETRUN_DEFAULT_EPOCH_NS);
}

static int64_t shown(const struct detrun_params *p, int64_t ns)
{
    return filetime_shown(p, ns, ns, p->epoch_ns, FILETIME_MOVED);
}

static const int64_t epochs[] = {
    DETRUN_DEFAULT_EPOCH_NS,          0,     INT64_C(1) * SECOND,
    INT64_C(1000000000) * SECOND,     start, start - 3 * FILETIME_DAY,
    INT64_C(1700000000) * SECOND + 5,
};
#define EPOCHS (sizeof(epochs) / sizeof(epochs[0]))

/* Up to the longest run that is expected. */
START_TEST(nothing_that_exists_or_is_written_is_later_than_the_epoch)
{
    for (size_t e = 0; e < EPOCHS; e++) {
        struct detrun_params p = params_at(epochs[e]);
        for (int64_t ns = 1; ns <= start + FILETIME_MARGIN; ns += 99 * FILETIME_DAY / 7)
            ck_assert_int_le(shown(&p, ns), p.epoch_ns > ns ? ns : p.epoch_ns);
        ck_assert_int_le(shown(&p, start), p.epoch_ns);
        ck_assert_int_le(shown(&p, start + FILETIME_MARGIN), p.epoch_ns);
    }
}
END_TEST

START_TEST(the_order_of_files_stays)
{
    for (size_t e = 0; e < EPOCHS; e++) {
        struct detrun_params p = params_at(epochs[e]);
        int64_t last = INT64_MIN;
        for (int64_t ns = -SECOND; ns <= 2 * start; ns += 9 * FILETIME_DAY / 7) {
            ck_assert_int_ge(shown(&p, ns), last);
            last = shown(&p, ns);
        }
    }
}
END_TEST

START_TEST(what_is_written_after_the_epoch_keeps_its_distances)
{
    struct detrun_params p = defaults();
    ck_assert_int_eq(p.file_shift_ns, 1024 * FILETIME_DAY);
    for (int64_t ns = p.epoch_ns + 1; ns < start + FILETIME_DAY; ns += 7 * FILETIME_DAY)
        ck_assert_int_eq(shown(&p, ns), ns - p.file_shift_ns);
}
END_TEST

START_TEST(earlier_times_that_are_17_ns_apart_stay_apart)
{
    struct detrun_params p = defaults();
    for (int64_t ns = p.epoch_ns; ns > p.epoch_ns - 1088 * FILETIME_DAY; ns -= FILETIME_DAY)
        ck_assert_int_lt(shown(&p, ns - 17), shown(&p, ns));
}
END_TEST

START_TEST(old_times_and_far_ones_are_as_they_are)
{
    struct detrun_params p = defaults();
    static const int64_t times[] = {
        INT64_MIN, -1, 0, 1, 978307200 * SECOND, 1577836800 * SECOND, INT64_C(2208988800) * SECOND,
        INT64_MAX};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        ck_assert_int_eq(shown(&p, times[i]), times[i]);
}
END_TEST

START_TEST(what_the_job_sets_reads_back)
{
    struct detrun_params p = defaults();
    int64_t now = p.epoch_ns + 16000000;
    int64_t in_2024 = p.epoch_ns - 100 * FILETIME_DAY;
    ck_assert_int_eq(filetime_shown(&p, now, start, now, FILETIME_MOVED), now);
    ck_assert_int_eq(filetime_shown(&p, in_2024, start, now, FILETIME_MOVED), in_2024);
    ck_assert_int_lt(filetime_shown(&p, in_2024, UNTOUCHED, now, FILETIME_MOVED), in_2024);
    ck_assert_int_lt(filetime_shown(&p, now, UNTOUCHED, now, FILETIME_MOVED), now);
}
END_TEST

START_TEST(who_is_behind_the_one_that_set_a_time_sees_its_own_now)
{
    struct detrun_params p = defaults();
    ck_assert_int_eq(
        filetime_shown(&p, p.epoch_ns + 10 * SECOND, start, p.epoch_ns + SECOND, FILETIME_MOVED),
        p.epoch_ns + SECOND);
}
END_TEST

/* The kernel's time itself, which is the machine's, does not show. */
START_TEST(what_the_job_writes_shows_when_it_did)
{
    for (size_t e = 0; e < EPOCHS; e++) {
        struct detrun_params p = params_at(epochs[e]);
        int64_t written = p.epoch_ns + SECOND;
        for (int64_t ns = start; ns < start + FILETIME_MARGIN; ns += FILETIME_MARGIN / 7) {
            ck_assert_int_eq(filetime_shown(&p, ns, ns, written + 1, written), written);
            ck_assert_int_eq(filetime_shown(&p, ns, ns, written - 1, written), written - 1);
        }
        int64_t before = filetime_shown(&p, start - 1, start - 1, written, written);
        ck_assert_int_le(before, p.epoch_ns);
    }
}
END_TEST

START_TEST(an_epoch_to_come_moves_nothing)
{
    struct detrun_params p = params_at(start + FILETIME_MARGIN);
    ck_assert_int_eq(p.file_shift_ns, 0);
    for (int64_t ns = 1; ns <= 2 * start; ns += 30 * FILETIME_DAY)
        ck_assert_int_eq(shown(&p, ns), ns);
}
END_TEST

START_TEST(jobs_that_start_at_other_times_show_old_files_alike)
{
    struct detrun_params p = defaults();
    struct detrun_params later = {.epoch_ns = DETRUN_DEFAULT_EPOCH_NS};
    filetime_choose_shift(&later, start + 100 * FILETIME_DAY);
    for (int64_t ns = 1; ns <= start; ns += 9 * FILETIME_DAY)
        ck_assert_int_eq(shown(&p, ns), shown(&later, ns));
}
END_TEST

JOB_MAIN("filetime", what_the_job_writes_shows_when_it_did,
         nothing_that_exists_or_is_written_is_later_than_the_epoch, the_order_of_files_stays,
         what_is_written_after_the_epoch_keeps_its_distances,
         earlier_times_that_are_17_ns_apart_stay_apart, old_times_and_far_ones_are_as_they_are,
         what_the_job_sets_reads_back, who_is_behind_the_one_that_set_a_time_sees_its_own_now,
         an_epoch_to_come_moves_nothing, jobs_that_start_at_other_times_show_old_files_alike)
