#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs proved variants of starter kernels on this machine's GPU, each beside the original on inputs of its own, and adds up.

One JSON line a kernel on standard output, the sum last. Exit code 1 where a variant was refused, faulted or differed: each is a
hole in the model, and its line says which variant. Usage: run_variants.py --cli build/release/bin/kernelarium-cli
[--count N a kernel] [--moves N] [FILE.cu ...]
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent / "archive_data/kernels"
KERNELS = [
    "level_1/001/register_tile", "level_1/001/vectorised", "level_1/001/double_buffered", "level_1/001/tensor_core",
    "level_1/003/register_tiles", "level_1/004/block_per_row", "level_1/016/outer_product_tiles", "level_1/016/split_k",
    "level_1/023/online", "level_1/023/register_resident", "level_1/036/register_resident", "level_1/040/multi_block",
    "level_1/042/shared_tile", "level_1/045/separable", "level_1/047/vectorised", "level_1/051/packed_key",
    "level_1/089/coarsened", "level_1/095/staged_rows", "level_2/001/filters_in_registers", "level_2/001/implicit_gemm",
    "level_3/001/vectorised",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    total = {"kernels": 0, "variants": 0, "proved": 0, "same": 0, "different": 0, "refused": 0, "failed": 0}
    for file in options.files or [ROOT / f"{name}.cu" for name in KERNELS]:
        level, task = int(file.parts[-3][6:]), int(file.parts[-2])
        done = subprocess.run(
            [options.cli, "schedule", "vary", str(file), "--task", f"{level}/{task}",
             "--count", str(options.count), "--moves", str(options.moves),
             "--seed", str(options.seed), "--backend", "cuda", "--json"], capture_output=True, text=True)
        answer = json.loads(done.stdout) if done.stdout.strip() else {"error": done.stderr[-500:]}
        print(json.dumps({"file": str(file), **answer}), flush=True)
        total["kernels"] += 1
        if "proved" not in answer:
            total["failed"] += 1
            continue
        for key in ("variants", "proved", "same"):
            total[key] += answer[key]
        total["different"] += len(answer["different"])
        total["refused"] += sum(answer["refused"].values())
    print(json.dumps({"sum": total}))
    return 1 if total["different"] or total["refused"] or total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
