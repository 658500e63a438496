#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds a folder of published HGEMM kernels against torch::matmul in the emulator, file by file, and says what became of
each: verified, ran (with another verdict), or refused, by which name; and which accumulator it has.

Each file M_N_K.cu defines `void f(Tensor a, Tensor b, Tensor b_col_major, Tensor c)` and no module. It is called at its
own shape where that has few multiplications (--affordable), else with M, N and K no larger than the first of --most, and
than the next ones where its host code refuses that. Usage: foreign_hgemm.py --cli kernelarium-cli --samples FOLDER [--cutlass INCLUDE] [--shapes shapes.csv] [--out FILE]
"""
import argparse
import collections
import csv
import json
import pathlib
import re
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).parent
UNDEFINE = ["-U__CUDA_NO_HALF_OPERATORS__", "-U__CUDA_NO_HALF_CONVERSIONS__", "-U__CUDA_NO_HALF2_OPERATORS__", "-U__CUDA_NO_BFLOAT16_CONVERSIONS__"]
WRAPPER = """#include <torch/extension.h>
#include KERNEL_FILE
torch::Tensor hgemm_entry(torch::Tensor a, torch::Tensor b) {
    auto c = torch::empty({a.size(0), b.size(1)}, a.options());
    FUNCTION(a, b, b.t().contiguous(), c);
    return c;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &hgemm_entry); }
"""


def shapes_for(m, n, k, most, affordable):
    """The published shape where it is affordable, for files that are written for it alone; else cut to sizes that rise."""
    if m * n * k <= affordable:
        return [(m, n, k)]
    tried = []
    for side in most:
        shape = (min(m, side), min(n, side), min(k, side))
        if shape not in tried:
            tried.append(shape)
    return tried


def verify(options, file, function, shape):
    with tempfile.TemporaryDirectory() as folder:
        wrapper = pathlib.Path(folder) / "wrapper.cu"
        wrapper.write_text(WRAPPER)
        command = [options.cli, "verify", str(wrapper), "--json", *UNDEFINE, "-I", options.samples]
        if options.cutlass:
            command += ["-I", options.cutlass]
        command += [f'-DKERNEL_FILE="{file.name}"', f"-DFUNCTION={function}", "-DREFERENCE=product", "--reference", str(HERE / "kernels/torch_references.cu"),
                    "--arg", f"float16[{shape[0]},{shape[2]}]", "--arg", f"float16[{shape[2]},{shape[1]}]", "--time-limit", str(options.time_limit), *options.extra.split()]
        begun = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=options.time_limit * 3 + 300)
        except subprocess.TimeoutExpired:
            return {"verdict": "timeout", "message": "no answer"}
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            answer = {"verdict": "no answer", "message": (done.stderr or done.stdout)[-2000:]}
        if "verdict" not in answer:  # an error of the program, not of the kernel
            answer = {"verdict": "error", "message": json.dumps(answer)}
        answer["wall"] = round(time.monotonic() - begun, 1)
        return answer


def accumulator(answer):
    """Of the products that it made, as the verdict's notes name them."""
    found = set()
    for note in answer.get("notes", []):
        if "tensor cores" in note:
            found |= set(re.findall(r"factors, (\w+) sums", note))
    return "mixed" if len(found) > 1 else next(iter(found), "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--samples", required=True)
    parser.add_argument("--cutlass", default="")
    parser.add_argument("--shapes", default="")
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--out", default="foreign_hgemm.json")
    parser.add_argument("--most", default="512,1024", help="rising bounds of M, N and K: pipelines of many stages need a deep k")
    parser.add_argument("--affordable", type=float, default=1e9, help="multiplications up to which the published shape itself is run")
    parser.add_argument("--time-limit", type=int, default=120)
    parser.add_argument("--extra", default="--no-checks", help="further options of verify")
    options = parser.parse_args()
    claims = {r["mnk"]: r for r in csv.DictReader(open(options.shapes))} if options.shapes else {}
    out = pathlib.Path(options.out)
    results = json.loads(out.read_text()) if out.exists() else {}
    only = [name for name in options.only.split(",") if name]
    for file in sorted(pathlib.Path(options.samples).glob("*_*_*.cu"), key=lambda f: f.stat().st_size):
        if (only and file.stem not in only) or (not only and file.stem in results):
            continue
        functions = re.findall(r"^void\s+(cuda_l2_\w+)", file.read_text(), re.M)
        m, n, k = map(int, file.stem.split("_"))
        for shape in shapes_for(m, n, k, [int(s) for s in options.most.split(",")], options.affordable):
            answer = verify(options, file, functions[-1] if functions else "forward_missing", shape)
            if answer["verdict"] in ("verified", "compile_error", "unsupported", "timeout"):
                break
        claim = claims.get(file.stem, {})
        results[file.stem] = {"verdict": answer["verdict"], "stage": answer.get("stage", ""), "shape": shape, "message": answer.get("message", "") if len(answer.get("message", "")) < 3000 else answer["message"][:200] + " ... " + answer["message"][-2500:], "wall": answer.get("wall"),
                              "reasons": answer.get("reasons", []), "accumulator": accumulator(answer), "published": claim.get("l2_accumulator", ""), "family": claim.get("l2_kernel_family", ""),
                              "notes": answer.get("notes", []), "seconds": answer.get("seconds", {})}
        out.write_text(json.dumps(results, indent=1) + "\n")
        r = results[file.stem]
        print(f"{file.stem}: {r['verdict']} {r['stage']} {shape} accumulator {r['accumulator'] or '?'} (published {r['published'] or '?'}) {r['wall']} s: {r['message'][:160]!r}", flush=True)
    print(dict(collections.Counter(r["verdict"] for r in results.values())))
    named = [(n, r) for n, r in results.items() if r["published"] and r["accumulator"]]
    print(f"accumulators: {sum(r['published'] == r['accumulator'] for _, r in named)} of {len(named)} as published")
    for name, r in named:
        if r["published"] != r["accumulator"]:
            print(f"  {name}: {r['accumulator']}, published {r['published']}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
