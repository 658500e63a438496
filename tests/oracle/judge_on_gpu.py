#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges archived kernels on this machine's GPU with PyTorch, to hold the emulator's verdicts against.

    judge_on_gpu.py ROWS.jsonl [--only 1/80 2/36 ...] [--cards] [--out FILE.jsonl] [--jobs N]

Each row needs CUDA_Code and PyTorch_Code_Functional. The kernel is built as an extension, put in the place of the
functional model's function, and compared with the model in float64, in three ways. With --cards inputs, parameters and
reference are those of the task's card at full size instead of the published ones.

    plain    as it comes
    global   freed device memory filled with NaN before the call
    shared   the same, and the shared memory of every multiprocessor filled with NaN before each of its launches
    eager    PyTorch's own float32 result, in memory filled with NaN

For each: NaN in the result, the largest difference, and whether all elements are within 1e-2 of the reference, as
published (|error| <= 1e-2 (1 + |expected|)) and scaled to its root mean square (|error| <= 1e-2 (rms + |expected|)).
A kernel that differs between the last two reads shared memory that it never wrote. Needs an NVIDIA GPU, PyTorch with
CUDA, the CUDA toolkit and a C++ compiler. Every kernel runs in a process of its own.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

POISON = r"""
#include <cuda_runtime.h>
#include <stdexcept>
static __global__ void poison_fill(unsigned words, float* sink) {
    extern __shared__ float poison_memory[];
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x) poison_memory[i] = __int_as_float(0x7fffffff);
    __syncthreads();
    if (sink && poison_memory[(threadIdx.x * 37) % words] == 1.f) *sink = 1.f;
}
/// Fills the shared memory of every multiprocessor with NaN: once as one large block each, once as many small ones, for
/// the split between shared memory and L1 cache that a kernel of either kind makes.
static void poison_shared() {
    int large = 0, multiprocessors = 0;
    cudaDeviceGetAttribute(&large, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    cudaFuncSetAttribute(poison_fill, cudaFuncAttributeMaxDynamicSharedMemorySize, large);
    for (int bytes : {large, 8 << 10, 2 << 10}) {
        poison_fill<<<32 * multiprocessors, 256, bytes>>>(unsigned(bytes / 4), nullptr);
        if (cudaDeviceSynchronize() != cudaSuccess) throw std::runtime_error("could not fill shared memory");
    }
}
"""


def build(source, folder, name):
    """The extension's module."""
    from torch.utils import cpp_extension
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / (name + ".cu")
    file.write_text(source, encoding="utf-8")
    return cpp_extension.load(name=name, sources=[str(file)], extra_cflags=["-O3"], extra_cuda_cflags=["-O3"],
                              build_directory=str(folder), verbose=False)


def poisoning(source):
    """The kernel with a call of poison_shared() before each statement that launches."""
    launch = re.compile(r"^([ \t]*)(\w+(?:<[^;{}<>]*>)?\s*<<<)", re.MULTILINE)
    changed, count = launch.subn(r"\1poison_shared(); \2", source)
    return POISON + changed if count else None


def on_gpu(value):
    import torch
    return value.cuda() if isinstance(value, torch.Tensor) else value


def functional_model(code):
    """The model, its inputs, and a copy of both in float64."""
    import copy
    import torch
    namespace = {}
    exec(compile(code, "functional", "exec"), namespace)
    torch.manual_seed(0)
    model = namespace["Model"](*namespace["get_init_inputs"]()).cuda()
    inputs = [on_gpu(value) for value in namespace["get_inputs"]()]
    exact = copy.deepcopy(model).double()
    exact_inputs = [v.double() if torch.is_tensor(v) and v.is_floating_point() else v for v in inputs]
    return model, inputs, exact, exact_inputs


def published(row):
    """How to call a kernel as published, the reference in float64 (or float32), and PyTorch's own way."""
    model, inputs, exact, exact_inputs = functional_model(row["PyTorch_Code_Functional"])
    try:
        expected = exact(*exact_inputs)
    except RuntimeError:  # a model that makes float32 tensors of its own
        expected = model(*inputs)
    return (lambda forward: model(*inputs, fn=forward)), expected, lambda: model(*inputs)


