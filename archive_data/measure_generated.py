#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the superoptimizer's generator writes, beside PyTorch on this machine's GPU.

    measure_generated.py emit FOLDER --cli kernelarium-cli [--only 1/12 2/38 ...]
    measure_generated.py measure FOLDER --out TIMES.json [--only ...] [--jobs N] [--seconds S] [--verifier kernelarium-cli]
    measure_generated.py table TIMES.json --cli kernelarium-cli

`emit` writes FOLDER/level_L/TTT_NAME/FORM.cu for every task that the generator takes. `measure` needs what
measure_starter.py needs; it builds them as PyTorch extensions, has --verifier judge them at full size, and times each
in turn with PyTorch eager and torch.compile, TF32 off and on: device time, cold L2, the same inputs, interleaved
rounds (cold_times.METHOD). It saves after each task, leaves out what TIMES.json holds of the same text, and begins no
task after S seconds, so that it can be called again. `table` prints the rows of core/kernelgen/MEASURED.md.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from measure_starter import ROUND_SAMPLES, ROUNDS, build, loaded, save, setup  # noqa: E402

WARM_SECONDS = 300
PRECISIONS = {"": False, "_tf32": True}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("emit", "measure", "table", "warm"))
    parser.add_argument("path", type=pathlib.Path)
    parser.add_argument("--cli", default="kernelarium-cli")
    parser.add_argument("--verifier", help="a kernelarium-cli to judge the files at full size")
    parser.add_argument("--tasks", type=pathlib.Path, default=HERE / "tasks", help="folder of the task cards")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", metavar="LEVEL/TASK")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=1e9)
    options = parser.parse_args()
    if options.what == "measure" and not options.out:
        parser.error("measure needs --out")
    return options


