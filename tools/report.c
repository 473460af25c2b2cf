/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "message.h"

#define ROWS_ALIKE 60 /**< rows that are like the first one, and of all: more are only counted */
#define ROWS_ALL   200

char *report_text(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    int n = vasprintf(&text, format, list);
    va_end(list);
    return n < 0 ? NULL : text;
}

static int complain(const char *path, int error)
{
    message_say("--report: cannot write \"%s\": %s", path, strerror(error));
    return -1;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int report_open(struct report *r, const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        message_say("--report: cannot make \"%s\": %s", folder, strerror(errno));
        return -1;
    }
    r->path = report_text("%s/index.html", folder);
    if (!r->path)
        return complain(folder, ENOMEM);
    if (!is_folder(folder))
        return complain(folder, ENOTDIR);
    if (access(folder, W_OK | X_OK) != 0)
        return complain(folder, errno);
    return is_folder(r->path) ? complain(r->path, EISDIR) : 0;
}

void report_add_row(struct report *r, const struct report_row *row)
{
    size_t room = row->bad ? ROWS_ALL : ROWS_ALIKE;
    struct report_row *rows = NULL;
    struct report_cell *cells = NULL;
    if (r->rows_count < room) {
        rows = reallocarray(r->rows, r->rows_count + 1, sizeof(*rows));
        cells = calloc(r->count + 1, sizeof(*cells));
        r->rows = rows ? rows : r->rows;
    }
    if (!rows || !cells) {
        free(cells);
        r->rows_left_out++;
        return;
    }
    memcpy(cells, row->cells, r->count * sizeof(*cells));
    rows[r->rows_count++] = (struct report_row){
        .name = strdup(row->name),
        .end = row->end ? strdup(row->end) : NULL,
        .seed = row->seed ? strdup(row->seed) : NULL,
        .answers = row->answers ? strdup(row->answers) : NULL,
        .duration_ns = row->duration_ns,
        .reference = row->reference,
        .bad = row->bad,
        .cells = cells,
    };
}

void report_add_cause(struct report *r, char *cause)
{
    if (cause && r->causes_count < REPORT_CAUSES)
        r->causes[r->causes_count++] = cause;
    else
        free(cause);
}

void report_add_setting(struct report *r, const char *name, const char *text)
{
    if (!r->settings)
        r->settings = json_array();
    json_array_append_new(r->settings, json_pack("[s, s]", name, text));
}

/* @return 0 or an error's number */
static int write_page(const struct report *r, const char *path)
{
    FILE *out = fopen(path, "we");
    if (!out)
        return errno;
    report_put_page(out, r);
    int error = ferror(out) ? EIO : 0;
    return fclose(out) != 0 ? errno : error;
}

/* The old one is whole until the new one is. */
int report_close(struct report *r)
{
    AUTO_FREE char *part = r->path ? report_text("%s.part", r->path) : NULL;
    if (!r->path)
        return 0;
    int error = part ? write_page(r, part) : ENOMEM;
    if (!error && rename(part, r->path) != 0)
        error = errno;
    if (!error)
        return 0;
    if (part)
        unlink(part);
    return complain(r->path, error);
}
