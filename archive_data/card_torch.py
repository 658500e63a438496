# SPDX-License-Identifier: GPL-3.0-or-later
"""A task card in PyTorch: its tensors, the arguments of `forward`, and its graph as a Python function.

archive_data/tasks/README.md describes the cards. Needs PyTorch.
"""
import importlib.util
import json
import math
import pathlib
import re

import torch


class CardError(Exception):
    """The card holds something that this file does not know."""


def read_card(tasks, level, task):
    found = sorted(pathlib.Path(tasks).glob(f"level_{level}/{task:03d}_*.json"))
    if len(found) != 1:
        raise CardError(f"{len(found)} cards of task {level}/{task} in {tasks}; there should be one")
    return json.loads(found[0].read_text(encoding="utf-8"))


def size_of(expression, sizes):
    """A size: a number, or sums, differences, products and quotients (rounded down) of the card's symbols."""
    if isinstance(expression, int):
        return expression
    if not re.fullmatch(r"[\w+\-*/() ]+", expression):
        raise CardError(f'the size "{expression}" is not made of symbols')
    return eval(expression.replace("/", "//"), {"__builtins__": {}}, dict(sizes))  # names, digits and + - * / only


# What is made of normal numbers; core/verify/inputs/Distribution.h has the same.
STRUCTURES = {
    "normal": lambda x: x,
    "upper_triangular": torch.triu,
    "lower_triangular": torch.tril,
    "symmetric": lambda x: (x + x.mT) * 2 ** -0.5,  # the card's deviation is that of the sum's half
}


def draw(tensor, sizes, generator):
    """One of the card's tensors, drawn on the GPU."""
    shape = [size_of(extent, sizes) for extent in tensor["shape"]]
    kind, *numbers = tensor["fill"]
    if kind == "values":
        count = math.prod(shape)
        return torch.tensor((numbers * count)[:count], dtype=getattr(torch, tensor["dtype"]), device="cuda").reshape(shape)
    if kind == "constant":
        return torch.full(shape, numbers[0], dtype=getattr(torch, tensor["dtype"]), device="cuda")
    a, b = (*numbers, 1.0)[:2] if numbers else (0.0, 1.0)
    dtype, options = getattr(torch, tensor["dtype"]), {"generator": generator, "device": "cuda"}
    if kind == "integers":
        return torch.randint(a, b + 1, shape, dtype=dtype, **options)
    if kind == "booleans":
        return torch.rand(shape, **options) < a
    if kind == "signs":
        return (torch.randint(0, 2, shape, **options) * 2 - 1).to(dtype)
    if kind == "causal_mask":
        return torch.ones(shape, dtype=dtype, device="cuda").tril()
    if kind == "uniform" and dtype.is_floating_point:
        return (torch.rand(shape, **options) * (b - a) + a).to(dtype)
    if kind in STRUCTURES and dtype.is_floating_point:
        return STRUCTURES[kind](torch.randn(shape, **options) * b + a).to(dtype)
    if kind in ("varied", "varied_probabilities") and dtype.is_floating_point:
        slices = [shape[0]] + [1] * (len(shape) - 1)
        value = (torch.randn(shape, **options) * b + a) * (torch.rand(slices, **options) * 1.5 + 0.5)
        value += (torch.rand(slices, **options) * 2 - 1) * b
        return (torch.softmax(value, -1) if kind == "varied_probabilities" else value).to(dtype)
    raise CardError(f'tensor {tensor["name"]}: no rule here to draw {tensor["dtype"]} as {kind}')


def draw_all(card, seed, size="full"):
    generator = torch.Generator(device="cuda").manual_seed(seed)
    return [draw(tensor, card["sizes"][size], generator) for tensor in card["tensors"]]


def call_arguments(card, tensors, size="full"):
    """The arguments of `forward`, in order."""
    def value(entry):
        if isinstance(entry, str) and entry.startswith("="):
            return size_of(entry[1:], card["sizes"][size])
        if isinstance(entry, str) and entry.startswith("%"):
            return tensors[int(entry[1:])]
        if isinstance(entry, str) and entry.startswith("'"):
            return entry[1:]
        if isinstance(entry, list):
            return [value(item) for item in entry]
        if isinstance(entry, dict) and "dict" in entry:
            return {key: value(item) for key, item in entry["dict"].items()}
        if entry is None or isinstance(entry, (bool, int, float)):
            return entry
        raise CardError(f"no rule here for the argument {entry!r}")
    return [value(entry) for _, entry in card["call"]]


def written(entry, sizes):
    """An argument of the graph as Python text."""
    if isinstance(entry, list):
        return "[" + ", ".join(written(item, sizes) for item in entry) + "]"
    if isinstance(entry, str):
        mark, rest = entry[:1], entry[1:]
        if mark == "%":
            return f"t{int(rest)}"
        if mark == "@":
            return "n_" + rest
        if mark == "=":
            return str(size_of(rest, sizes))
        if mark == "#":
            return "torch." + rest
        if mark == "'":
            return repr(rest)
    if isinstance(entry, dict) and "float" in entry:
        return f'float("{entry["float"]}")'
    if entry is None or isinstance(entry, (bool, int)) or isinstance(entry, float) and math.isfinite(entry):
        return repr(entry)
    raise CardError(f"no rule here for the value {entry!r}")


LIMITS = {"aten.min.other": "max", "aten.max.other": "min"}
FACTORIES = {"aten.ones.default", "aten.zeros.default", "aten.full.default"}


def graph_text(card, size="full"):
    """The graph as the text of a function of the card's tensors, one line for each operator."""
    sizes = card["sizes"][size]
    lines = ["def reference(" + ", ".join(f"t{i}" for i in range(len(card["tensors"]))) + "):"]
    for name, operator, arguments, *keywords in card["graph"]:
        texts = [written(argument, sizes) for argument in arguments]
        if operator == "<built-in function getitem>":
            call = f"{texts[0]}[{texts[1]}]"
        elif operator in LIMITS and not isinstance(arguments[1], str):
            call = f"torch.clamp({texts[0]}, {LIMITS[operator]}={texts[1]})"  # PyTorch's own takes tensors alone
        elif re.fullmatch(r"aten\.\w+\.\w+", operator):
            # A card's view is of elements, whatever their strides here.
            operator = operator.replace("aten.view.default", "aten.reshape.default")
            texts += [f"{key}={written(value, sizes)}" for key, value in (keywords[0] if keywords else {}).items()]
            texts += ['device="cuda"'] if operator in FACTORIES else []
            call = f"torch.ops.{operator}({', '.join(texts)})"
        else:
            raise CardError(f"no rule here for the operator {operator}")
        lines.append(f"    n_{name} = {call}")
    lines.append(f"    return {written(card['output'], sizes)}")
    return "\n".join(lines) + "\n"


def graph_function(card, folder, size="full"):
    """The function, from a file in `folder`: torch.compile takes functions without a file for PyTorch's own and
    wraps them all in the same one, whose number of compilations is limited."""
    name = f"reference_{card['level']}_{card['task']}_{size}"
    path = pathlib.Path(folder) / (name + ".py")
    path.write_text("import torch\n\n\n" + graph_text(card, size), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.reference


def in_float64(tensors):
    return [tensor.double() if tensor.is_floating_point() else tensor for tensor in tensors]
