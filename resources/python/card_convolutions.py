# SPDX-License-Identifier: GPL-3.0-or-later
"""Convolutions that the tracer records. PyTorch's own record a part of theirs, which on tensors without elements is
never reached: the trace would hold an empty tensor in place of the convolution. So rows are given these, operators of a
library of ours while something is traced and PyTorch's own otherwise.
"""
import torch

OPERATORS = {}  # of our library, to the card's name
LIBRARY = torch.library.Library("kernelarium", "DEF")


def tuple_of(value, count):
    return [int(item) for item in value] * (count if len(value) == 1 else 1) if isinstance(value, (list, tuple)) \
        else [int(value)] * count


def replaced(name, count, parameters, card_name):
    """torch.NAME, recorded. `parameters` are the arguments after the bias with their defaults."""
    original = getattr(torch, name)
    schema = ", ".join("int groups" if key == "groups" else f"int[] {key}" for key in parameters)
    LIBRARY.define(f"{name}(Tensor input, Tensor weight, Tensor? bias, {schema}) -> Tensor")
    for key in ("CPU", "Meta"):
        LIBRARY.impl(name, lambda source, weight, bias, *rest: original(source, weight, bias, *rest), key)
    OPERATORS[f"kernelarium.{name}.default"] = card_name
    recorded = getattr(torch.ops.kernelarium, name)

    def convolution(input, weight, bias=None, *rest, **named):
        values = dict(parameters)
        values.update(zip(parameters, rest))
        values.update(named)
        if torch._C._get_tracing_state() is None or any(isinstance(value, str) for value in values.values()):
            return original(input, weight, bias, **values)
        given = [int(value) if key == "groups" else tuple_of(value, count) for key, value in values.items()]
        return recorded(input, weight, bias, *given)

    setattr(torch, name, convolution)
    setattr(torch.nn.functional, name, convolution)


for n in (1, 2, 3):
    replaced(f"conv{n}d", n, {"stride": 1, "padding": 0, "dilation": 1, "groups": 1}, f"aten.conv{n}d.default")
    replaced(f"conv_transpose{n}d", n, {"stride": 1, "padding": 0, "output_padding": 0, "groups": 1, "dilation": 1},
             f"aten.conv_transpose{n}d." + ("default" if n == 1 else "input"))
