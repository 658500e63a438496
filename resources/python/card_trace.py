# SPDX-License-Identifier: GPL-3.0-or-later
"""A function of tensors as a list of ATen operators, each as PyTorch's own code calls it (one conv2d, not its parts).

TorchScript's tracer sees the operators above autograd, in every PyTorch from 1.13 on, and works on tensors without
elements (device "meta"), so that nothing is computed. Nodes: {"name", "op", "args", "kwargs", "out"}, the last
{"output": [...]}; arguments as card_graph.py reads them.
"""
import contextlib
import re
import warnings

import torch

from card_convolutions import OPERATORS
from card_row import ExportError

TYPES = {0: "uint8", 1: "int8", 2: "int16", 3: "int32", 4: "int64", 5: "float16", 6: "float32", 7: "float64", 11: "bool",
         15: "bfloat16"}
RANDOM = re.compile(r"aten\.(rand\w*|bernoulli|normal|multinomial|poisson|uniform|rrelu|exponential)_?\.")
LARGEST_CONSTANT = 4096


@contextlib.contextmanager
def plain_sizes():
    """While this lasts, sizes are numbers and not traced: the same row traced at other sizes shows which are which."""
    state = torch._C._get_tracing_state, torch._C._set_tracing_state
    base = torch._C._TensorBase if hasattr(torch._C, "_TensorBase") else torch._C.TensorBase

    def untraced(function):
        def call(*arguments, **named):
            tracing = state[0]()
            state[1](None)
            try:
                return function(*arguments, **named)
            finally:
                state[1](tracing)
        return call

    before = {name: torch.Tensor.__dict__.get(name) for name in ("size", "numel", "nelement", "__len__", "shape")}
    for name in ("size", "numel", "nelement", "__len__"):
        setattr(torch.Tensor, name, untraced(before[name] or getattr(base, name)))
    torch.Tensor.shape = property(untraced(lambda tensor: base.shape.__get__(tensor)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                delattr(torch.Tensor, name)
            else:
                setattr(torch.Tensor, name, value)


def data_dependent(text):
    return ExportError("data_dependent", "What the row computes depends on the values of its tensors: " + text,
                       "A card holds a fixed sequence of operators. Use another kernel as the reference.")


def trace(function, tensors):
    """The graph of function(tensors). The tensors need no elements."""
    with warnings.catch_warnings(record=True) as caught, plain_sizes(), torch.no_grad():
        warnings.simplefilter("always")
        traced = torch.jit.trace(lambda *given: function(list(given)), tuple(tensors), check_trace=False, strict=False)
    for warning in caught:
        text = str(warning.message)
        if issubclass(warning.category, torch.jit.TracerWarning) and "Converting a tensor to" in text:
            raise data_dependent(text.split(". ")[0] + ".")
    return Reader(traced.graph)


class Reader:
    def __init__(self, graph):
        self.values = {}     # of a name in the graph: an argument
        self.constants = []  # small tensors that the code holds, as torch.Tensor
        self.nodes = []
        for index, value in enumerate(graph.inputs()):
            self.values[value.debugName()] = {"ref": f"input_{index}"}
        for node in graph.nodes():
            self.read(node)
        results = [self.values[value.debugName()] for value in graph.outputs()]
        flat = results[0] if len(results) == 1 and isinstance(results[0], list) else results
        self.nodes.append({"output": [flat]})

    def arguments(self, node):
        return [self.values[value.debugName()] for value in node.inputs()]

    def give(self, node, value):
        self.values[node.output().debugName()] = value

    def read(self, node):
        kind = node.kind()
        if kind == "prim::Constant":
            self.give(node, self.constant(node))
        elif kind in ("prim::ListConstruct", "prim::TupleConstruct"):
            self.give(node, self.arguments(node))
        elif kind in ("prim::NumToTensor", "aten::Int", "aten::ScalarImplicit", "aten::IntImplicit", "aten::FloatImplicit"):
            value = self.arguments(node)[0]
            if isinstance(value, dict):
                raise data_dependent("a tensor becomes a number.")
            self.give(node, value)
        elif kind in ("prim::ListUnpack", "prim::TupleUnpack"):
            self.unpack(node)
        elif kind.startswith(("aten::", "kernelarium::")):
            self.operator(node)
        else:
            raise ExportError("unknown_operator", f"The row's graph holds {kind}, which a card cannot.")

    def constant(self, node):
        value = node.output().toIValue()
        if not isinstance(value, torch.Tensor):
            return literal(value)
        if value.numel() > LARGEST_CONSTANT or value.is_complex():
            raise ExportError("constant_tensor", f"The row's code holds a tensor of {value.numel()} numbers that is neither "
                              "an input nor a parameter.", "Use another kernel as the reference.")
        self.constants.append(value.detach())
        return {"ref": f"constant_{len(self.constants) - 1}"}

    def unpack(self, node):
        whole = self.arguments(node)[0]
        for index, output in enumerate(node.outputs()):
            if isinstance(whole, list):
                self.values[output.debugName()] = whole[index]
                continue
            self.item(output, whole["ref"], index)

    def item(self, output, whole, index):
        name = f"{whole}_{index}"
        self.nodes.append({"name": name, "op": "<built-in function getitem>", "args": [{"ref": whole}, index], "kwargs": {},
                           "out": described(output)})
        self.values[output.debugName()] = {"ref": name}

    def operator(self, node):
        text = node.schema()
        if text == "(no schema)":
            raise ExportError("unknown_operator", f"PyTorch does not describe {node.kind()}.")
        schema = torch._C.parse_schema(text)
        overload = schema.overload_name or "default"
        op = f"{schema.name.replace('::', '.')}.{overload}"
        if op == "aten.size.int" or op == "aten.size.default":
            raise data_dependent("the size of a tensor is used where its number is not known.")
        first_keyword = keyword_start(text)
        args, kwargs = [], {}
        for index, (described_by, value) in enumerate(zip(schema.arguments, self.arguments(node))):
            if "ScalarType" in str(described_by.type) or described_by.name == "dtype" and type(value) is int:
                value = dtype(value)
            if index < first_keyword:
                args.append(value)
            elif value is not None and not is_default(described_by, value):
                kwargs[described_by.name] = value
        outputs = list(node.outputs())
        name = f"{schema.name.split('::')[1].strip('_')}_{len(self.nodes)}"
        check_random(op, args)
        op = OPERATORS.get(op, op)
        out = described(outputs[0]) if len(outputs) == 1 else None
        self.nodes.append({"name": name, "op": op, "args": args, "kwargs": kwargs, "out": out})
        if len(outputs) == 1:
            self.values[outputs[0].debugName()] = {"ref": name}
            return
        for index, output in enumerate(outputs):
            self.item(output, name, index)


def check_random(op, args):
    trained = op.split(".")[1].rstrip("_") in ("dropout", "feature_dropout", "alpha_dropout") and args[1] and args[2]
    if trained or RANDOM.match(op):
        raise ExportError("random_result", f"The row draws random numbers ({op}): no two results are the same.",
                          "There is nothing to hold a kernel against.")


def keyword_start(text):
    """How many arguments of a schema stand before its "*"."""
    depth, count, inside, empty = 0, 0, text[text.index("(") + 1:], True
    for character in inside:
        if character in "([":
            depth += 1
        elif character in ")]":
            if depth == 0:
                return count + (not empty)
            depth -= 1
        elif character == "," and depth == 0:
            count, empty = count + 1, True
        elif character == "*" and depth == 0 and empty:
            return count
        elif character != " ":
            empty = False
    return count


def is_default(argument, value):
    try:
        return argument.has_default_value() and literal(argument.default_value) == value
    except (RuntimeError, ExportError):
        return False


def literal(value):
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return {"float": "nan" if value != value else "inf" if value > 0 else "-inf"}
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (str, torch.device)):
        return {"str": str(value)}
    if isinstance(value, (list, tuple)):
        return [literal(item) for item in value]
    raise ExportError("constant_argument", f"The row's graph holds a {type(value).__name__}, which a card cannot.")


def dtype(number):
    if number is None or isinstance(number, dict):
        return number
    if number not in TYPES:
        raise ExportError("unknown_type", f"The row uses PyTorch's element type number {number}, which a card cannot.")
    return {"str": "torch." + TYPES[number]}


def described(value):
    kind = value.type()
    if kind.kind() != "TensorType" or kind.sizes() is None:
        return None
    return {"shape": list(kind.sizes()), "dtype": str(kind.dtype())[6:]}
