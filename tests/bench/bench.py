# SPDX-License-Identifier: MIT
"""bench.py DETRUN TOOLS [--quick] [ROW...]: prints the table of scripts/bench."""
import glob
import os
import statistics
import subprocess
import sys
import time

detrun, tools = sys.argv[1:3]
quick = "--quick" in sys.argv
wanted = [word for word in sys.argv[3:] if word != "--quick"]
rounds = 5 if quick else 15

libraries = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
faketime_environment = {
    "LD_PRELOAD": libraries[0] if libraries else "",
    "FAKETIME": "@2025-01-01 00:00:00",
    "FAKERANDOM_SEED": "0x12345678DEADBEEF",
}
under_detrun = [detrun, "-q", "--seed", "7", "--"]
# For what measures itself by the time stamp counter, which detrun would answer.
by_counter = [detrun, "-q", "--seed", "7", "--real", "tsc", "--"]


def tool(name):
    return os.path.join(tools, name)


def number(command, environment=None):
    """The number a command prints, or None."""
    done = subprocess.run(command, env={**os.environ, **(environment or {})}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        return float(done.stdout.split()[0]) if done.returncode == 0 else None
    except (IndexError, ValueError):
        return None


def cycles_per_ns():
    """How fast the time stamp counter goes, by the cost of one thing measured both ways."""
    for line in open("/proc/cpuinfo"):
        if line.startswith("cpu MHz"):
            return float(line.split(":")[1]) / 1000
    return 1.0


def micro(work, program="micro"):
    command = [tool(program), work]
    return {
        "native": lambda: number(command),
        "detrun": lambda: number(by_counter + command),
        "libfaketime": lambda: number(command, faketime_environment),
    }


def switches(pid):
    """How often a process and its threads have gone on after a wait."""
    total = 0
    for status in glob.glob(f"/proc/{pid}/task/*/status"):
        for line in open(status):
            if line.startswith("voluntary_ctxt_switches:"):
                total += int(line.split()[1])
    return total


def wakeups(command):
    """Of a job that waits for ever, a second: of all its processes, ours among them."""
    job = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    time.sleep(4)
    children = open(f"/proc/{job.pid}/task/{job.pid}/children").read().split()
    before = sum(switches(pid) for pid in [job.pid, *children])
    time.sleep(3)
    after = sum(switches(pid) for pid in [job.pid, *children])
    job.terminate()
    job.wait()
    return (after - before) / 3


def idle():
    command = [tool("waits"), "idle"]
    return {
        "native": lambda: wakeups(command),
        "detrun": lambda: wakeups(under_detrun + command),
        "libfaketime": lambda: None,
    }


def process(command, runs, wrapper=None):
    """A whole process: the preload is set for the command, the wrapper row starts its own."""
    timed = [tool("elapsed"), str(runs)]
    return {
        "native": lambda: number(timed + command),
        "detrun": lambda: number(timed + under_detrun + command),
        "libfaketime": lambda: number(timed + (wrapper or ["env"] + preload_words()) + command),
    }


def preload_words():
    return [name + "=" + value for name, value in faketime_environment.items()]


def generate_sources():
    """20 files of plain code, and the shell line that compiles them."""
    folder = tool("sources")
    os.makedirs(folder, exist_ok=True)
    for n in range(20):
        with open(f"{folder}/f{n}.c", "w") as out:
            out.write("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n")
            for i in range(60):
                out.write(f"int f{n}_{i}(int *a, int n) {{ int s = {i}; for (int i = 0; i < n; i++) "
                          f"{{ if (a[i] % {i + 2} == 0) s += a[i] * {i}; else s ^= a[i] << {i % 7}; }} "
                          f"printf(\"%d\\n\", s); return s; }}\n")
    return ["sh", "-c", f"cd {folder} && for f in f*.c; do gcc -O1 -c $f -o out.o || exit 1; done"]


def traced(under, command):
    """The same work natively, and in detrun's column with --trace."""
    words = under[:-1] + ["--trace", tool("trace"), "--"]
    return {
        "native": lambda: number(command([])),
        "detrun": lambda: number(command(words)),
        "libfaketime": lambda: None,
    }


shell_loop = ["sh", "-c", "i=0; while [ $i -lt 500 ]; do /bin/true; i=$((i + 1)); done"]
faketime_wrapper = ["faketime", "-f", "@2025-01-01 00:00:00"]

# name: (work, must reach, variants, unit)
rows = {
    "clock": ("`clock_gettime` by symbol", "<= 0.35 x", micro("clock"), "cycles"),
    "vdso": ("`clock_gettime` through the vDSO pointer", "<= 0.35 x", micro("vdso"), "cycles"),
    "time": ("`time()`", "<= 5 x", micro("time"), "cycles"),
    "getrandom": ("`getrandom(16)`", "<= 0.05 x", micro("getrandom"), "cycles"),
    "getpid": ("`getpid`", "<= 0.05 x", micro("getpid"), "cycles"),
    "urandom": ("64 MiB from /dev/urandom", "<= 0.5 x", micro("urandom"), "cycles"),
    "write": ("`write` of 1 byte", "<= 1.02 x", micro("write"), "cycles"),
    "getuid": ("`getuid`", "<= 1.02 x", micro("getuid"), "cycles"),
    "filter": ("`getuid` against a filter that allows all", "reported", {
        "native": lambda: number([tool("allow_all"), tool("micro"), "getuid"]),
        "detrun": lambda: number(by_counter + [tool("micro"), "getuid"]),
        "libfaketime": lambda: None,
    }, "cycles"),
    "storm": ("`sh` loop of 500 `/bin/true`", "<= 1.15 x", process(shell_loop, 1), "ns"),
    "true": ("`detrun true` against `true`", "<= 3.5 x, below libfaketime",
             process(["true"], 20, faketime_wrapper), "ns"),
    "wrapper": ("the same against an empty wrapper (fork, exec, wait)", "reported", {
        "native": lambda: number([tool("elapsed"), "20", tool("wrapper"), "true"]),
        "detrun": lambda: number([tool("elapsed"), "20"] + under_detrun + ["true"]),
        "libfaketime": lambda: number([tool("elapsed"), "20"] + faketime_wrapper + ["true"]),
    }, "ns"),
    "gcc": ("`gcc -O1` over 20 generated files", "<= 1.05 x", None, "ns"),
    "find": ("`find / -xdev`", "<= 1.15 x", process(["find", "/", "-xdev"], 1), "ns"),
    "ls": ("`ls -lR /usr`", "<= 1.15 x", process(["ls", "-lR", "/usr"], 1), "ns"),
    "notify": ("one clock read in a static program (NOTIFY)", "reported",
               micro("notify", "micro_static"), "cycles"),
    "roundtrip": ("the same beside an empty notification round trip", "reported", {
        "native": lambda: number([tool("roundtrip")]),
        "detrun": lambda: number(by_counter + [tool("micro_static"), "notify"]),
        "libfaketime": lambda: None,
    }, "cycles"),
    "trace": ("`clock_gettime` by symbol, with `--trace`", "<= 30 ns more than without",
              traced(by_counter, lambda under: under + [tool("micro"), "clock"]), "cycles"),
    "trace_write": ("`write` of 1 byte, with `--trace`", "reported",
                    traced(by_counter, lambda under: under + [tool("micro"), "write"]), "cycles"),
    "trace_storm": ("`sh` loop of 500 `/bin/true`, with `--trace`", "reported",
                    traced(under_detrun,
                           lambda under: [tool("elapsed"), "1"] + under + shell_loop), "ns"),
    "sleep": ("a sleep of 1 ms", "<= 0.3 ms", micro("sleep", "waits"), "cycles"),
    "among_told": ("the same among 20 threads that wait for a condition", "<= 1 ms",
                   micro("among_told", "waits"), "cycles"),
    "among_input": ("the same among 20 threads that wait for input", "<= 3 ms",
                    micro("among_input", "waits"), "cycles"),
    "among_silent": ("the same in a static program", "<= 3 ms",
                     micro("among_told", "waits_static"), "cycles"),
    "event": ("a wait for a condition that another thread ends, on one processor",
              "<= 1.1 x + 200 ns", micro("event", "waits"), "cycles"),
    "idle": ("wake-ups a second of a job that waits for ever", "0", idle(), "a second"),
    "dirty": ("private dirty memory of a process, KiB", "<= 300 KiB more",
              micro("dirty"), "KiB"),
}

per_ns = cycles_per_ns()


def show(values, unit):
    values = [v for v in values if v is not None]
    if not values:
        return "-"
    value = statistics.median(values)
    if unit == "KiB":
        return f"{value:.0f} KiB"
    if unit == "a second":
        return f"{value:.2g}"
    ns = value / per_ns if unit == "cycles" else value
    for limit, scale, name in ((1e3, 1, "ns"), (1e6, 1e3, "us"), (1e9, 1e6, "ms")):
        if ns < limit:
            return f"{ns / scale:.3g} {name}"
    return f"{ns / 1e9:.3g} s"


def compare(native, other, unit):
    """Median of the rounds' ratios, and their middle half."""
    pairs = [(n, o) for n, o in zip(native, other) if n is not None and o is not None]
    if not pairs:
        return "-"
    if unit == "KiB":
        more = sorted(o - n for n, o in pairs)
        return f"+{statistics.median(more):.0f} ({more[0]:.0f} .. {more[-1]:.0f})"
    if unit == "a second":
        return "-"
    ratios = sorted(o / n for n, o in pairs)
    low, high = ratios[len(ratios) // 4], ratios[(3 * len(ratios)) // 4]
    return f"{statistics.median(ratios):.3g} ({low:.3g} .. {high:.3g})"


def measure(variants, count):
    results = {name: [] for name in variants}
    names = list(variants)
    for n in range(count):
        # Another one goes first in each round, so that none has the warm cache for itself.
        for name in names[n % len(names):] + names[:n % len(names)]:
            results[name].append(variants[name]())
    return results


def main():
    start = time.time()
    print("| work | native | detrun | ratio | libfaketime | ratio | must reach |")
    print("|---|---|---|---|---|---|---|")
    for name, (work, must, variants, unit) in rows.items():
        if wanted and name not in wanted:
            continue
        if variants is None:
            variants = process(generate_sources(), 1)
        got = measure(variants, rounds)
        print(f"| {work} | {show(got['native'], unit)} | {show(got['detrun'], unit)} | "
              f"{compare(got['native'], got['detrun'], unit)} | {show(got['libfaketime'], unit)} | "
              f"{compare(got['native'], got['libfaketime'], unit)} | {must} |", flush=True)
    print(f"\n{rounds} rounds, interleaved; ratios within a round: median (middle half). "
          f"{os.cpu_count()} processors, {time.time() - start:.0f} s.")


main()
