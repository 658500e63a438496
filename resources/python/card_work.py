# SPDX-License-Identifier: GPL-3.0-or-later
"""How much work a traced graph is: multiply-adds of its products, and elements of its other results."""
import math


def multiply_adds(op, args, shape_of, out):
    base = op.split(".")[1] if op.startswith("aten.") else op
    count = math.prod(out) if out else 0
    if base.startswith("conv_transpose"):
        weight = shape_of(args[1])
        return math.prod(shape_of(args[0])) * math.prod(weight[1:])
    if base.startswith("conv"):
        return count * math.prod(shape_of(args[1])[1:])
    if base in ("linear", "matmul", "mm", "bmm", "mv", "dot"):
        return count * (shape_of(args[0]) or [1])[-1]
    if base in ("addmm", "baddbmm", "addmv"):
        return count * shape_of(args[1])[-1]
    if base in ("lstm", "gru", "rnn_tanh", "rnn_relu"):
        source = shape_of(args[0])
        weights = [argument for argument in args if isinstance(argument, list)][-1]
        return math.prod(source[:-1]) * sum(math.prod(shape_of(weight)) for weight in weights)
    if base == "einsum":
        extents = {}
        for letters, operand in zip(args[0]["str"].split("->")[0].split(","), args[1]):
            extents.update(zip(letters.strip(), shape_of(operand)))
        return math.prod(extents.values())
    if base == "scaled_dot_product_attention":
        return 2 * math.prod(shape_of(args[0])) * shape_of(args[1])[-2]
    if "pool" in base and args[1:] and isinstance(args[1], list) and not base.startswith("adaptive"):
        return count * math.prod(args[1])
    return count


def work_of(nodes, tensors, constants):
    shapes = {f"input_{index}": list(tensor.shape) for index, tensor in enumerate(tensors)}
    shapes.update((f"constant_{index}", list(tensor.shape)) for index, tensor in enumerate(constants))

    def shape_of(argument):
        return shapes.get(argument.get("ref")) or [] if isinstance(argument, dict) else []

    total = 0
    for node in nodes:
        if "op" not in node:
            continue
        out = (node["out"] or {}).get("shape")
        shapes[node["name"]] = out
        total += multiply_adds(node["op"], node["args"], shape_of, out)
    return total
