#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds, checks and times every kernel of the starter archive on this machine's GPU, against PyTorch.

    measure_starter.py [KERNELS_FOLDER] [--out FILE.json] [--only level_1/019 ...] [--jobs N] [--keep]

Needs an NVIDIA GPU, PyTorch with CUDA, and the CUDA toolkit with a C++ compiler, as PyTorch's extensions do. The
result, starter_times.json, goes into the archive's rows through MakeStarterRows.cmake, for the kernels whose code
still has the recorded hash; every sample behind it is kept in starter_samples.json, in milliseconds, by task and
round. With 16 cores and an H200 all 75 kernels take six minutes. After a kernel that takes the GPU's context with
it the script starts itself again for the rest.
"""
import argparse
import concurrent.futures
import datetime
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DRAWS = 3  # seeds 1, 2, ...; the first one's tensors are timed
ROUNDS = 2
ROUND_SAMPLES = 50
SMALLEST_SCALE = 1e-4  # of a reference that is nearly zero; as core/verify/Comparison.h has it
BUILD_SECONDS = 400


class KernelFault(Exception):
    """The GPU's context is lost; nothing more can run in this process."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="?", type=pathlib.Path, default=HERE / "kernels")
    parser.add_argument("--tasks", type=pathlib.Path, default=HERE / "tasks", help="folder of the task cards")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "starter_times.json")
    parser.add_argument("--only", nargs="+", default=[""], metavar="PREFIX",
                        help="files whose path begins so; with --keep, OUT keeps the others")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="kernels built at a time")
    parser.add_argument("--keep", action="store_true",
                        help="measure only what OUT lacks: other or edited kernels, or all if the setup is another")
    parser.add_argument("--build", nargs=2, metavar=("FILE", "FOLDER"), help=argparse.SUPPRESS)
    return parser.parse_args()


# Building: one process for each kernel, since PyTorch builds one extension at a time in a process.

def module_name(file):
    return pathlib.Path(file).with_suffix("").as_posix().replace("/", "_")


def build_here(file, folder):
    from torch.utils import cpp_extension
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    cpp_extension.load(name=folder.name, sources=[file], extra_cflags=["-O3"], extra_cuda_cflags=["-O3"],
                       build_directory=str(folder), verbose=False)


def build(kernels, file, builds, architecture):
    """Nothing, or why the kernel did not build."""
    environment = os.environ | {"TORCH_CUDA_ARCH_LIST": architecture, "MAX_JOBS": "1"}
    folder = builds / module_name(file)
    try:
        done = subprocess.run([sys.executable, __file__, "--build", str((kernels / file).resolve()), str(folder)],
                              env=environment, capture_output=True, text=True, timeout=BUILD_SECONDS)
    except subprocess.TimeoutExpired:
        return f"the build took over {BUILD_SECONDS} s"
    return None if done.returncode == 0 else "does not build: " + (done.stderr or done.stdout)[-1500:]


