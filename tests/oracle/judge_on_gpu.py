#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges archived kernels on this machine's GPU with PyTorch, to hold the emulator's verdicts against.

    judge_on_gpu.py ROWS.jsonl [--only 1/80 2/36 ...] [--out FILE.jsonl] [--jobs N]

Each row needs CUDA_Code and PyTorch_Code_Functional. The kernel is built as an extension, put in the place of the
functional model's function, and compared with the model in float64, in three ways:

    plain    as it comes
    global   freed device memory filled with NaN before the call
    shared   the same, and the shared memory of every multiprocessor filled with NaN

For each: NaN in the result, the largest difference, and whether all elements are within 1e-2 of the reference, as
published (|error| <= 1e-2 (1 + |expected|)) and scaled to its root mean square (|error| <= 1e-2 (rms + |expected|)).
A kernel that differs between the last two reads shared memory that it never wrote. Needs an NVIDIA GPU, PyTorch with
CUDA, the CUDA toolkit and a C++ compiler. Every kernel runs in a process of its own.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

POISON = r"""
#include <torch/extension.h>
__global__ void fill(unsigned words, float* sink) {
    extern __shared__ float memory[];
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x) memory[i] = __int_as_float(0x7fffffff);
    __syncthreads();
    if (memory[(threadIdx.x * 37) % words] == 1.f) *sink = 1.f;
}
void poison_shared(int64_t bytes, int64_t blocks, torch::Tensor sink) {
    cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
    fill<<<int(blocks), 1024, bytes>>>(unsigned(bytes / 4), sink.data_ptr<float>());
    cudaDeviceSynchronize();
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "could not fill shared memory");
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("poison_shared", &poison_shared); }
"""


def build(source, folder, name):
    """The extension's module."""
    from torch.utils import cpp_extension
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / (name + ".cu")
    file.write_text(source, encoding="utf-8")
    return cpp_extension.load(name=name, sources=[str(file)], extra_cflags=["-O3"], extra_cuda_cflags=["-O3"],
                              build_directory=str(folder), verbose=False)


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


def judge(row_file, folder):
    import torch
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.set_grad_enabled(False)
    row = json.loads(pathlib.Path(row_file).read_text(encoding="utf-8"))
    forward = build(row["CUDA_Code"], folder, "kernel").forward
    poisoner = build(POISON, folder.parent / "poison", "poison")
    model, inputs, exact, exact_inputs = functional_model(row["PyTorch_Code_Functional"])
    expected = exact(*exact_inputs)
    properties = torch.cuda.get_device_properties(0)
    sink = torch.zeros(1, device="cuda")
    result = {}
    for way in ("plain", "global", "shared"):
        if way != "plain":
            left = [torch.full((1 << 28,), float("nan"), device="cuda") for _ in range(2)]
            small = [torch.full((1 << n,), float("nan"), device="cuda") for n in range(0, 28) for _ in range(4)]
            like = expected.float() * float("nan")
            del left, small, like
        if way == "shared":
            poisoner.poison_shared(properties.shared_memory_per_block_optin, 8 * properties.multi_processor_count, sink)
        got = model(*inputs, fn=forward)
        torch.cuda.synchronize()
        result[way] = compared(got, expected)
    print("RESULT " + json.dumps(result))


def run_one(row, folder):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "row.json"
    file.write_text(json.dumps(row), encoding="utf-8")
    done = subprocess.run([sys.executable, __file__, "--judge", str(file), str(folder)], capture_output=True, text=True,
                          timeout=500)
    answers = [line[7:] for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    result = json.loads(answers[-1]) if answers else {"error": (done.stderr or done.stdout)[-800:]}
    return {"level": row["Level_ID"], "task": row["Task_ID"], "name": row["Op_Name"]} | result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="?", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", metavar="LEVEL/TASK")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--judge", nargs=2, metavar=("ROW", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.judge:
        return judge(options.judge[0], pathlib.Path(options.judge[1]))
    if not options.rows:
        parser.error("ROWS.jsonl is needed")
    rows = [json.loads(line) for line in options.rows.read_text(encoding="utf-8").splitlines()]
    chosen = [row for row in rows if not options.only or f"{row['Level_ID']}/{row['Task_ID']}" in options.only]
    work = pathlib.Path(tempfile.mkdtemp(prefix="judged_kernels_"))
    build(POISON, work / "poison", "poison")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda item: run_one(item[1], work / f"kernel_{item[0]}"), enumerate(chosen))
        lines = []
        for result in results:
            lines.append(json.dumps(result))
            print(lines[-1], flush=True)
    if options.out:
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
