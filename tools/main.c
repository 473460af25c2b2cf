/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "tools.h"

static const struct tool {
    const char *name;
    int (*run)(char **words);
} tools[] = {
    {"audit", tool_audit},       {"bisect-source", tool_bisect},
    {"check", tool_check},       {"config", tool_config},
    {"diff", tool_diff},         {"env", tool_env},
    {"failures", tool_failures}, {"fixture", tool_fixture},
    {"keep", tool_keep},         {"note", tool_note},
    {"repeat", tool_repeat},     {"replay", tool_replay},
    {"seed", tool_seed},         {"shadow", tool_shadow},
    {"soak", tool_soak},         {"trace", tool_trace},
    {"uuid", tool_uuid},         {"verify", tool_verify},
};

static const struct tool *find_tool(const char *name)
{
    for (size_t i = 0; name && i < sizeof(tools) / sizeof(tools[0]); i++)
        if (strcmp(name, tools[i].name) == 0)
            return &tools[i];
    return NULL;
}

/* A full disk is no success. */
static int flushed(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    message_say("cannot write to standard output");
    return COMMAND_USAGE;
}

int main(int argc, char **argv)
{
    const struct tool *tool = find_tool(argc > 1 ? argv[1] : NULL);
    if (tool)
        return flushed(tool->run(argv + 2));
    message_say("detrun-tools is a part of detrun; see detrun --help");
    return COMMAND_USAGE;
}
