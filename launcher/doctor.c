/* SPDX-License-Identifier: MIT */
/*
 * detrun doctor: each thing that detrun builds on, whether it is here, what its lack costs, and how
 * to get it.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "json.h"
#include "message.h"
#include "probe.h"

#define PROFILE(calls)                                                                             \
    "docker or podman --security-opt seccomp=unconfined, or a profile that allows " calls

static const struct row {
    const char *name;
    probe_function *probe;
    const char *effect;
    const char *remedy;
} rows[] = {
    {"library", probe_library, "no job can start", "install detrun again"},
    {"proc", probe_proc,
     "no supervisor: static programs and system calls past the library are the kernel's",
     "mount a /proc of this pid namespace (unshare --mount-proc, bwrap --proc /proc)"},
    {"job-memory", probe_job_memory, "no job can start", PROFILE("memfd_create")},
    {"seccomp", probe_filter,
     "no supervisor: static programs and system calls past the library are the kernel's",
     PROFILE("seccomp") "; a kernel with CONFIG_SECCOMP_FILTER"},
    {"listener", probe_listener,
     "no supervisor: static programs and system calls past the library are the kernel's",
     "run detrun outside of the sandbox or tracer; " PROFILE("seccomp") "; Linux 5.9"},
    {"hand-over", probe_descriptor,
     "the library gets no job memory: the supervisor answers all, slowly", "Linux 5.14"},
    {"wake-up", probe_wake_up, "an answer by the supervisor takes some 40 us instead of 6",
     "Linux 6.6"},
    {"killable-wait", probe_killable,
     "a signal may repeat a call that the supervisor answers (Go's do)", "Linux 5.19"},
    {"no-new-privs", probe_privileges, "setuid programs (su, sudo) run without their privileges",
     "run as root, or --cap-add=SYS_ADMIN"},
    {"child-memory", probe_child_memory, "static programs are the kernel's",
     "run as root, or --cap-add=SYS_PTRACE"},
    {"sibling-memory", probe_sibling_memory,
     "static programs and Go are the kernel's: the supervisor may not write to them",
     "sysctl kernel.yama.ptrace_scope=0, run as root, or --cap-add=SYS_PTRACE"},
    {"sibling-call", probe_sibling_call, "the supervisor writes through /proc/PID/mem instead",
     PROFILE("process_vm_readv and process_vm_writev")},
    {"addresses", probe_addresses,
     "addresses, and what programs make of them, differ from run to run",
     PROFILE("personality") "; or sysctl kernel.randomize_va_space=0"},
    {"vdso", probe_vdso, "clock reads that pass the library by are the kernel's",
     PROFILE("mprotect") "; or boot with vdso=0"},
    {"rdtsc", probe_tsc, "static programs that read the time stamp counter see real time",
     "link them dynamically, or have them ask clock_gettime instead"},
    {"cpuid", probe_cpuid, "programs see this processor's features",
     "none yet: compare runs on one kind of processor"},
    {"io-uring", probe_rings, "", ""},
    {"32-bit", probe_foreign, "32-bit programs run, uncontrolled; the summary names them",
     "boot with ia32_emulation=0"},
    {"page-fault", probe_page_fault, "", ""},
    {"round-trip", probe_round_trip, "", ""},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static const char *const state_names[] = {"ok", "note", "missing", "unknown"};

static void print_line(const struct row *row, const struct probe_result *r)
{
    printf("%-8s %-15s %s", state_names[r->state], row->name, r->detail);
    if (r->state == PROBE_NOTE || r->state == PROBE_MISSING)
        printf(": %s: %s", row->effect, row->remedy);
    putchar('\n');
}

static void print_pair(const char *name, const char *value, const char *end)
{
    printf("\"%s\": ", name);
    json_put_text(stdout, value);
    fputs(end, stdout);
}

static void print_json(const struct probe_result results[], bool works)
{
    printf("{\n  \"schema_version\": 1,\n  \"command\": \"doctor\",\n  \"verdict\": \"%s\",\n"
           "  \"status\": %d,\n  \"works\": %s,\n  \"probes\": [\n",
           works ? "works" : "missing", !works, works ? "true" : "false");
    for (size_t i = 0; i < ROWS; i++) {
        fputs("    {", stdout);
        print_pair("name", rows[i].name, ", ");
        print_pair("state", state_names[results[i].state], ", ");
        print_pair("detail", results[i].detail, ", ");
        print_pair("effect", rows[i].effect, ", ");
        print_pair("remedy", rows[i].remedy, i + 1 < ROWS ? "},\n" : "}\n");
    }
    puts("  ]\n}");
}

/* @return -1 for a word that is none of ours */
static int wants_json(char **words)
{
    if (!words[0])
        return 0;
    bool named = strcmp(words[0], "--format") == 0 && words[1] && strcmp(words[1], "json") == 0;
    char *const *rest = words + 1 + named;
    if ((named || strcmp(words[0], "--json") == 0) && !*rest)
        return 1;
    message_say("doctor: \"%s\": give --format json or nothing", *rest ? *rest : words[0]);
    return -1;
}

int command_doctor(char **words)
{
    static struct probe_result results[ROWS];
    bool works = true;
    int json = wants_json(words);
    if (json < 0)
        return COMMAND_USAGE;
    for (size_t i = 0; i < ROWS; i++) {
        probe_run(rows[i].probe, &results[i]);
        works &= results[i].state != PROBE_MISSING;
        if (!json)
            print_line(&rows[i], &results[i]);
        fflush(stdout);
    }
    if (json)
        print_json(results, works);
    return works ? 0 : 1;
}

int command_addresses(char **words)
{
    return words[0] ? COMMAND_USAGE : probe_print_addresses();
}
