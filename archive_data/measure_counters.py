#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the hardware counters of every starter kernel on this machine's GPU with Nsight Compute.

    measure_counters.py CLI [KERNELS_FOLDER] [--ncu PATH] [--out FILE.json] [--keep] [--seconds N] [--only level_1/019 ...]

CLI is kernelarium-cli with its children; it runs each kernel once at full size on the GPU, and ncu looks on, the clocks left
as they are. Needs the right to read counters (see https://developer.nvidia.com/ERR_NVGPUCTRPERM). The result,
starter_counters.json, goes into the archive's column NCU_Profile through MakeStarterRows.cmake in the published form, for the
kernels whose text still has the recorded hash: the mean, variance and number of launches of each metric. Rules are left out.
No new kernel is begun after N seconds; --keep measures only what OUT lacks.
"""
import argparse
import csv
import datetime
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

from kernel_hash import code_hash

HERE = pathlib.Path(__file__).resolve().parent
# Those of the published profiles.
SECTIONS = ("ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis", "WarpStateStats", "Occupancy")
MOST_LAUNCHES = 20


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=pathlib.Path)
    parser.add_argument("kernels", nargs="?", type=pathlib.Path, default=HERE / "kernels")
    parser.add_argument("--ncu", default=shutil.which("ncu") or "/usr/local/cuda/bin/ncu")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "starter_counters.json")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--seconds", type=float, default=3000)
    parser.add_argument("--only", nargs="+", default=[""], metavar="PREFIX")
    return parser.parse_args()


def run_command(options, file):
    level, task, _ = file.split("/")
    return [str(options.cli), "--json", "run", str(options.kernels / file), "--task", f"{int(level[6:])}/{int(task)}",
            "--backend", "cuda", "--size", "full", "--no-checks"]


def kernel_names(file):
    """The functions that the text calls kernels, as ncu's base "function" has them."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", file.read_text(encoding="utf-8"), flags=re.S)
    return sorted(set(re.findall(r"__global__\s+(?:__launch_bounds__\([^)]*\)\s*)?void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)", text)))


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def metrics_of(table):
    """The published form: name -> unit, avg_value, variance, n over the launches."""
    values, units = {}, {}
    for row in table:
        name, value = row.get("Metric Name"), number(row.get("Metric Value") or "")
        if not name or value is None:
            continue
        # A metric that stands in two sections counts once for each launch.
        values.setdefault(name, {})[row["ID"]] = value
        units[name] = row["Metric Unit"].replace("byte/s", "byte/second")  # as published
    metrics = {}
    for name, by_launch in values.items():
        samples = list(by_launch.values())
        mean = sum(samples) / len(samples)
        variance = sum((sample - mean) ** 2 for sample in samples) / len(samples)
        metrics[name] = {"unit": units[name], "avg_value": float(f"{mean:.9g}"), "variance": float(f"{variance:.9g}"), "n": len(samples)}
    return metrics


def profile(options, file):
    """The kernel's metrics, or why there are none."""
    names = kernel_names(options.kernels / file)
    command = [options.ncu, "--csv", "--page", "details", "--print-units", "base", "--clock-control", "none", "--target-processes",
               "all", "--kernel-name-base", "function", "--kernel-name", "regex:^(" + "|".join(names) + ")$", "--launch-count",
               str(MOST_LAUNCHES)]
    for section in SECTIONS:
        command += ["--section", section]
    seen = subprocess.run(command + run_command(options, file), capture_output=True, text=True, timeout=240)
    # The program's own answer and ncu's remarks stand around the table.
    lines = [line for line in seen.stdout.splitlines() if line.startswith('"')]
    header = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if header is None:
        return None, "ncu gave no table: " + (seen.stdout + seen.stderr)[-700:]
    metrics = metrics_of(csv.DictReader(io.StringIO("\n".join(lines[header:]))))
    return (metrics, None) if metrics else (None, "ncu's table is empty")


def setup(options):
    version = subprocess.run([options.ncu, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"Version ([0-9.]+)", version)
    devices = json.loads(subprocess.run([str(options.cli), "--json", "device", "list"], capture_output=True, text=True,
                                        check=True).stdout)
    device = next(one for one in devices["devices"] if one["backend"] == "cuda")
    driver = subprocess.run(["nvidia-smi", "--id=0", "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True,
                            text=True, check=True).stdout.strip()
    program = subprocess.run([str(options.cli), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return {"device": device["name"], "driver": driver, "ncu": found.group(1) if found else None,
            "program": program, "method": "Each kernel once at its task's full size under ncu --clock-control none; the mean over its "
            f"launches (at most {MOST_LAUNCHES}). Sections: " + ", ".join(SECTIONS) + "."}


def main():
    options = arguments()
    begin = time.monotonic()
    report = setup(options) | {"kernels": {}}
    if options.keep and options.out.exists():
        former = json.loads(options.out.read_text(encoding="utf-8"))
        if all(former.get(key) == value for key, value in report.items() if key != "kernels"):
            report["kernels"] = former["kernels"]
    right = True
    for path in sorted(options.kernels.rglob("*.cu")):
        file = path.relative_to(options.kernels).as_posix()
        code_sha256 = code_hash(path)
        if not file.startswith(tuple(options.only)) or report["kernels"].get(file, {}).get("code_sha256") == code_sha256:
            continue
        if time.monotonic() - begin > options.seconds:
            print(f"{file}: no time left")
            right = False
            continue
        try:
            metrics, why = profile(options, file)
        except subprocess.TimeoutExpired:
            metrics, why = None, "took too long"
        right = right and metrics is not None
        print(f"{file}: {len(metrics)} metrics" if metrics else f"{file}: {why}", flush=True)
        if not metrics:
            continue
        # The published cells are Python literals.
        report["kernels"][file] = {"code_sha256": code_sha256, "profile": repr({"metrics": metrics, "rules": {}})}
        report["date"] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
        report["kernels"] = dict(sorted(report.pop("kernels").items()))
        options.out.write_text(json.dumps(report, indent=None, separators=(",", ":")).replace('},"level_', '},\n"level_') + "\n",
                               encoding="utf-8")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
