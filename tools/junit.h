/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A file that test servers read: JUnit's XML, one test case for the command. A flake is kept apart
 * from a failure, as flakyFailure (Maven Surefire's dialect).
 */
#ifndef DETRUN_TOOLS_JUNIT_H
#define DETRUN_TOOLS_JUNIT_H

#include <stdint.h>

#include "plan.h"

enum junit_result { JUNIT_PASSED, JUNIT_FAILED, JUNIT_FLAKY, JUNIT_ERROR, JUNIT_SKIPPED };

/** Nothing without --junit. @return 0, or -1 after a message */
int junit_write(const struct plan *p, enum junit_result result, const char *message,
                uint64_t started_ns);

#endif
