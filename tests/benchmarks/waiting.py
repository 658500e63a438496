#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user waits for, in one table: each line with its time, the processor's time for it and its ratio to something.

    cmake --build --preset release --target benchmarks kernelarium kernelarium-cli
    tests/benchmarks/waiting.py [--rows FILE.jsonl ...] [--beside OTHER/bin] [--only LINE ...]

Each line runs a program of --bin and reads what it prints. With --beside every line is run by both in turn, and the
table has the figures of both: "before" is the other one. A line that needs what is not here (a GPU, rows of the
published archive, a program that was not built) is skipped by name. Processor time is that of the processes and their
children: on a busy machine it is the steadier of the two.
"""
import argparse
import contextlib
import json
import mmap
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ROOT / "archive_data/kernels"
SOFTMAX, PRODUCT = KERNELS / "level_1/023/naive.cu", KERNELS / "level_1/001/shared_tiles.cu"
SAMPLE = ROOT.parent / "shared/archive_sample"
SHOWN = 60  # characters of a line of a program that failed


class Skipped(Exception):
    """Why a line has no figure."""


class Ran:
    """A program's output, and what it took. Raises Skipped where it is not there or says that something is missing."""

    def __init__(self, words, accepted=(0,), environment=None):
        if not pathlib.Path(words[0]).exists():
            raise Skipped(f"{pathlib.Path(words[0]).name} is not built")
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False,
                              env={**os.environ, "KERNELARIUM_COMPILED": "none", **(environment or {})})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.wall = time.monotonic() - start
        self.processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.text = done.stdout
        if done.returncode not in accepted:
            said = (done.stderr or done.stdout).strip().splitlines() or [f"it ended with {done.returncode}"]
            raise Skipped(said[0][:SHOWN])

    def find(self, pattern):
        found = re.search(pattern, self.text)
        if not found:
            raise Skipped("its output has another form than this script knows")
        return [float(x) if re.fullmatch(r"[-\d.]+(e[-+]?\d+)?", x) else x for x in found.groups()]


class Figure:
    def __init__(self, value, unit, ratio, beside, processor=None):
        self.value, self.unit, self.ratio, self.beside, self.processor = value, unit, ratio, beside, processor

    def text(self):
        said = f"{self.value:,.0f}" if abs(self.value) >= 100 else f"{self.value:.3g}"
        return f"{said} {self.unit}"


class Programs:
    """Those of one build; what several lines read is run once."""

    def __init__(self, folder, arguments):
        self.folder, self.arguments, self.known = pathlib.Path(folder), arguments, {}

    def __truediv__(self, name):
        return self.folder / name

    def once(self, key, make):
        if key not in self.known:
            try:
                self.known[key] = make()
            except Skipped as why:
                self.known[key] = why
        if isinstance(self.known[key], Skipped):
            raise self.known[key]
        return self.known[key]

    def latency(self):
        return self.once("latency", lambda: Ran([self / "benchmark_compile_latency", *self.rows()]))

    def emulator(self):
        return self.once("emulator", lambda: Ran([self / "benchmark_emulator"]))

    def rows(self):
        """None where there is no sample: the benchmark then takes the starter archive's kernels."""
        given = self.arguments.rows or sorted(SAMPLE.glob("*.jsonl"))
        return [r for r in given if pathlib.Path(r).exists()]

    def audit(self, jobs):
        rows = self.rows()
        if not rows:
            raise Skipped("there are no rows of the archive (--rows FILE.jsonl)")

        def run():
            with tempfile.TemporaryDirectory() as folder:
                database, out = pathlib.Path(folder) / "rows.sqlite", pathlib.Path(folder) / "verdicts.jsonl"
                Ran([self / "kernelarium-cli", "archive", "import", "--db", database, *rows])
                ran = Ran([self / "kernelarium-cli", "audit", "--db", database, "--jobs", jobs, "--out", out,
                           "--time-limit", 600], accepted=(0, 1))
                ran.verdicts = [json.loads(line) for line in out.read_text().splitlines()]
                if self.arguments.keep:
                    pathlib.Path(self.arguments.keep).mkdir(parents=True, exist_ok=True)
                    name = f"verdicts-{self.folder.parent.name}-{jobs}.jsonl"
                    (pathlib.Path(self.arguments.keep) / name).write_text(out.read_text())
                return ran
        return self.once(f"audit {jobs}", run)


