#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the evaluator with PyTorch on every card, in float64.

    crosscheck.py EVALUATE_CARD [--size small] [LEVEL/TASK ...]

EVALUATE_CARD is the built program evaluate_card. Needs PyTorch 1.13 or newer (Debian: python3-torch). The card's graph is
run by torch.ops.aten on the CPU; the error is |ours - torch| / max(|torch|, RMS of torch's output). Exits 1 when any
task is beyond 1e-6 or fails.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import torch

CARDS = pathlib.Path(__file__).resolve().parents[2] / "archive_data" / "tasks"
LIMIT = 1e-6
TYPES = {"float32": torch.float64, "float64": torch.float64, "int64": torch.int64, "bool": torch.bool}


def size_of(expression, symbols):
    if isinstance(expression, int):
        return expression
    return eval(expression.replace("/", "//"), {"__builtins__": {}}, symbols)  # an expression of our own cards


def draw(tensor, symbols, generator):
    shape = [size_of(e, symbols) for e in tensor["shape"]]
    kind, *numbers = tensor["fill"]
    a, b = (numbers + [0.0, 1.0])[:2] if len(numbers) != 1 else (numbers[0], 0.0)

    def normal():
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    def uniform():
        return torch.rand(shape, generator=generator, dtype=torch.float64)

    if kind == "normal":
        value = a + b * normal()
    elif kind == "uniform":
        value = a + (b - a) * uniform()
    elif kind == "constant":
        value = torch.full(shape, float(a), dtype=torch.float64)
    elif kind == "integers":
        value = torch.randint(int(a), int(b) + 1, shape, generator=generator)
    elif kind == "booleans":
        value = uniform() < a
    elif kind == "signs":
        value = torch.where(uniform() < 0.5, -1.0, 1.0).to(torch.float64)
    elif kind in ("varied", "varied_probabilities"):
        a, b = (a, b) if kind == "varied" else (0.0, 1.0)
        slices = [shape[0]] + [1] * (len(shape) - 1)
        factor = 0.5 + 1.5 * torch.rand(slices, generator=generator, dtype=torch.float64)
        offset = b * (2 * torch.rand(slices, generator=generator, dtype=torch.float64) - 1)
        value = factor * (a + b * normal()) + offset
        value = torch.softmax(value, -1) if kind == "varied_probabilities" else value
    elif kind == "probabilities":
        value = torch.softmax(normal(), -1)
    elif kind == "upper_triangular":
        value = torch.triu(a + b * normal())
    elif kind == "lower_triangular":
        value = torch.tril(a + b * normal())
    elif kind == "symmetric":
        x = a + b * math.sqrt(2) * normal()
        value = (x + x.T) / 2
    elif kind == "causal_mask":
        value = torch.tril(torch.ones(shape, dtype=torch.float64))
    elif kind == "values":
        count = math.prod(shape)
        value = torch.tensor((numbers * count)[:count], dtype=torch.float64).reshape(shape)
    else:
        raise ValueError(f"unknown distribution {kind}")
    return value.to(TYPES[tensor["dtype"]]).contiguous()


class Runner:
    def __init__(self, card, symbols, tensors):
        self.symbols, self.tensors, self.nodes = symbols, tensors, {}
        for node in card["graph"]:
            name, op, arguments = node[:3]
            keywords = node[3] if len(node) > 3 else {}
            values = [self.argument(a) for a in arguments]
            self.nodes[name] = self.call(op, values, {k: self.argument(v) for k, v in keywords.items()})
        self.output = self.argument(card["output"])

    def argument(self, value):
        if isinstance(value, list):
            return [self.argument(item) for item in value]
        if isinstance(value, dict):
            return float(value["float"])
        if not isinstance(value, str):
            return value
        kind, rest = value[0], value[1:]
        if kind == "%":
            return self.tensors[int(rest)]
        if kind == "@":
            return self.nodes[rest]
        if kind == "=":
            return size_of(rest, self.symbols)
        if kind == "#":
            return TYPES.get(rest, getattr(torch, rest))
        return rest

    def call(self, op, arguments, keywords):
        if op == "<built-in function getitem>":
            return arguments[0][arguments[1]]
        keywords.pop("path", None)
        name, overload = op[5:].rsplit(".", 1)
        if name == "scaled_dot_product_attention" and not hasattr(torch.ops.aten, name):
            q, k, v = arguments[:3]
            return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), -1) @ v
        if name == "view":  # the card leaves out what makes operands contiguous
            return arguments[0].reshape(arguments[1])
        if (name, overload) == ("min", "other"):
            return torch.minimum(arguments[0], torch.as_tensor(arguments[1], dtype=torch.float64))
        if name == "unflatten":
            return arguments[0].unflatten(arguments[1], arguments[2])
        return getattr(getattr(torch.ops.aten, name), overload)(*arguments, **keywords)


