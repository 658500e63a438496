#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the superoptimizer's generator writes, beside PyTorch on this machine's GPU.

    measure_generated.py emit FOLDER --cli kernelarium-cli [--only 1/12 2/38 ...] [--size full]
    measure_generated.py measure FOLDER --out TIMES.json [--only ...] [--size full] [--jobs N] [--prepare S]
                         [--seconds S] [--verifier kernelarium-cli] [--lock FILE]
    measure_generated.py table TIMES.json --cli kernelarium-cli [--size full]

`emit` writes FOLDER/level_L/TTT_NAME/FORM.cu for every task that the generator takes. `measure` needs what
measure_starter.py needs. N processes build the files as PyTorch extensions and compile the tasks' graphs, beside them
--verifier judges every file at full size; then task after task is timed with the GPU alone. No task is prepared after
--prepare seconds and none timed after --seconds; OUT is saved as it grows, and what it holds of the same text is left
out, so that the command can be called again. `table` prints the rows of core/kernelgen/MEASURED.md.
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
from generated_worker import PRECISIONS, ROUND_SAMPLES, ROUNDS  # noqa: E402
from measure_starter import save, setup  # noqa: E402

JUDGES = 4
LAST_TASK_SECONDS = 60  # that the tasks under way when the preparing ends may still take
METHOD = (f"PyTorch eager and torch.compile with TF32 off and on, and every form, in turn in {ROUNDS} rounds of up to "
          f"{ROUND_SAMPLES} cold calls; the rest as cold_times.METHOD. A ratio's interval is that of the rounds' ratios.")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("emit", "measure", "table"))
    parser.add_argument("path", type=pathlib.Path)
    parser.add_argument("--cli", default="kernelarium-cli")
    parser.add_argument("--verifier", help="a kernelarium-cli to judge the files at full size")
    parser.add_argument("--tasks", type=pathlib.Path, default=HERE / "tasks", help="folder of the task cards")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", metavar="LEVEL/TASK")
    parser.add_argument("--size", default="full", help="of the cards, such as full_batch8; tasks without it are left out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--prepare", type=float, default=1e9)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--lock", type=pathlib.Path, help="held while a task is timed; that of another `measure` beside this one")
    options = parser.parse_args()
    if options.what == "measure" and not options.out:
        parser.error("measure needs --out")
    if options.verifier and options.size not in ("small", "full"):
        parser.error("--verifier judges at the sizes small and full alone; `tune --sizes` verifies at others")
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
        answer = said(options.cli, "superopt", "show", "--task", task, "--size", options.size)
        if not answer:
            continue
        found = answer["candidates"]
        forms = [c for c in found if not c["name"].startswith("naive")] or found[:1]
        folder = options.path / path.parent.name / path.stem
        for form in forms:
            if form["modelled"]["seconds"] > 2 * forms[0]["modelled"]["seconds"]:
                continue
            text = said(options.cli, "superopt", "emit", "--task", task, "--size", options.size, "--candidate", form["name"])
            folder.mkdir(parents=True, exist_ok=True)
            (folder / (form["name"].replace("+", "_after_") + ".cu")).write_text(text["text"], encoding="utf-8")
            print(f"{task}: {form['name']}")
    return 0


def verdict(options, file):
    """Our own verifier's, at full size on this GPU: None without one."""
    if not options.verifier:
        return None
    done = subprocess.run([options.verifier, "--json", "verify", str(options.path / file), "--task", task_of(file),
                           "--backend", "cuda", "--size", options.size], capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout).get("verdict", "no verdict")
    except ValueError:
        return (done.stderr or done.stdout).strip()[-200:]


def undone(options, report):
    """For each task its files, but where the report holds times of the same texts."""
    texts = {path.relative_to(options.path).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
             for path in sorted(options.path.rglob("*.cu"))}
    by_task = {}
    for file, text in texts.items():
        if not options.only or task_of(file) in options.only:
            by_task.setdefault(task_of(file), {})[file] = text
    order = [task for task in options.only or by_task if task in by_task]
    by_task = {task: by_task[task] for task in order}
    return {task: files for task, files in by_task.items() if report["kernels"].get(task, {}).get("sha256") != files}


def start_workers(options, by_task, folder, begin):
    environment = os.environ | {"TORCHINDUCTOR_COMPILE_THREADS": "1"}
    workers = []
    for i in range(min(options.jobs, len(by_task))):
        job = {"files": str(options.path.resolve()), "tasks": str(options.tasks.resolve()), "size": options.size,
               "work": {task: list(by_task[task]) for task in list(by_task)[i::options.jobs]},
               "scratch": str(folder / f"scratch_{i}"), "out": str(folder / f"done_{i}.json"),
               "ready": str(folder / f"ready_{i}"), "go": str(folder / "go"), "lock": str(options.lock or folder / "lock"),
               "prepare_until": begin + options.prepare, "measure_until": begin + options.seconds}
        path = folder / f"job_{i}.json"
        path.write_text(json.dumps(job), encoding="utf-8")
        log = open(folder / f"log_{i}.txt", "w", encoding="utf-8")  # the worker keeps it
        workers.append((job, subprocess.Popen([sys.executable, HERE / "generated_worker.py", path], env=environment,
                                              stdout=log, stderr=log)))
    return workers


