#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One worker of measure_generated.py: prepares its tasks beside the other workers, then times each with the GPU alone.

    generated_worker.py JOB.json

JOB.json: {"files", "tasks", "size", "work": {task: [file, ...]}, "scratch", "out", "ready", "go", "lock", "prepare_until",
"measure_until"}; times are those of time.time(). The worker builds its files as PyTorch extensions, as many as can be in
one, calls each task's graph eager and compiled in every precision, writes "ready", waits for "go",
and times a task at a time while it holds "lock". "out" is saved after each.
"""
import concurrent.futures
import fcntl
import gc
import importlib.util
import json
import os
import pathlib
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from measure_starter import build, loaded  # noqa: E402

BUILDS = 2  # at a time
ROUNDS = 5
ROUND_SAMPLES = 20
ROUND_SECONDS = 0.5  # of a call that takes longer than its share, there are fewer samples
PRECISIONS = {"": False, "_tf32": True}
INCLUDE = re.compile(r"^#include .*\n", re.MULTILINE)
MODULE = re.compile(r"^PYBIND11_MODULE\(.*\Z", re.MULTILINE | re.DOTALL)


def name_of(file):
    return re.sub(r"\W", "_", file.removesuffix(".cu"))


def combined(folder, files):
    """The files as one, each in its own namespace: PyTorch's headers, most of the work of a build, are read once."""
    texts = {file: (pathlib.Path(folder) / file).read_text(encoding="utf-8") for file in files}
    includes = dict.fromkeys(line for text in texts.values() for line in INCLUDE.findall(text))
    parts = ["".join(includes)]
    for file, text in texts.items():
        parts.append(f"namespace {name_of(file)} {{\n{MODULE.sub('', INCLUDE.sub('', text))}\n}}\n")
    parts.append("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\n")
    parts += [f'    m.def("{name_of(file)}", &{name_of(file)}::forward);\n' for file in files]
    return "".join(parts) + "}\n"


class Builds:
    """`forward` of each file, or why there is none; built beside what the caller does meanwhile."""

    def __init__(self, job, architecture):
        self.job, self.architecture = job, architecture
        self.scratch = pathlib.Path(job["scratch"])
        files = [file for group in job["work"].values() for file in group]
        # Constant memory, 64 KB a module, is not shared.
        alone = [file for file in files if "__constant__" in (pathlib.Path(job["files"]) / file).read_text(encoding="utf-8")]
        self.together = [file for file in files if file not in alone]
        self.pool = concurrent.futures.ThreadPoolExecutor(BUILDS)
        self.whole = self.pool.submit(self.build_together) if self.together else None
        self.single = {file: self.pool.submit(self.build_alone, file) for file in alone}

    def build_alone(self, file):
        return build(pathlib.Path(self.job["files"]), file, self.scratch / "build", self.architecture)

    def build_together(self):
        (self.scratch / "all.cu").write_text(combined(self.job["files"], self.together), encoding="utf-8")
        return build(self.scratch, "all.cu", self.scratch / "build", self.architecture)

    def finish(self):
        """Waits for all and loads them."""
        self.found, self.problems = {}, {}
        problem = self.whole.result() if self.whole else None
        if problem:
            print(f"one by one, since together they fail: {problem[-3000:]}", flush=True)
            self.single |= {file: self.pool.submit(self.build_alone, file) for file in self.together}
        elif self.whole:
            module = loaded_module("all.cu", self.scratch / "build")
            self.found = {file: getattr(module, name_of(file)) for file in self.together}
        for file, building in self.single.items():
            problem = building.result()
            if problem:
                self.problems[file] = problem
            else:
                self.found[file] = loaded(file, self.scratch / "build")


def save(path, done):
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(done), encoding="utf-8")
    new.replace(path)