def diagnostics(p):
    ran = p.latency()
    median, = ran.find(r"edit to diagnostics +median +([\d.]+) ms")
    ratio, = ran.find(r"ratio of the medians: diagnostics ([\d.]+)")
    return Figure(median, "ms", ratio, "bare NVRTC, same device code")


def cubin(p):
    ran = p.latency()
    median, = ran.find(r"edit to cubin +median +([\d.]+) ms")
    ratio, = ran.find(r"ratio of the medians: diagnostics [\d.]+, cubin ([\d.]+)")
    return Figure(median, "ms", ratio, "bare NVRTC and nvJitLink")


def median_of(p, words, times=5):
    runs = [Ran([p / "kernelarium-cli", *words]) for _ in range(times)]
    return statistics.median(r.wall for r in runs), statistics.median(r.processor for r in runs)


def first_compile(p):
    wall, processor = median_of(p, ["compile", SOFTMAX])
    start, _ = median_of(p, ["--version"])
    return Figure(wall * 1e3, "ms", wall / start, "starting the program alone", processor)


def verdict(p):
    ran = p.audit(1)
    judged = [v["evidence"].get("seconds", {}) for v in ran.verdicts if v["evidence"].get("seconds")]
    if not judged:
        raise Skipped("nothing was judged")
    whole = statistics.median(s.get("total", 0) + s.get("compile", 0) for s in judged)
    compiled = statistics.median(s.get("compile", 0) for s in judged)
    return Figure(whole * 1e3, "ms", whole / compiled, "compiling the same rows", ran.processor / len(ran.verdicts))


def modelled(source, task):
    def line(p):
        wall, processor = median_of(p, ["profile", source, "--task", task], 3)
        compiled, _ = median_of(p, ["compile", source], 3)
        return Figure(wall, "s", wall / compiled, "compiling the same file", processor)
    return line


def audit(p):
    jobs = p.arguments.jobs
    ran = p.audit(jobs)
    return Figure(ran.wall, f"s for {len(ran.verdicts)} rows", ran.processor / ran.wall / jobs,
                  f"of {jobs} cores at work", ran.processor)


def emulator(kernel, checks):
    def line(p):
        best, ratio = p.emulator().find(
            rf"{kernel} +checks {checks} +median +\d+ +best +(\d+).*?([\d.]+) times a plain loop")
        return Figure(best, "M thread-instructions/s", ratio, "a plain loop's time")
    return line


def regex(p):
    folder = p.arguments.archive
    words = ["--reading", "--keep", folder] if folder else []
    ran = p.once("archive", lambda: Ran([p / "bench_archive", *words]))
    milliseconds, = ran.find(r"search, regex[^\n]*\n +\S.*? +([\d.]+) ms, \d+ texts")
    plain, = ran.find(r"memmem over [^\n]*slowest ([\d.]+) ms")
    return Figure(milliseconds, "ms (slowest)", milliseconds / plain, "memmem over all code in memory")


def timed_verdict(p):
    ran = Ran([p / "benchmark_warm_verdict", "--time", PRODUCT, "1/1", "5"])
    seconds, = ran.find(r"warm: median ([\d.]+) s")
    times, = ran.find(r"load_inline (\d+) times as long")
    return Figure(seconds, "s", 1 / times, "PyTorch's load_inline", ran.processor)