def said(cli, *words):
    """What the program prints with --json, or None where it refuses."""
    done = subprocess.run([cli, "--json", *words], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def task_of(file):
    """ "2/38" of level_2/038_NAME/FORM.cu """
    level, task = file.split("/")[:2]
    return f"{int(level[6:])}/{int(task.split('_')[0])}"


def emit(options):
    """The candidates that the model puts within twice the first one's time; naive files only where there is no other."""
    for path in sorted(options.tasks.glob("level_*/*.json")):
        task = task_of(path.relative_to(options.tasks).as_posix())
        if options.only and task not in options.only:
            continue
        answer = said(options.cli, "superopt", "show", "--task", task)
        if not answer:
            continue
        found = answer["candidates"]
        forms = [c for c in found if not c["name"].startswith("naive")] or found[:1]
        folder = options.path / path.parent.name / path.stem
        for form in forms:
            if form["modelled"]["seconds"] > 2 * forms[0]["modelled"]["seconds"]:
                continue
            text = said(options.cli, "superopt", "emit", "--task", task, "--candidate", form["name"])
            folder.mkdir(parents=True, exist_ok=True)
            (folder / (form["name"].replace("+", "_after_") + ".cu")).write_text(text["text"], encoding="utf-8")
            print(f"{task}: {form['name']}")
    return 0


def set_tf32(allowed):
    import torch
    torch.backends.cuda.matmul.allow_tf32 = allowed
    torch.backends.cudnn.allow_tf32 = allowed


def references(card, folder):
    """The card's graph eager and compiled, called once in each precision."""
    import torch
    from card_torch import draw_all, graph_function
    eager = graph_function(card, folder)
    compiled = torch.compile(eager, dynamic=False, fullgraph=True)
    tensors = draw_all(card, 1)
    for allowed in PRECISIONS.values():
        set_tf32(allowed)
        compiled(*tensors)
    set_tf32(False)
    torch.cuda.synchronize()
    return eager, compiled, tensors


def card_of(options, task):
    from card_torch import read_card
    return read_card(options.tasks, *map(int, task.split("/")))


def warm(options):
    """In a process of its own: what torch.compile makes for a task stays in PyTorch's cache for later."""
    import torch
    torch.set_grad_enabled(False)
    with tempfile.TemporaryDirectory() as folder:
        references(card_of(options, options.only[0]), folder)
    return 0


def warmed(options, task):
    try:
        subprocess.run([sys.executable, __file__, "warm", ".", "--tasks", str(options.tasks), "--only", task],
                       capture_output=True, timeout=WARM_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        pass  # it is compiled when it is measured


def verdict(options, file):
    """Our own verifier's, at full size on this GPU: None without one."""
    if not options.verifier:
        return None
    done = subprocess.run([options.verifier, "--json", "verify", str(options.path / file), "--task", task_of(file),
                           "--backend", "cuda", "--size", "full"], capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout).get("verdict", "no verdict")
    except ValueError:
        return (done.stderr or done.stdout).strip()[-200:]


def close(got, expected):
    """The largest difference over the size of what is expected."""
    return float(((got.double() - expected.double()).abs() / (expected.double().square().mean().sqrt() + 1e-4)).max())


def measure_task(options, task, files, timer, builds):
    from card_torch import call_arguments
    from cold_times import summary
    card = card_of(options, task)
    eager, compiled, tensors = references(card, builds)
    passed = call_arguments(card, tensors)
    expected = eager(*tensors)
    calls, entry = {}, {"forms": {}}
    for suffix, allowed in PRECISIONS.items():
        calls["eager" + suffix] = (allowed, lambda: eager(*tensors))
        calls["compile" + suffix] = (allowed, lambda: compiled(*tensors))
    for file in files:
        forward = loaded(file, builds)
        entry["forms"][file] = {"difference": close(forward(*passed), expected)}
        calls[file] = (False, lambda forward=forward: forward(*passed))
    rounds = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, (allowed, call) in calls.items():
            set_tf32(allowed)
            rounds[name].append(timer.samples(call, ROUND_SAMPLES))
    set_tf32(False)
    for name, samples in rounds.items():
        if name in entry["forms"]:
            entry["forms"][name] |= summary(samples)
        else:
            entry[name] = summary(samples)
    return entry


def measure(options):
    import torch
    from cold_times import ColdTimer
    begin = time.monotonic()
    torch.set_grad_enabled(False)
    texts = {path.relative_to(options.path).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
             for path in sorted(options.path.rglob("*.cu"))}
    report = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else setup() | {"kernels": {}}
    by_task = {}
    for file in texts:
        if not options.only or task_of(file) in options.only:
            by_task.setdefault(task_of(file), []).append(file)
    by_task = {task: files for task, files in by_task.items()
               if report["kernels"].get(task, {}).get("sha256") != {file: texts[file] for file in files}}
    builds = pathlib.Path(os.environ.get("GENERATED_BUILDS") or tempfile.mkdtemp(prefix="generated_builds_"))
    builds.mkdir(parents=True, exist_ok=True)
    architecture = "{}.{}".format(*torch.cuda.get_device_capability(0))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        building = {file: pool.submit(build, options.path, file, builds, architecture)
                    for files in by_task.values() for file in files}
        warming = [pool.submit(warmed, options, task) for task in by_task]
        with concurrent.futures.ThreadPoolExecutor(2) as judges:
            judged = dict(zip(building, judges.map(lambda file: verdict(options, file), building)))
        concurrent.futures.wait(warming)
        problems = {file: future.result() for file, future in building.items()}
    print(f"built, judged and warmed in {time.monotonic() - begin:.0f} s", flush=True)
    timer = ColdTimer()
    for task, files in by_task.items():
        if time.monotonic() - begin > options.seconds:
            print("the time is over", flush=True)
            break
        try:
            entry = measure_task(options, task, [file for file in files if not problems[file]], timer, builds)
        except Exception as error:  # whatever PyTorch makes of a card: the other tasks go on
            entry = {"error": f"{type(error).__name__}: {error}"[:500]}
        for file in files:
            form = entry.setdefault("forms", {}).setdefault(file, {})
            if problems[file]:
                form["error"] = problems[file][:500]
            if judged[file]:
                form["verdict"] = judged[file]
        report["kernels"][task] = {"sha256": {file: texts[file] for file in files}} | entry
        save(options.out, report)
        torch.cuda.empty_cache()
        print(task, {name: value.get("ms") for name, value in entry.items() if isinstance(value, dict)},
              [(form.get("ms"), form.get("verdict")) for form in entry["forms"].values()], flush=True)
    return 0


def microseconds(of):
    return f"{1e3 * of['ms']:.3g}" if of and "ms" in of else "-"


def table(options):
    """A row for each task, the fastest verified form; a loss is a ratio below 1."""
    report = json.loads(options.path.read_text(encoding="utf-8"))
    won, rows = 0, 0
    print("| task | form | bound before | bound | ours | eager | torch.compile | eager TF32 | torch.compile TF32 | "
          "over ours | over ours, TF32 |\n|" + "---|" * 11)
    for task, entry in sorted(report["kernels"].items(), key=lambda item: [int(n) for n in item[0].split("/")]):
        forms = [(form["ms"], pathlib.Path(file).stem, form) for file, form in entry["forms"].items()
                 if "ms" in form and form.get("verdict") in (None, "verified")]
        if not forms:
            continue
        ms, name, ours = min(forms, key=lambda form: form[:2])
        bounds = said(options.cli, "superopt", "explain", "--task", task) or {}
        before, after = (bounds.get(key, {}).get("bound_seconds") for key in ("before", "after"))
        ratios = []
        for suffix in PRECISIONS:
            others = [entry[kind + suffix]["ms"] for kind in ("eager", "compile") if kind + suffix in entry]
            ratios.append(min(others) / ms if len(others) == 2 else None)
        rows += 1
        won += ratios[0] is not None and ratios[0] > 1
        cells = [task, name, *(f"{1e6 * bound:.3g}" if bound else "-" for bound in (before, after)), microseconds(ours),
                 *(microseconds(entry.get(kind + suffix)) for suffix in PRECISIONS for kind in ("eager", "compile")),
                 *(f"{ratio:.2f}" if ratio else "-" for ratio in ratios)]
        print("| " + " | ".join(cells) + " |")
    print(f"\n{rows} tasks; {won} are faster than both, TF32 off.")
    return 0


def main():
    options = arguments()
    return {"emit": emit, "measure": measure, "table": table, "warm": warm}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
