/* SPDX-License-Identifier: MIT */
#include "reply.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "tools.h"

static int standard_output = -1;

bool reply_format(bool *json, const char *text)
{
    *json = text && strcmp(text, "json") == 0;
    return *json || (text && strcmp(text, "text") == 0);
}

static int fail(void)
{
    message_say("cannot write to standard output: %s", strerror(errno));
    return -1;
}

int reply_begin(void)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    standard_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (null < 0 || standard_output < 0 || dup2(null, STDOUT_FILENO) < 0)
        return fail();
    close(null);
    return 0;
}

FILE *reply_open(const char *command)
{
    fflush(stdout);
    if (standard_output >= 0 && dup2(standard_output, STDOUT_FILENO) < 0) {
        fail();
        return NULL;
    }
    printf("{\"schema_version\":1,\"command\":\"%s\"", command);
    return stdout;
}

int reply_close(FILE *out, int status)
{
    if (!out)
        return COMMAND_USAGE;
    fprintf(out, ",\"status\":%d}\n", status);
    if (fflush(out) == 0)
        return status;
    fail();
    return COMMAND_USAGE;
}
