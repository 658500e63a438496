#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether two audits of the same rows say the same: same_verdicts.py BEFORE.jsonl AFTER.jsonl

The files are those of `kernelarium-cli audit --out`. Of each kernel in both, its verdict, reasons, remarks and stage,
the state of every check and its run's errors have to agree; times, and sentences that name the first of several
threads, need not. Exit code 1 where something differs, 2 where no kernel is in both.
"""
import json
import sys


def read(path):
    verdicts = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            v = json.loads(line)
            verdicts[(v["level"], v["task"], v["name"], v["code_hash"], v["size"], v["seed"])] = v
    return verdicts


def said(v):
    evidence = v["evidence"] or {}  # none where the child died
    checks = {c["name"]: c["state"] for c in evidence.get("checks", [])}
    return {"verdict": v["verdict"], "reasons": sorted(v["reasons"]), "remarks": sorted(v["remarks"]),
            "stage": v.get("stage"), "checks": checks, "largest error": v.get("max_abs_error"),
            "relative error": v.get("max_rel_error"),
            "faults": sorted({f["kind"] for f in evidence.get("faults", [])})}


def main():
    if len(sys.argv) != 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    before, after = read(sys.argv[1]), read(sys.argv[2])
    common = sorted(before.keys() & after.keys())
    different = 0
    for key in common:
        a, b = said(before[key]), said(after[key])
        if a == b:
            continue
        different += 1
        print(f"L{key[0]}/T{key[1]}/{key[2]}")
        for field in a:
            if a[field] == b[field]:
                continue
            if field == "checks":
                for name in sorted(a[field].keys() | b[field].keys()):
                    if a[field].get(name) != b[field].get(name):
                        print(f"  check {name}: {a[field].get(name)} -> {b[field].get(name)}")
            else:
                print(f"  {field}: {a[field]} -> {b[field]}")
    print(f"{len(common)} kernels in both, {different} with another verdict or evidence"
          f" ({len(before) - len(common)} only before, {len(after) - len(common)} only after)")
    return 2 if not common else 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