def window(p):
    with tempfile.TemporaryDirectory() as folder:
        display = {} if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") else {
            "QT_QPA_PLATFORM": "offscreen"}
        home = {name: folder for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")}
        ran = Ran([p / "kernelarium", "--tour", folder], environment={**display, **home})
    busy, = ran.find(r"never busy for longer than (\d+) ms")
    return Figure(busy, "ms", busy / (1000 / 60), "a frame at 60 Hz", ran.processor)


LINES = {
    "diagnostics": ("edit to diagnostics, warm", diagnostics),
    "cubin": ("edit to cubin, warm", cubin),
    "first-compile": ("first compile of a fresh process", first_compile),
    "verdict": ("edit to verdict, small size, warm, median", verdict),
    "softmax": ("modelled time at full size: softmax", modelled(SOFTMAX, "1/23")),
    "product": ("modelled time at full size: 2048 product", modelled(PRODUCT, "1/1")),
    "audit": ("audit of the sample rows", audit),
    "matmul": ("emulator, a core, checks off: matmul", emulator("matmul", "off")),
    "add": ("emulator, a core, checks off: add", emulator("add", "off")),
    "matmul-checked": ("emulator, a core, every check: matmul", emulator("matmul", "on")),
    "add-checked": ("emulator, a core, every check: add", emulator("add", "on")),
    "regex": ("regular expression without a literal", regex),
    "timed-verdict": ("edit to timed verdict on a GPU, warm", timed_verdict),
    "window": ("the window's thread, longest stretch of the tour", window),
}


def seconds_of_memory():
    """What the system takes to give a GiB in large pages: 0.1 s on a machine of one's own. A virtual machine whose host
    takes idle memory back needs seconds, and whatever works on gigabytes waits for them."""
    size = 1 << 28
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        with contextlib.suppress(AttributeError, OSError):  # a system without large pages
            memory.madvise(mmap.MADV_HUGEPAGE)
        start = time.monotonic()
        for page in range(0, size, mmap.PAGESIZE):
            memory[page] = 1
        return (time.monotonic() - start) * (1 << 30) / size


def machine():
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
    # Products in another processor's instructions take up to twice as long: a sandbox may want them so.
    told = "".join(f", {name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("OPENBLAS_CORE"))
    return (f"{model}, {os.cpu_count()} cores, {os.uname().sysname} {os.uname().release}{told}, "
            f"{seconds_of_memory():.2g} s for a GiB of memory")


def told(name, programs, measure):
    try:
        return measure(programs)
    except Skipped as why:
        return f"skipped: {why}"


def print_line(what, before, now):
    if isinstance(now, str):
        return print(f"{what:<50} {now}", flush=True)
    cells = [f"{what:<50}"]
    if isinstance(before, Figure):
        cells.append(f"{before.text():>28} ->")
    cells.append(f"{now.text():>28}   {now.ratio:.2f} of {now.beside}")
    if now.processor:
        cells.append(f"; processor {now.processor:.2f} s")
        if isinstance(before, Figure) and before.processor:
            cells.append(f", was {before.processor:.2f} s")
    print("".join(cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=ROOT / "build/release/bin", help="folder of the programs")
    parser.add_argument("--beside", help="folder of another build's programs, measured in turn")
    parser.add_argument("--rows", nargs="+", help="JSON lines of the published archive; ../shared's by default")
    parser.add_argument("--archive", help="folder of an earlier `bench_archive --keep`; else one is made, in minutes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="kernels that the audit judges at a time")
    parser.add_argument("--keep", help="folder for the audits' verdicts (same_verdicts.py compares them)")
    parser.add_argument("--only", nargs="+", choices=LINES, metavar="LINE", help=", ".join(LINES))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    now = Programs(arguments.bin, arguments)
    other = Programs(arguments.beside, arguments) if arguments.beside else None
    busy = os.getloadavg()[0]
    if not arguments.json:
        print(machine() + (f"; busy (load {busy:.1f}): believe processor times" if busy > 0.5 else ""))
    rows = {}
    for name in arguments.only or LINES:
        what, measure = LINES[name]
        before = told(name, other, measure) if other else None
        after = told(name, now, measure)
        rows[name] = {side: vars(f) if isinstance(f, Figure) else f
                      for side, f in (("before", before), ("now", after)) if f is not None}
        if not arguments.json:
            print_line(what, before, after)
    if arguments.json:
        print(json.dumps({"machine": machine(), "load": busy, "lines": rows}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