def from_card(row, folder):
    """The same with the task's card."""
    here = pathlib.Path(__file__).resolve().parents[2] / "archive_data"
    sys.path.insert(0, str(here))
    import card_torch
    card = card_torch.read_card(here / "tasks", row["Level_ID"], row["Task_ID"])
    tensors = card_torch.draw_all(card, 1)
    reference = card_torch.graph_function(card, folder)
    expected = reference(*card_torch.in_float64(tensors))
    return ((lambda forward: forward(*card_torch.call_arguments(card, [t.clone() for t in tensors]))), expected,
            lambda: reference(*tensors))


def compared(got, expected):
    import torch
    if got.numel() != expected.numel():
        return {"shape": [list(got.shape), list(expected.shape)]}
    got, expected = got.double().reshape(-1), expected.double().reshape(-1)
    rms = float(expected.square().mean().sqrt())
    error = (got - expected).abs()
    nan = bool((~torch.isfinite(got) & torch.isfinite(expected)).any())
    return {"nan": nan, "max_diff": None if nan else float(error.max()), "rms": rms,
            "within": not nan and bool((error <= 1e-2 * (1 + expected.abs())).all()),
            "within_scaled": not nan and bool((error <= 1e-2 * (max(rms, 1e-4) + expected.abs())).all())}


def poison_global(expected):
    """Leaves NaN in freed memory of all sizes."""
    import torch
    left = [torch.full((1 << 28,), float("nan"), device="cuda") for _ in range(2)]
    left += [torch.full((1 << n,), float("nan"), device="cuda") for n in range(28) for _ in range(4)]
    left.append(expected.float() * float("nan"))


def judge(row_file, folder, cards):
    import torch
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.set_grad_enabled(False)
    row = json.loads(pathlib.Path(row_file).read_text(encoding="utf-8"))
    forward = build(row["CUDA_Code"], folder / "plain", "kernel").forward
    changed = poisoning(row["CUDA_Code"])
    poisoned = build(changed, folder / "poisoned", "poisoned_kernel").forward if changed else None
    call, expected, eager = from_card(row, folder) if cards else published(row)
    result = {"inputs": "card" if cards else "published"}
    for way in ("plain", "global") + (("shared",) if poisoned else ()):
        if way != "plain":
            poison_global(expected)
        got = call(poisoned if way == "shared" else forward)
        torch.cuda.synchronize()
        result[way] = compared(got, expected)
    poison_global(expected)
    result["eager"] = compared(eager(), expected)
    print("RESULT " + json.dumps(result))


def run_one(row, folder, cards):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "row.json"
    file.write_text(json.dumps(row), encoding="utf-8")
    command = [sys.executable, __file__, "--judge", str(file), str(folder)] + (["--cards"] if cards else [])
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    answers = [line[7:] for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    result = json.loads(answers[-1]) if answers else {"error": (done.stderr or done.stdout)[-800:]}
    return {"level": row["Level_ID"], "task": row["Task_ID"], "name": row["Op_Name"]} | result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="?", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", metavar="LEVEL/TASK")
    parser.add_argument("--cards", action="store_true", help="inputs and references of the task cards")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--judge", nargs=2, metavar=("ROW", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.judge:
        return judge(options.judge[0], pathlib.Path(options.judge[1]), options.cards)
    if not options.rows:
        parser.error("ROWS.jsonl is needed")
    rows = [json.loads(line) for line in options.rows.read_text(encoding="utf-8").splitlines()]
    chosen = [row for row in rows if not options.only or f"{row['Level_ID']}/{row['Task_ID']}" in options.only]
    work = pathlib.Path(tempfile.mkdtemp(prefix="judged_kernels_"))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda item: run_one(item[1], work / f"kernel_{item[0]}", options.cards), enumerate(chosen))
        lines = []
        for result in results:
            lines.append(json.dumps(result))
            print(lines[-1], flush=True)
    if options.out:
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
