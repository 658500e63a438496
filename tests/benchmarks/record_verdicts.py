#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts of single files, as lines that same_verdicts.py compares.

    record_verdicts.py PROGRAM INDEX.jsonl OUT.jsonl [WORD ...]

INDEX.jsonl names a kernel on each line: {"name", "folder" (beside it), "task", ...}, as ../shared/attack has it. With
WORDs only lines that contain one of them are taken. PROGRAM is a kernelarium-cli.
"""
import hashlib
import json
import pathlib
import subprocess
import sys


def record(program, source, name, task):
    done = subprocess.run([program, "verify", str(source), "--task", task, "--json", "--time-limit", "600"],
                          capture_output=True, text=True, check=False)
    try:
        v = json.loads(done.stdout)
    except ValueError:
        v = {"verdict": "no verdict", "message": done.stderr.strip()[:200]}
    level, number = task.split("/")
    return {"level": int(level), "task": int(number), "name": name,
            "code_hash": hashlib.sha256(source.read_bytes()).hexdigest(), "size": v.get("size", "small"),
            "seed": v.get("seed", 1), "verdict": v.get("verdict"), "reasons": v.get("reasons", []),
            "remarks": v.get("remarks", []), "stage": v.get("stage"), "max_abs_error": v.get("max_abs_error"),
            "max_rel_error": v.get("max_rel_error"), "evidence": v}


def main():
    if len(sys.argv) < 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    index, words = pathlib.Path(sys.argv[2]), sys.argv[4:]
    with open(sys.argv[3], "w", encoding="utf-8") as out:
        for line in index.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            source = index.parent / entry["folder"] / (entry["name"] + ".cu")
            if (words and not any(w in line for w in words)) or "/" not in entry.get("task", "") or not source.exists():
                continue
            print(json.dumps(record(sys.argv[1], source, entry["name"], entry["task"])), file=out, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
