/* SPDX-License-Identifier: MIT */
/* What the library says in and outside of a job. Lines that begin with "r " come from the seed. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "detrun.h"

static int scenario(struct detrun_session *session, void *argument)
{
    (void)argument;
    for (int i = 0; i < 2; i++) {
        uint64_t now = detrun_session_tick(session);
        detrun_session_event(session, "tick", NULL);
        printf("tick %" PRIu64 "\n", now);
    }
    return detrun_session_capture(session, "rows", "a,b\n", 4);
}

int main(void)
{
    char text[64];
    char uuid[DETRUN_UUID_SIZE];
    struct detrun_fixture *f = detrun_fixture_new("library", 5);
    if (!f)
        return 1;
    printf("r %s\n", detrun_fixture_run_id(f));
    printf("r %016" PRIx64 "\n", detrun_fixture_test_seed(f, "test_a"));
    detrun_fixture_timestamp(f, text, sizeof(text));
    printf("%s %" PRIu64 "\n", text, detrun_fixture_now_ms(f));
    puts(detrun_fixture_env_snapshot(f));
    detrun_fixture_free(f);
    if (detrun_uuid("guide-fixture-v1", 0, uuid) != 0)
        return 1;
    puts(uuid);
    if (detrun_uuid(NULL, 0, uuid) != 0)
        return 1;
    printf("r %s\n", uuid);
    if (detrun_scenario_run("a scenario", scenario, NULL) != 0)
        return 1;
    detrun_max_examples(3);
    for (uint64_t n; (n = detrun_iteration_begin()) != 0;) {
        snprintf(text, sizeof(text), "%" PRIu64, n);
        printf("r %s %016" PRIx64 "\n", text, detrun_current_seed());
        if (detrun_value("n", text) != 0 || detrun_call("host", "fine", 1) != 0 ||
            detrun_iteration_end(n == 2 ? DETRUN_FAILED : DETRUN_PASSED, 0, "two") != 0)
            return 1;
    }
    printf("totals %" PRIu64 " %" PRIu64 "\n", detrun_scenarios_run_total(),
           detrun_recordings_total() + detrun_replays_total());
    return 0;
}
