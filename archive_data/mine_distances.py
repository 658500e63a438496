#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mines resources/schedule/distances.csv: how close ptxas lets instructions come that depend on one another.

Compiles the starter kernels (and whatever kernel files or cubins are named besides) for each architecture, with the
CUDA toolkit that kernelarium-cli finds, and has `kernelarium-cli schedule mine` go over what came out. Only code that
was assembled from our own kernels is looked at; nothing is read from NVIDIA's tools. A new ptxas: run it again.

Usage: mine_distances.py --cli build/release/bin/kernelarium-cli [--cubins FOLDER] [--jobs N] [FILE.cu|FILE.cubin ...]
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARCHITECTURES = ["sm_80", "sm_86", "sm_89", "sm_90"]
TABLE = ROOT / "resources/schedule/distances.csv"


def assembler():
    """"ptxas 13.0.88", as ptxas says of itself."""
    said = subprocess.run(["ptxas", "--version"], capture_output=True, text=True, check=True).stdout
    return "ptxas " + re.search(r"V(\d+\.\d+\.\d+)", said).group(1)


def compiled(cli, source, arch, folder):
    """The cubin of a kernel file, compiled unless it is there; None where it does not compile."""
    out = folder / f"{'_'.join(source.parts[-3:])}.{arch}.cubin"
    if out.exists():
        return out
    done = subprocess.run([cli, "compile", str(source), "--arch", arch, "--emit", "cubin"], capture_output=True)
    if done.returncode != 0 or not done.stdout.startswith(b"\x7fELF"):
        print(f"{source} does not compile for {arch}", file=sys.stderr)
        return None
    out.write_bytes(done.stdout)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True)
    parser.add_argument("--cubins", type=pathlib.Path, default=pathlib.Path("mined_cubins"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=pathlib.Path, default=TABLE)
    parser.add_argument("more", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    options.cubins /= assembler().replace(" ", "_")  # another assembler's cubins are others
    options.cubins.mkdir(parents=True, exist_ok=True)
    sources = sorted((ROOT / "archive_data/kernels").glob("level_*/**/*.cu"))
    sources += [file.resolve() for file in options.more if file.suffix == ".cu"]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(compiled, options.cli, source, arch, options.cubins) for source in sources for arch in ARCHITECTURES]
        cubins = [job.result() for job in jobs if job.result()]
    cubins += [file for file in options.more if file.suffix == ".cubin"]
    rows = subprocess.run([options.cli, "schedule", "mine", *map(str, cubins)], stdout=subprocess.PIPE, text=True, check=True)
    options.output.write_text(f"# mined from {assembler()}\n" + rows.stdout)
    print(f"{len(cubins)} cubins, {rows.stdout.count(chr(10)) - 1} dependences in {options.output}", file=sys.stderr)


if __name__ == "__main__":
    main()