def collect(options, report, workers, by_task, judged):
    for job, _ in workers:
        done = pathlib.Path(job["out"])
        for task, entry in (json.loads(done.read_text(encoding="utf-8")) if done.exists() else {}).items():
            forms = entry.setdefault("forms", {})
            for file in by_task[task]:
                if judged.get(file):
                    forms.setdefault(file, {})["verdict"] = judged[file]
            report["kernels"][task] = {"sha256": by_task[task]} | entry
    save(options.out, report)


def measure(options):
    begin = time.time()
    report = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else setup() | {"kernels": {}}
    report["generated_method"] = METHOD
    by_task = undone(options, report)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="generated_"))
    workers = start_workers(options, by_task, folder, begin)
    files = [file for of_task in by_task.values() for file in of_task]
    with concurrent.futures.ThreadPoolExecutor(JUDGES) as judges:
        judged = dict(zip(files, judges.map(lambda file: verdict(options, file), files)))
    print(f"judged in {time.time() - begin:.0f} s", flush=True)
    while any(worker.poll() is None and not os.path.exists(job["ready"]) for job, worker in workers):
        if time.time() > begin + options.prepare + LAST_TASK_SECONDS:
            for job, worker in workers:  # one that compiles for ever
                if not os.path.exists(job["ready"]):
                    worker.kill()
            break
        time.sleep(0.5)
    collect(options, report, workers, by_task, judged)
    print(f"prepared in {time.time() - begin:.0f} s", flush=True)
    (folder / "go").touch()
    while any(worker.poll() is None for _, worker in workers):
        time.sleep(5)
        collect(options, report, workers, by_task, judged)
    collect(options, report, workers, by_task, judged)
    for i, (_, worker) in enumerate(workers):
        if worker.returncode:
            print(f"worker {i} ended with {worker.returncode}: " +
                  (folder / f"log_{i}.txt").read_text(encoding="utf-8")[-1500:], flush=True)
    missing = [task for task in by_task if "eager" not in report["kernels"].get(task, {})]
    print(f"{len(by_task) - len(missing)} of {len(by_task)} tasks timed in {time.time() - begin:.0f} s; not: "
          + ", ".join(missing), flush=True)
    return 0


def microseconds(of):
    return f"{1e3 * of['ms']:.3g}" if of and "ms" in of else "-"


def ratio(entry, suffix, ours):
    """The faster of eager and torch.compile over ours: that of the medians, and the rounds' smallest and largest."""
    others = [entry[kind + suffix] for kind in ("eager", "compile") if kind + suffix in entry]
    if len(others) < 2:
        return None
    by_round = [min(of) / own for *of, own in zip(*(other["rounds"] for other in others), ours["rounds"])]
    return min(other["ms"] for other in others) / ours["ms"], min(by_round), max(by_round)


def table(options):
    """A row for each task, the fastest verified form; a loss is a ratio below 1."""
    report = json.loads(options.path.read_text(encoding="utf-8"))
    won, surely, rows = 0, 0, 0
    print("| task | form | bound before | bound | ours | eager | torch.compile | eager TF32 | torch.compile TF32 | "
          "over ours (rounds) | over ours, TF32 |\n|" + "---|" * 11)
    for task, entry in sorted(report["kernels"].items(), key=lambda item: [int(n) for n in item[0].split("/")]):
        forms = [(form["ms"], pathlib.Path(file).stem, form) for file, form in entry["forms"].items()
                 if "ms" in form and form.get("verdict") in (None, "verified")]
        if not forms:
            continue
        _, name, ours = min(forms, key=lambda form: form[:2])
        bounds = said(options.cli, "superopt", "explain", "--task", task, "--size", options.size) or {}
        before, after = (bounds.get(key, {}).get("bound_seconds") for key in ("before", "after"))
        off, on = (ratio(entry, suffix, ours) for suffix in PRECISIONS)
        rows += 1
        won += off is not None and off[0] > 1
        surely += off is not None and off[1] > 1
        cells = [task, name, *(f"{1e6 * bound:.3g}" if bound else "-" for bound in (before, after)), microseconds(ours),
                 *(microseconds(entry.get(kind + suffix)) for suffix in PRECISIONS for kind in ("eager", "compile")),
                 f"{off[0]:.2f} ({off[1]:.2f} to {off[2]:.2f})" if off else "-", f"{on[0]:.2f}" if on else "-"]
        print("| " + " | ".join(cells) + " |")
    print(f"\n{rows} tasks; {won} are faster than both with TF32 off, {surely} of them in every round.")
    return 0


def main():
    options = arguments()
    return {"emit": emit, "measure": measure, "table": table}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
