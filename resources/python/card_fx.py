# SPDX-License-Identifier: GPL-3.0-or-later
"""A function of tensors as the smaller ATen operators that PyTorch takes larger ones apart into: for the operators that
card_trace.py finds and the program's evaluator does not know."""
import torch

from card_row import ExportError
from card_trace import LARGEST_CONSTANT, literal


class Smaller:
    def __init__(self, function, tensors, unknown):
        from torch._decomp import get_decompositions
        from torch.fx.experimental.proxy_tensor import make_fx
        wanted = [getattr(torch.ops.aten, op.split(".")[1].rstrip("_"), None) for op in unknown]
        table = get_decompositions([op for op in wanted if op is not None])
        with torch.no_grad():
            module = make_fx(lambda *given: function(list(given)), decomposition_table=table)(*tensors)
        self.constants, self.nodes, self.refs = [], [], {}
        inputs = 0
        for node in module.graph.nodes:
            if node.op == "placeholder":
                self.refs[node.name] = {"ref": f"input_{inputs}"}
                inputs += 1
            elif node.op == "get_attr":
                self.refs[node.name] = self.constant(getattr(module, node.target))
            elif node.op == "output":
                values = node.args[0]
                self.nodes.append({"output": [[self.argument(v) for v in (
                    values if isinstance(values, (list, tuple)) else [values])]]})
            else:
                self.call(node)

    def constant(self, value):
        if value.numel() > LARGEST_CONSTANT:
            raise ExportError("constant_tensor", f"The row's code holds a tensor of {value.numel()} numbers.")
        self.constants.append(value.detach())
        return {"ref": f"constant_{len(self.constants) - 1}"}

    def argument(self, value):
        if isinstance(value, torch.fx.Node):
            return self.refs[value.name]
        if isinstance(value, (list, tuple)):
            return [self.argument(item) for item in value]
        if isinstance(value, (torch.dtype, torch.device, torch.layout, torch.memory_format)):
            return {"str": str(value)}
        return literal(value)

    def call(self, node):
        target = node.target
        op = str(target) if isinstance(target, torch._ops.OpOverload) else f"<built-in function {target.__name__}>"
        meta = node.meta.get("val", node.meta.get("tensor_meta"))
        out = None
        if hasattr(meta, "shape") and hasattr(meta, "dtype"):
            out = {"shape": list(meta.shape), "dtype": str(meta.dtype)[6:]}
        self.nodes.append({"name": node.name, "op": op, "args": [self.argument(item) for item in node.args],
                           "kwargs": {key: self.argument(item) for key, item in node.kwargs.items()}, "out": out})
        self.refs[node.name] = {"ref": node.name}
