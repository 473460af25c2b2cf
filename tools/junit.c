/* SPDX-License-Identifier: MIT */
#include "junit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "message.h"
#include "real.h"

static const char *const elements[] = {
    [JUNIT_FAILED] = "failure",
    [JUNIT_FLAKY] = "flakyFailure",
    [JUNIT_ERROR] = "error",
    [JUNIT_SKIPPED] = "skipped",
};

/* XML 1.0 has no way to write most control characters, and knows UTF-8 only. */
static void put_text(FILE *out, const char *text)
{
    bool good = json_is_utf8(text);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (strchr("<>&\"\t\n\r", c))
            fprintf(out, "&#%d;", c);
        else if (c >= 0x20 && (c < 0x7f || good))
            fputc(c, out);
        else
            fputc('?', out);
    }
}

static void put_case(FILE *out, const struct plan *p, enum junit_result result, const char *message,
                     double seconds)
{
    fputs("  <testcase classname=\"detrun\" name=\"", out);
    put_text(out, p->options.test_name);
    fprintf(out, "\" time=\"%.3f\">\n", seconds);
    if (elements[result]) {
        fprintf(out, "    <%s message=\"", elements[result]);
        put_text(out, message);
        fputs("\"/>\n", out);
    }
    fputs("  </testcase>\n", out);
}

static void put_suite(FILE *out, const struct plan *p, enum junit_result result,
                      const char *message, double seconds)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"detrun %s\" tests=\"1\" "
            "failures=\"%d\" errors=\"%d\" skipped=\"%d\" flakes=\"%d\" time=\"%.3f\">\n",
            p->name, result == JUNIT_FAILED, result == JUNIT_ERROR, result == JUNIT_SKIPPED,
            result == JUNIT_FLAKY, seconds);
    fprintf(out,
            "  <properties>\n    <property name=\"seed\" value=\"%" PRIu64
            "\"/>\n  </properties>\n",
            p->options.seed.number);
    put_case(out, p, result, message, seconds);
    fputs("</testsuite>\n", out);
}

int junit_write(const struct plan *p, enum junit_result result, const char *message,
                uint64_t started_ns)
{
    double seconds = (double)((uint64_t)real_clock_ns(CLOCK_MONOTONIC) - started_ns) / 1e9;
    FILE *out = p->junit ? fopen(p->junit, "we") : NULL;
    if (!p->junit)
        return 0;
    if (out)
        put_suite(out, p, result, message, seconds);
    bool failed = !out || ferror(out);
    if (out && fclose(out) != 0)
        failed = true;
    if (failed)
        message_say("--junit: cannot write \"%s\": %s", p->junit, strerror(errno));
    return failed ? -1 : 0;
}
