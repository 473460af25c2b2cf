/* SPDX-License-Identifier: MIT */
#include "verdict.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GREEN  32
#define RED    31
#define YELLOW 33

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

static bool is_colourful(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !is_set("NO_COLOR") && terminal && *terminal &&
           strcmp(terminal, "dumb") != 0;
}

static int colour_of(const char *verdict)
{
    if (strcmp(verdict, "same") == 0)
        return GREEN;
    return strcmp(verdict, "diverged") == 0 ? RED : YELLOW;
}

void verdict_put(const char *verdict)
{
    if (is_colourful())
        printf("\x1b[1;%dm%s\x1b[0m", colour_of(verdict), verdict);
    else
        fputs(verdict, stdout);
}
