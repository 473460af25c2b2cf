/* SPDX-License-Identifier: MIT */
#include "summary.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "lineage.h"
#include "message.h"

static const char *const source_names[] = {
#define X(id, name) name,
    DETRUN_SOURCE_NAMES
#undef X
};

static const char *const door_names[DETRUN_DOORS] = {"symbol", "vdso", "site", "notify"};

static const char *const gap_names[DETRUN_GAPS] = {
#define X(id, source, name) name,
    DETRUN_GAP_NAMES
#undef X
};

static const enum detrun_source gap_sources[DETRUN_GAPS] = {
#define X(id, source, name) DETRUN_##source,
    DETRUN_GAP_NAMES
#undef X
};

/* Named, but the program saw a controlled answer all the same, or one that was asked for: a probed
 * virtual id, a guarded spin, a refused ring or connection, a program that is not followed, a
 * supervisor that went on where the last one stopped. */
static bool is_controlled(int gap)
{
    static const bool controlled[DETRUN_GAPS] = {
        [DETRUN_GAP_PID_COLLISION] = true,        [DETRUN_GAP_SPIN_GUARD] = true,
        [DETRUN_GAP_URING_REFUSED] = true,        [DETRUN_GAP_NOT_FOLLOWED] = true,
        [DETRUN_GAP_SUPERVISOR_RESTARTED] = true, [DETRUN_GAP_NETWORK_REFUSED] = true,
    };
    return controlled[gap];
}

static void add_task(struct summary *s, const struct detrun_task *t)
{
    for (int source = 0; source < DETRUN_TASK_SOURCES; source++)
        for (int door = 0; door < DETRUN_DOORS; door++)
            s->answered[source][door] += t->answered[source][door];
    if (lineage_state(t) != DETRUN_OUTSIDE)
        lineage_inputs(t, s->inputs);
}

void summary_collect(const struct detrun_memory *m, struct summary *s)
{
    for (int source = 0; source < DETRUN_SOURCES; source++)
        for (int door = 0; door < DETRUN_DOORS; door++)
            s->answered[source][door] =
                atomic_load_explicit(&m->shared.answered[source][door], memory_order_relaxed);
    for (int gap = 0; gap < DETRUN_GAPS; gap++)
        s->gaps[gap] = atomic_load_explicit(&m->shared.gaps[gap], memory_order_relaxed);
    for (int i = 0; i < 2; i++)
        s->inputs[i] = atomic_load_explicit(&m->shared.inputs[i], memory_order_relaxed);
    for (uint32_t word = 0; word < DETRUN_USED_WORDS; word++) {
        uint64_t used = atomic_load_explicit(&m->used[word], memory_order_relaxed);
        for (; used; used &= used - 1)
            add_task(s, &m->tasks[word * 64 + (uint32_t)__builtin_ctzll(used)]);
    }
}

static bool leaves_real(const struct job *job, enum detrun_source source)
{
    return (job->options->real >> source & 1) != 0;
}

bool summary_has_gap(const struct summary *s, const struct job *job, char *text, size_t room)
{
    if (!job->supervised)
        snprintf(text, room, "no supervisor");
    else if (!job->aslr_off && !leaves_real(job, DETRUN_ASLR))
        snprintf(text, room, "address randomisation");
    else
        *text = '\0';
    for (int gap = 0; gap < DETRUN_GAPS && !*text; gap++)
        if (s->gaps[gap] && !is_controlled(gap) && !leaves_real(job, gap_sources[gap]))
            snprintf(text, room, "%s %" PRIu64, gap_names[gap], s->gaps[gap]);
    return *text != '\0';
}

static uint64_t total(const struct summary *s, int source)
{
    uint64_t sum = 0;
    for (int door = 0; door < DETRUN_DOORS; door++)
        sum += s->answered[source][door];
    return sum;
}

static const char *yes_no(bool yes)
{
    return yes ? "yes" : "no";
}

static void print_state(FILE *out, const struct job *job)
{
    const struct options *o = job->options;
    char name[256];
    message_escape(name, sizeof(name), o->test_name);
    fprintf(out, "detrun: seed %" PRIu64 " (%s), test %s, supervisor %s", o->seed.number,
            seed_source_names[o->seed_source], name, yes_no(job->supervised));
    if (job->refusal)
        fprintf(out, " (%s)", job_refusal(job->refusal));
    fprintf(out, ", address randomisation off: %s%s\n", yes_no(job->aslr_off),
            o->job_clock ? ", one clock for the job" : "");
}

/* Each process has a job memory of its own, and nobody reads it. */
static void print_unsupervised(FILE *out)
{
    fputs(
        "detrun: without supervisor answers are not counted, nor programs that the command starts: "
        "static and setuid ones are not controlled\n",
        out);
}