def loaded_module(file, builds):
    name = pathlib.Path(file).stem
    spec = importlib.util.spec_from_file_location(name, builds / name / (name + ".so"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def set_tf32(allowed):
    import torch
    torch.backends.cuda.matmul.allow_tf32 = allowed
    torch.backends.cudnn.allow_tf32 = allowed


def close(got, expected):
    """The largest difference over the size of what is expected."""
    return float(((got.double() - expected.double()).abs() / (expected.double().square().mean().sqrt() + 1e-4)).max())


def prepare(card, folder, size):
    """The card's graph eager and compiled, both called once in each precision."""
    import torch
    from card_torch import draw_all, graph_function
    eager = graph_function(card, folder, size)
    compiled = torch.compile(eager, dynamic=False, fullgraph=True)
    tensors = draw_all(card, 1, size)
    for allowed in PRECISIONS.values():
        set_tf32(allowed)
        eager(*tensors)
        compiled(*tensors)
    set_tf32(False)
    torch.cuda.synchronize()
    return eager, compiled


def timed(card, references, files, builds, timer, size):
    from card_torch import call_arguments, draw_all
    from cold_times import summary
    eager, compiled = references
    tensors = draw_all(card, 1, size)
    passed = call_arguments(card, tensors, size)
    expected = eager(*tensors)
    calls, entry = {}, {"forms": {}}
    for suffix, allowed in PRECISIONS.items():
        calls["eager" + suffix] = (allowed, lambda: eager(*tensors))
        calls["compile" + suffix] = (allowed, lambda: compiled(*tensors))
    for file in files:
        if file in builds.problems:
            entry["forms"][file] = {"error": builds.problems[file][:500]}
            continue
        forward = builds.found[file]
        entry["forms"][file] = {"difference": close(forward(*passed), expected)}
        calls[file] = (False, lambda forward=forward: forward(*passed))
    rounds = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, (allowed, call) in calls.items():
            set_tf32(allowed)
            rounds[name].append(timer.samples(call, ROUND_SAMPLES, ROUND_SECONDS))
    set_tf32(False)
    for name, samples in rounds.items():
        medians = [sorted(of)[len(of) // 2] for of in samples]
        found = summary(samples) | {"rounds": [round(of, 6) for of in medians]}
        if name in entry["forms"]:
            entry["forms"][name] |= found
        else:
            entry[name] = found
    return entry


def work(job):
    import torch
    from card_torch import read_card
    from cold_times import ColdTimer
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    pathlib.Path(job["scratch"]).mkdir(parents=True, exist_ok=True)
    builds = Builds(job, "{}.{}".format(*torch.cuda.get_device_capability(0)))
    prepared, done = {}, {}
    for task in job["work"]:
        if time.time() > job["prepare_until"]:
            break
        try:
            card = read_card(job["tasks"], *map(int, task.split("/")))
            prepared[task] = card, prepare(card, job["scratch"], job["size"])
        except Exception as error:  # whatever PyTorch makes of a card: the other tasks go on
            done[task] = {"error": f"{type(error).__name__}: {error}"[:500]}
        gc.collect()
        torch.cuda.empty_cache()
    builds.finish()
    save(pathlib.Path(job["out"]), done)
    pathlib.Path(job["ready"]).touch()
    while not os.path.exists(job["go"]):
        time.sleep(0.2)
    timer = None
    with open(job["lock"], "w", encoding="utf-8") as lock:
        for task, (card, references) in prepared.items():
            fcntl.flock(lock, fcntl.LOCK_EX)
            if time.time() > job["measure_until"]:
                break
            timer = timer or ColdTimer()
            try:
                done[task] = timed(card, references, job["work"][task], builds, timer, job["size"])
            except Exception as error:
                done[task] = {"error": f"{type(error).__name__}: {error}"[:500]}
            gc.collect()
            torch.cuda.empty_cache()
            fcntl.flock(lock, fcntl.LOCK_UN)
            save(pathlib.Path(job["out"]), done)
    return 0


if __name__ == "__main__":
    sys.exit(work(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))))
