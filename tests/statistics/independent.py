#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `archive stats --json` should say of a file of JSON lines, computed in another way.

independent.py ROWS.jsonl EXCLUDED.json     EXCLUDED: a list of [level, task, name, sha256 of the code]
Prints one JSON document with the same keys; standard library only.
"""
import ast
import hashlib
import json
import math
import re
import statistics
import sys
from collections import Counter, defaultdict

THRESHOLDS = [0, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 5, 10, 50, 100]
COMPARED = {"Executed Ipc Active", "Issue Slots Busy", "SM Busy", "Memory Throughput", "Mem Busy", "Max Bandwidth",
            "L1/TEX Hit Rate", "L2 Hit Rate", "Achieved Occupancy"}
CLASSES = [("convolution", "conv"), ("matrix", "matmul|matrix|gemm|bmm|linear|matrices"), ("pooling", "pool"),
           ("normalisation", "norm"), ("loss", "loss"), ("scan", "cumsum|cumprod|cumulative|scan"),
           ("reduction", "reduction|argmax|argmin|over_a_dimension|logsumexp|mean|sum"),
           ("activation", "relu|sigmoid|tanh|softmax|swish|gelu|selu|elu|softplus|softsign|mish|silu")]


def median(values):
    return statistics.median(values) if values else None


def share(part, whole):
    return part / whole if whole else None


def class_of(row):
    if row["Level_ID"] == 3:
        return "network"
    return next((c for c, words in CLASSES if re.search(words, row["Op_Name"].lower())), "other")


def task_of(row):
    return row["Level_ID"], row["Task_ID"]


def hash_of(row):
    return hashlib.sha256(row["CUDA_Code"].encode()).hexdigest()


def label(row):
    return "L%d/T%d/%s@%s" % (*task_of(row), row["Kernel_Name"], hash_of(row)[:8])


def correct(rows):
    return [r for r in rows if r["Correct"] is True]


def column(rows, name):
    return [r[name] for r in rows if r[name] is not None and not math.isnan(r[name])]


def group(rows):
    good = correct(rows)
    native, compiled = column(good, "CUDA_Speedup_Native"), column(good, "CUDA_Speedup_Compile")
    bad = [r for r in rows if r["Correct"] is False]
    tasks = {task_of(r) for r in rows}
    solved = {task_of(r) for r in good}
    claimed = {task_of(r) for r in good + bad}
    return {
        "rows": len(rows), "correct": len(good), "incorrect": len(bad), "unknown": len(rows) - len(good) - len(bad),
        "share_correct": share(len(good), len(good) + len(bad)), "with_error": sum(r["Error"] is not None for r in rows),
        "tasks": len(tasks), "tasks_with_correct": len(solved), "tasks_with_claim": len(claimed),
        "conversion_rate": share(len(solved), len(claimed)),
        "tasks_faster_than_native": len({task_of(r) for r in good if (r["CUDA_Speedup_Native"] or 0) > 1}),
        "share_faster_than_native": share(sum(v > 1 for v in native), len(native)),
        "share_faster_than_compile": share(sum(v > 1 for v in compiled), len(compiled)),
        "share_over_2x_native": share(sum(v > 2 for v in native), len(native)),
        "share_over_2x_compile": share(sum(v > 2 for v in compiled), len(compiled)),
        "median_speedup_native": median(native), "median_speedup_compile": median(compiled),
        "best_speedup_native": max(native, default=None), "median_runtime_ms": median(column(good, "CUDA_Runtime"))}


def groups(rows, key, name):
    parts = defaultdict(list)
    for row in rows:
        parts[key(row)].append(row)
    out = []
    for value, part in sorted(parts.items()):
        out.append(group(part))
        out[-1].update(name(value))
    return out


def fast_p(rows):
    def counts(p):
        out = {"p": p}
        for which in ("Native", "Compile"):
            fast = [r for r in correct(rows) if (r["CUDA_Speedup_" + which] or 0) > p]
            out["kernels_" + which.lower()] = len(fast)
            out["tasks_" + which.lower()] = len({task_of(r) for r in fast})
        return out
    claimed = [r for r in rows if r["Correct"] is not None]
    tasks, all_tasks = {task_of(r) for r in claimed}, {task_of(r) for r in rows}
    return {"tasks": len(tasks), "kernels": len(claimed), "tasks_without_claim": len(all_tasks) - len(tasks),
            "kernels_without_claim": len(rows) - len(claimed), "points": [counts(p) for p in THRESHOLDS]}


def bins(rows):
    edges = [10 ** (i / 10 - 3) for i in range(61)]
    out = {"edges": edges}
    for which in ("Native", "Compile"):
        values = column(correct(rows), "CUDA_Speedup_" + which)
        out[which.lower()] = [sum(a <= v < b for v in values) for a, b in zip(edges, edges[1:])]
        out["below_" + which.lower()] = sum(v < edges[0] for v in values)
        out["above_" + which.lower()] = sum(v >= edges[-1] for v in values)
    return out


def error_kind(row):
    text = row["Error"]
    if not text:
        return "wrong_result" if row["Correct"] is False else "none"
    for kind, pattern in [("assemble", "ptxas error|ptxas fatal"),
                          ("link", "nvlink error|collect2: error|undefined reference to"),
                          ("compile", "detected in the compilation of|: error: |: error #|: fatal error: |nvcc fatal"),
                          ("compile", "Error building extension|ninja: build stopped"),
                          ("launch", "CUDA error|CUDA Error|cudaError|illegal memory access|an illegal instruction|"
                                     "misaligned address|out of memory"),
                          ("import", "dynamic module does not define|undefined symbol|ImportError|has no attribute|"
                                     "incompatible function arguments|cannot open shared object")]:
        if re.search(pattern, text):
            return kind
    return "other"


def errors(rows):
    counts = Counter("unknown" if error_kind(r) == "none" and r["Correct"] is None else error_kind(r) for r in rows)
    return {k: counts[k] for k in ("none", "wrong_result", "compile", "assemble", "link", "import", "launch", "other",
                                   "unknown")}


def with_speedup(rows):
    return [r for r in correct(rows) if r["CUDA_Speedup_Native"] is not None]


def best(rows):
    tasks = defaultdict(list)
    for row in with_speedup(rows):
        tasks[task_of(row)].append(row)
    out = []
    for (level, task), part in sorted(tasks.items()):
        top = max(part, key=lambda r: r["CUDA_Speedup_Native"])
        out.append({"level": level, "task": task, "label": label(top), "speedup_native": top["CUDA_Speedup_Native"],
                    "speedup_compile": top["CUDA_Speedup_Compile"]})
    return out


def name_words(rows):
    rows = with_speedup(rows)
    middle = {t: median([r["CUDA_Speedup_Native"] for r in rows if task_of(r) == t]) for t in {task_of(r) for r in rows}}
    words = defaultdict(list)
    for row in rows:
        if middle[task_of(row)] > 0:
            for word in {w for w in row["Kernel_Name"].lower().split("_") if len(w) > 1 and not w.isdigit()}:
                words[word].append(row)
    out = [{"word": w, "kernels": len(p), "tasks": len({task_of(r) for r in p}),
            "median_relative_speedup": median([r["CUDA_Speedup_Native"] / middle[task_of(r)] for r in p]),
            "median_speedup_native": median([r["CUDA_Speedup_Native"] for r in p])} for w, p in words.items() if len(p) >= 3]
    return sorted(out, key=lambda w: (-w["median_relative_speedup"], w["word"]))


def selection(rows):
    out = group(rows)
    out.update({"levels": groups(rows, lambda r: r["Level_ID"], lambda v: {"level": v}),
                "classes": groups(rows, class_of, lambda v: {"class": v}),
                "per_task": groups(rows, task_of, lambda v: {"level": v[0], "task": v[1]}),
                "fast_p": fast_p(rows), "speedup_bins": bins(rows), "errors": errors(rows), "best": best(rows),
                "name_words": name_words(rows)})
    return out


def profiles(rows):
    per_kernel, by_check = [], Counter()
    for row in rows:
        if row["Clang_Tidy"]:
            output = ast.literal_eval(row["Clang_Tidy"])["stdout"]
            found = set(re.findall(r"^(.*?):(\d+):(\d+): warning: (.*)$", output, re.M))
            per_kernel.append(len(found))
            for _, _, _, message in found:
                check = re.search(r" \[([^ \]]+)\]$", message)
                by_check[check.group(1) if check else ""] += 1
    profiled = [(r, ast.literal_eval(r["NCU_Profile"].replace("nan", "None"))) for r in rows if r["NCU_Profile"]]
    rules = Counter(name for _, p in profiled for name, rule in p["rules"].items() if rule["type"] != "INF")
    tasks = defaultdict(list)
    for row, profile in profiled:
        if row["Correct"] is True and row["CUDA_Speedup_Native"] is not None:
            tasks[task_of(row)].append((row["CUDA_Speedup_Native"], profile["metrics"]))
    fast, slow, units = defaultdict(list), defaultdict(list), {}
    for kernels in tasks.values():
        middle = median([s for s, _ in kernels])
        for speedup, metrics in kernels:
            for name, metric in metrics.items():
                if (name in COMPARED or "Bank Conflict" in name) and metric["avg_value"] is not None:
                    units[name] = metric["unit"]
                    if speedup != middle:
                        (fast if speedup > middle else slow)[name].append(metric["avg_value"])
    metrics = [{"metric": n, "unit": units[n], "fast": len(fast[n]), "slow": len(slow[n]), "median_fast": median(fast[n]),
                "median_slow": median(slow[n])} for n in sorted(units)]
    return {"clang_tidy": {"kernels": len(per_kernel), "warnings": sum(per_kernel), "by_check": by_check,
                           "mean": share(sum(per_kernel), len(per_kernel)), "median": median(per_kernel)},
            "ncu": {"kernels": len(profiled), "metrics": metrics, "rules": rules}, "unreadable": 0}


def main():
    rows = [json.loads(line) for line in open(sys.argv[1])]
    excluded = {tuple(key) for key in json.load(open(sys.argv[2]))}
    key = lambda r: (*task_of(r), r["Kernel_Name"], hash_of(r))
    out = selection(rows)
    out["without_failing"] = selection([r for r in rows if key(r) not in excluded])
    out["profiles"] = profiles(rows)
    json.dump(out, sys.stdout)


main()