static void print_answers(FILE *out, const struct summary *s)
{
    fprintf(out, "detrun: %-10s %10s %10s %10s %10s\n", "answered", door_names[0], door_names[1],
            door_names[2], door_names[3]);
    for (int source = 0; source < DETRUN_SOURCES; source++) {
        const uint64_t *n = s->answered[source];
        if (total(s, source) != 0)
            fprintf(out, "detrun: %-10s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n",
                    source_names[source], n[0], n[1], n[2], n[3]);
    }
}

void summary_print(FILE *out, const struct summary *s, const struct job *job)
{
    print_state(out, job);
    if (job->supervised)
        print_answers(out, s);
    else
        print_unsupervised(out);
    for (int gap = 0; gap < DETRUN_GAPS; gap++)
        if (s->gaps[gap])
            fprintf(out, "detrun: %s %s: %" PRIu64 "\n",
                    is_controlled(gap) ? "note" : "not controlled", gap_names[gap], s->gaps[gap]);
}

static void write_u64(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, "  \"%s\": %" PRIu64 ",\n  \"%s_hex\": \"0x%" PRIx64 "\",\n", name, value, name,
            value);
}

static void write_settings(FILE *out, const struct job *job)
{
    const struct options *o = job->options;
    write_u64(out, "seed", o->seed.number);
    fprintf(out, "  \"seed_encoding\": \"%s\",\n  \"seed_source\": \"%s\",\n  \"test_name\": ",
            seed_encoding_names[o->seed.encoding], seed_source_names[o->seed_source]);
    json_put_text(out, o->test_name);
    fputs(",\n", out);
    write_u64(out, "test_seed", o->test_seed);
    fprintf(out, "  \"stream_version\": %u,\n", DETRUN_STREAM_VERSION);
    fprintf(out, "  \"step_ns\": %" PRIu64 ",\n  \"mono_step_ns\": %" PRIu64 ",\n", o->step_ns,
            o->mono_step_ns);
    fprintf(out, "  \"wait\": \"%s\",\n", o->wait_real ? "real" : "warp");
    fprintf(out, "  \"clock_scope\": \"%s\",\n  \"epoch_ns\": %" PRId64 ",\n",
            o->job_clock ? "job" : "task", o->epoch_ns);
    fprintf(out, "  \"supervisor\": %s,\n  \"aslr_off\": %s,\n", job->supervised ? "true" : "false",
            job->aslr_off ? "true" : "false");
}

static void write_answers(FILE *out, const struct summary *s)
{
    fputs("  \"answered\": {\n", out);
    for (int source = 0; source < DETRUN_SOURCES; source++) {
        fprintf(out, "    \"%s\": {", source_names[source]);
        for (int door = 0; door < DETRUN_DOORS; door++)
            fprintf(out, "%s\"%s\": %" PRIu64, door ? ", " : "", door_names[door],
                    s->answered[source][door]);
        fprintf(out, "}%s\n", source + 1 < DETRUN_SOURCES ? "," : "");
    }
    fputs("  },\n", out);
}

static void write_gaps(FILE *out, const struct summary *s)
{
    fputs("  \"not_controlled\": {\n", out);
    for (int gap = 0; gap < DETRUN_GAPS; gap++)
        fprintf(out, "    \"%s\": {\"source\": \"%s\", \"count\": %" PRIu64 "}%s\n", gap_names[gap],
                source_names[gap_sources[gap]], s->gaps[gap], gap + 1 < DETRUN_GAPS ? "," : "");
    fputs("  }\n", out);
}

static void put_source(FILE *out, const uint64_t counts[DETRUN_DOORS], const char *name)
{
    const char *comma = "";
    fprintf(out, "\"%s\":{", name);
    for (int door = 0; door < DETRUN_DOORS; door++)
        if (counts[door] != 0) {
            fprintf(out, "%s\"%s\":%" PRIu64, comma, door_names[door], counts[door]);
            comma = ",";
        }
    fputc('}', out);
}

void summary_put_members(FILE *out, const struct summary *s)
{
    const char *comma = "";
    fputs("\"answered\":{", out);
    for (int source = 0; source < DETRUN_SOURCES; source++)
        if (total(s, source) != 0) {
            fputs(comma, out);
            put_source(out, s->answered[source], source_names[source]);
            comma = ",";
        }
    comma = "";
    fputs("},\"not_controlled\":{", out);
    for (int gap = 0; gap < DETRUN_GAPS; gap++)
        if (s->gaps[gap] != 0) {
            fprintf(out, "%s\"%s\":%" PRIu64, comma, gap_names[gap], s->gaps[gap]);
            comma = ",";
        }
    fputc('}', out);
}

int summary_write(const char *path, const struct summary *s, const struct job *job)
{
    FILE *out = strcmp(path, "-") == 0 ? fdopen(dup(STDERR_FILENO), "w") : fopen(path, "we");
    if (!out)
        return -errno;
    fputs("{\n  \"schema_version\": 1,\n", out);
    write_settings(out, job);
    write_answers(out, s);
    write_gaps(out, s);
    fputs("}\n", out);
    int failed = ferror(out);
    if (fclose(out) != 0)
        return -errno;
    return failed ? -EIO : 0;
}
