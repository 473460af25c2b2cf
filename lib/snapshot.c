/* SPDX-License-Identifier: MIT */
#include "snapshot.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct {
    const char *name;
    bool as_text; /**< else whether it is set */
} variables[] = {
    {"COLORTERM", true}, {"FTUI_TEST_PROFILE", true},
    {"LANG", true},      {"LC_ALL", true},
    {"NO_COLOR", false}, {"TERM", true},
    {"TMUX", false},     {"TZ", true},
    {"ZELLIJ", false},
};

void snapshot_print(struct buffer *b, uint64_t seed, bool deterministic)
{
    buffer_put(b, "{");
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        const char *text = getenv(variables[i].name);
        if (variables[i].as_text)
            buffer_json_member(b, variables[i].name, text);
        else
            buffer_print(b, "\"%s\":%s", variables[i].name, text ? "true" : "false");
        buffer_put(b, ",");
    }
    buffer_print(b, "\"deterministic\":%s,\"seed\":%" PRIu64 "}", deterministic ? "true" : "false",
                 seed);
}