def flat(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [tensor for item in value for tensor in flat(item)]


def error_of(ours, theirs):
    if theirs.numel() == 0:
        return 0.0
    theirs = theirs.to(torch.float64)
    ours = ours.to(torch.float64)
    finite = torch.isfinite(theirs)
    if not torch.equal(finite, torch.isfinite(ours)):
        return math.inf
    theirs, ours = theirs[finite], ours[finite]
    rms = theirs.pow(2).mean().sqrt().item() if theirs.numel() else 0.0
    scale = torch.clamp(theirs.abs(), min=max(rms, 1e-300))
    return ((ours - theirs).abs() / scale).max().item() if theirs.numel() else 0.0


def check(program, card, size):
    generator = torch.Generator().manual_seed(card["level"] * 1000 + card["task"])
    symbols = card["sizes"][size]
    tensors = [draw(t, symbols, generator) for t in card["tensors"]]
    with tempfile.TemporaryDirectory() as folder:
        for index, tensor in enumerate(tensors):
            tensor.numpy().tofile(f"{folder}/{index}.bin")
        run = subprocess.run([program, f"{card['level']}/{card['task']}", size, "float64", folder], capture_output=True, text=True,
                             check=False)
        if run.returncode:
            raise RuntimeError(run.stderr.strip())
        theirs = flat(Runner(card, symbols, tensors).output)
        worst = 0.0
        lines = run.stdout.splitlines()
        if len(lines) != len(theirs):
            raise RuntimeError(f"{len(lines)} outputs, PyTorch has {len(theirs)}")
        for index, (line, tensor) in enumerate(zip(lines, theirs)):
            name, shape = line.split(" ", 1)
            if json.loads(shape) != list(tensor.shape):
                raise RuntimeError(f"output {index} has the shape {shape}, PyTorch's {list(tensor.shape)}")
            raw = torch.from_file(f"{folder}/out_{index}.bin", size=tensor.numel(), dtype=getattr(torch, name)) if tensor.numel() else tensor
            worst = max(worst, error_of(raw.reshape(tensor.shape), tensor))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--size", default="small")
    parser.add_argument("tasks", nargs="*")
    options = parser.parse_args()
    worst, failed, checked = 0.0, [], 0
    for path in sorted(CARDS.glob("level_*/*.json"), key=lambda p: (p.parent.name, p.name)):
        card = json.loads(path.read_text())
        key = f"{card['level']}/{card['task']}"
        if options.tasks and key not in options.tasks or options.size not in card["sizes"]:
            continue
        try:
            error = check(options.program, card, options.size)
        except Exception as reason:  # one task's failure is a finding, not the end
            first = re.sub(r"\s+", " ", str(reason))[:200]
            failed.append(key)
            print(f"{key:7} failed: {first}", flush=True)
            continue
        checked += 1
        worst = max(worst, error)
        if error > LIMIT:
            failed.append(key)
        print(f"{key:7} {error:.2e}{'  BEYOND THE LIMIT' if error > LIMIT else ''}", flush=True)
    print(f"{checked} tasks compared at size {options.size}, largest relative error {worst:.2e}, {len(failed)} failed: {' '.join(failed)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