def loaded(file, builds):
    name = module_name(file)
    spec = importlib.util.spec_from_file_location(name, builds / name / (name + ".so"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.forward


# Checking

def differences(got, reference, eager, tolerance):
    """Whether `got` is right, also strictly, and its largest difference to PyTorch's float32 result."""
    import torch
    if got.shape != eager.shape or got.dtype != eager.dtype:
        return False, False, None
    if not got.is_floating_point():
        wrong = (got != reference).any().item()
        return not wrong, not wrong, float((got - eager).abs().max())
    scale = max(float(reference.square().mean().sqrt()), SMALLEST_SCALE)
    error = ((got.double() - reference).abs() / (scale + reference.abs())).max()
    finite = bool(torch.isfinite(got).all())
    right = [finite and float(error) <= tolerance[name] for name in ("legacy", "strict")]
    return *right, float((got.double() - eager.double()).abs().max()) if finite else None


def poison(like):
    """Leaves NaN in the freed memory that the next allocation of this size is likely to get."""
    like.clone().fill_(float("nan") if like.is_floating_point() else -1)


def check(forward, draws, card):
    import torch
    from card_torch import call_arguments
    result = {"correct": True, "strict": True, "max_diff": 0.0}
    for tensors, reference, eager in draws:
        poison(eager)
        got = forward(*call_arguments(card, tensors))
        torch.cuda.synchronize()
        right, strict, largest = differences(got, reference, eager, card["tolerance"])
        result["correct"] &= right
        result["strict"] &= strict
        result["max_diff"] = None if None in (largest, result["max_diff"]) else max(largest, result["max_diff"])
    return result


def context_lost():
    import torch
    try:
        torch.cuda.synchronize()
    except RuntimeError:
        return True
    return False


# One task

def drawn(card, reference):
    """For each seed the tensors, the graph in float64, and PyTorch's own result."""
    from card_torch import draw_all, in_float64
    draws = []
    for seed in range(1, DRAWS + 1):
        tensors = draw_all(card, seed)
        draws.append((tensors, reference(*in_float64(tensors)), reference(*tensors)))
    return draws


def timed(timer, calls):
    from cold_times import summary
    rounds = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            rounds[name].append(timer.samples(call, ROUND_SAMPLES))
    return {name: summary(samples) for name, samples in rounds.items()}, rounds


def speedup(other, own):
    return float(f"{other['ms'] / own['ms']:.6g}")


def measure_task(files, card, references, timer, builds, store, keep_samples):
    from card_torch import call_arguments
    reference, compiled = references
    draws = drawn(card, reference)
    tensors = draws[0][0]
    passed = call_arguments(card, tensors)
    calls = {"native": lambda: reference(*tensors), "compile": lambda: compiled(*tensors)}
    entries = {}
    for file in files:
        forward = loaded(file, builds)
        try:
            entries[file] = check(forward, draws, card)
        except RuntimeError as error:  # a refusal of the kernel's own, or a fault on the device
            print(f"{file}: {error}", file=sys.stderr)
            store(file, {"error": str(error)[:500]})
            if context_lost():
                raise KernelFault(str(error)) from error
            continue
        calls[file] = lambda forward=forward: forward(*passed)
    times, rounds = timed(timer, calls)
    keep_samples(files[0].rsplit("/", 1)[0], rounds)
    native, compiled_time = times["native"], times["compile"]
    for file, entry in entries.items():
        own = times[file]
        entry |= {"runtime_ms": own["ms"], "native_ms": native["ms"], "compile_ms": compiled_time["ms"],
                  "speedup_native": speedup(native, own),
                  "speedup_compile": speedup(compiled_time, own),
                  "samples": own["samples"], "noise": own["noise"], "repeat": own["repeat"],
                  "native_noise": native["noise"], "compile_noise": compiled_time["noise"]}
        store(file, entry)
        print(f"{file}: {own['ms']:.4f} ms, PyTorch {native['ms']:.4f}, compiled {compiled_time['ms']:.4f}, "
              f"{'correct' if entry['correct'] else 'WRONG'}{'' if entry['strict'] else ', not strictly'}, "
              f"max_diff {entry['max_diff']}", flush=True)


# All of it

def setup():
    import torch
    from cold_times import METHOD, card_state
    driver = card_state("driver_version")[0]
    return {"device": torch.cuda.get_device_name(0), "driver": driver, "cuda": torch.version.cuda,
            "pytorch": torch.__version__, "method": METHOD}


def task_references(cards, folder):
    """Every task's graph as it is and through torch.compile, called once so that no compilation is left for later."""
    import torch
    from card_torch import draw_all, graph_function
    references = {}
    for task, card in cards.items():
        eager = graph_function(card, folder)
        compiled = torch.compile(eager, dynamic=False, fullgraph=True)
        compiled(*draw_all(card, 1))
        references[task] = eager, compiled
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    return references


def save(path, report):
    report["kernels"] = dict(sorted(report.pop("kernels").items()))  # the last key
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    new.replace(path)


def started_report(options, hashes):
    """The report to fill: a new one, or with --keep the one in OUT as far as it still holds."""
    report = setup() | {"kernels": {}}
    if options.keep and options.out.exists():
        former = json.loads(options.out.read_text(encoding="utf-8"))
        if all(former.get(key) == value for key, value in report.items() if key != "kernels"):
            report["kernels"] = {file: entry for file, entry in former["kernels"].items()
                                 if hashes.get(file) == entry["code_sha256"]}
            report |= {key: former[key] for key in ("date", "clock_mhz") if key in former}
    return report


def measure(options, builds):
    import torch
    import card_torch
    from cold_times import ColdTimer, card_state
    from kernel_hash import code_hash
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.set_grad_enabled(False)

    hashes = {path.relative_to(options.kernels).as_posix(): code_hash(path)
              for path in sorted(options.kernels.rglob("*.cu"))}
    report = started_report(options, hashes)
    files = [file for file in hashes if file.startswith(tuple(options.only)) and file not in report["kernels"]]
    by_task = {}
    for file in files:
        by_task.setdefault(file.rsplit("/", 1)[0], []).append(file)
    cards = {task: card_torch.read_card(options.tasks, int(task.split("/")[0][6:]), int(task.split("/")[1]))
             for task in by_task}

    def store(file, entry):
        report["kernels"][file] = {"code_sha256": hashes[file]} | entry
        report["date"] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
        save(options.out, report)

    samples_file = options.out.with_name("starter_samples.json")
    samples = json.loads(samples_file.read_text(encoding="utf-8")) if options.keep and samples_file.exists() else {}

    def keep_samples(task, rounds):
        """By the kernels' file names, "native" and "compile"; a list for each round. Where other kernels of the task keep
        an earlier day's times, these stay beside PyTorch's of that day, and today's are "native beside NAME"."""
        rounded = {name.split("/")[-1]: [[float(f"{one:.6g}") for one in taken] for taken in series]
                   for name, series in rounds.items()}
        kept = samples.setdefault(task, {})
        measured = [name for name in rounded if name.endswith(".cu")]
        if any(name.endswith(".cu") and name not in measured for name in kept):
            for series in ("native", "compile"):
                today = rounded.pop(series, None)
                for name in measured if today else []:
                    rounded[f"{series} beside {name}"] = today
        else:
            kept.clear()
        kept.update(rounded)
        text = ",\n".join(json.dumps({task: samples[task]}, separators=(",", ":"))[1:-1] for task in sorted(samples))
        samples_file.write_text("{" + text + "}\n", encoding="utf-8")

    architecture = "{}.{}".format(*torch.cuda.get_device_capability(0))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        building = {file: pool.submit(build, options.kernels, file, builds, architecture) for file in files}
        references = task_references(cards, builds)
        for file in files:
            if building[file].result():
                print(f"{file}: {building[file].result()}", file=sys.stderr)
                store(file, {"error": building[file].result()})
    print(f"built {len(files)} kernels", flush=True)

    timer = ColdTimer()
    clocks = []
    for task, members in by_task.items():
        built = [file for file in members if not building[file].result()]
        if built:
            measure_task(built, cards[task], references[task], timer, builds, store, keep_samples)
            clocks.append(int(card_state("clocks.sm")[0]))
        torch.cuda.empty_cache()
    if clocks:
        report["clock_mhz"] = {"lowest": min(clocks), "highest": max(clocks),
                               "maximum": int(card_state("clocks.max.sm")[0])}
    if files:
        save(options.out, report)
    return all(report["kernels"][file].get("correct") for file in files)


def main():
    options = arguments()
    if options.build:
        build_here(*options.build)
        return 0
    sys.path.insert(0, str(HERE))
    builds = pathlib.Path(os.environ.get("STARTER_BUILDS") or tempfile.mkdtemp(prefix="starter_builds_"))
    try:
        return 0 if measure(options, builds) else 1
    except KernelFault as fault:
        print(f"lost the GPU's context: {fault}", file=sys.stderr)
    # What was built stays built: PyTorch finds it there.
    os.environ["STARTER_BUILDS"] = str(builds)
    again = [word for word in sys.argv if word != "--keep"] + ["--keep"]
    os.execv(sys.executable, [sys.executable] + again)


if __name__ == "__main__":
    sys.exit(main())
