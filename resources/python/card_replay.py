# SPDX-License-Identifier: GPL-3.0-or-later
"""A traced graph, executed operator by operator: does it say what the row computes?"""
import torch

from card_row import ExportError, leaves


def value_of(argument, values):
    if isinstance(argument, dict):
        if "ref" in argument:
            return values[argument["ref"]]
        if "float" in argument:
            return float(argument["float"])
        text = argument["str"]
        return getattr(torch, text[6:]) if text.startswith("torch.") else "cpu" if text == "meta" else text
    if isinstance(argument, list):
        return [value_of(item, values) for item in argument]
    return argument


def replay(nodes, tensors, constants):
    values = {f"input_{index}": tensor.clone() for index, tensor in enumerate(tensors)}
    values.update((f"constant_{index}", tensor.clone()) for index, tensor in enumerate(constants))
    for node in nodes:
        if "output" in node:
            return value_of(node["output"][0], values)
        arguments = value_of(node["args"], values)
        if not node["op"].startswith("aten."):
            values[node["name"]] = arguments[0][arguments[1]]
            continue
        _, base, overload = node["op"].split(".")
        operator = getattr(getattr(torch.ops.aten, base), overload)
        named = {key: value_of(value, values) for key, value in node["kwargs"].items() if key not in ("layout", "memory_format")}
        values[node["name"]] = operator(*arguments, **named)


def check(nodes, row, constants):
    """Raises where the graph and the row's own code do not agree on the row's tensors."""
    with torch.no_grad():
        copies = [tensor.clone() for tensor in row.tensors]
        found = list(leaves(replay(nodes, row.tensors, constants)))
        expected = list(leaves(row.run(copies)))
    right = len(found) == len(expected)
    for mine, theirs in zip(found, expected):
        right = right and mine.shape == theirs.shape and torch.allclose(
            mine.double(), theirs.double(), rtol=1e-3, atol=1e-5 + 1e-3 * float(theirs.double().abs().mean()), equal_nan=True)
    if not right:
        raise ExportError("not_reproduced", "The operators found in the row's code do not give the result of the code.",
                          "Use another kernel as the reference.")
