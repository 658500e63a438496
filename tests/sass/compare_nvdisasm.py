#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares our decoder with nvdisasm, instruction by instruction: operation and registers.

Where the toolkit's nvdisasm is installed. Prints each kind of disagreement once, with how often it was met and where; exit code 1
where registers disagree (an operation's name alone may be written in two ways). Usage: compare_nvdisasm.py --cli
build/release/bin/kernelarium-cli FILE.cubin ...
"""
import argparse
import collections
import json
import re
import subprocess
import sys

LINE = re.compile(r"^\s*/\*([0-9a-f]{4,5})\*/\s+(.*?)\s*;")
SECTION = re.compile(r"^\s*//-+ \.text\.(\S+) -+|^\.section\s+\.text\.([^,\s]+)|^\.text\.(\S+):")
REGISTER = re.compile(r"(?<![A-Za-z0-9_])(UR\d+|UP\d+|R\d+|P\d+)(?![A-Za-z0-9_])")


def theirs(file, nvdisasm):
    """{(kernel, place): text}."""
    listing = subprocess.run([nvdisasm, "--print-code", file], capture_output=True, text=True, check=True).stdout
    found, kernel = {}, None
    for line in listing.splitlines():
        section = SECTION.match(line)
        if section:
            kernel = next(name for name in section.groups() if name)
        code = LINE.match(line)
        if code and kernel:
            found[kernel.rstrip(":"), int(code.group(1), 16)] = re.sub(r"[{}]", "", code.group(2)).strip()
    return found


def ours(file, cli):
    said = subprocess.run([cli, "schedule", "show", file, "--json"], capture_output=True, text=True, check=True).stdout
    return {(k["kernel"], i["place"]): i["text"] for k in json.loads(said)["kernels"] for i in k["instructions"]}


def operation(text):
    words = text.split()
    name = words[1] if words[0].startswith("@") else words[0]
    return name.split(".")[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True)
    parser.add_argument("--nvdisasm", default="nvdisasm")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    kinds, examples, compared, same_text = collections.Counter(), {}, 0, 0
    for file in options.files:
        reference = theirs(file, options.nvdisasm)
        for key, text in ours(file, options.cli).items():
            if key not in reference:
                continue
            compared += 1
            wanted = reference[key]
            same_text += text == wanted
            kind = None
            if operation(text) != operation(wanted):
                kind = f"operation {operation(wanted)}, ours {operation(text)}"
            elif sorted(set(REGISTER.findall(text))) != sorted(set(REGISTER.findall(wanted))):
                kind = f"registers of {operation(wanted)}"
            if kind:
                kinds[kind] += 1
                examples.setdefault(kind, f"{key[0]} {key[1]:#x}: {wanted}   ours: {text}")
    for kind, times in kinds.most_common():
        print(f"{times:6} {kind}\n         {examples[kind]}")
    print(f"{compared} instructions compared, {same_text} with the same text to the letter")
    return 1 if any(kind.startswith("registers") for kind in kinds) or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
