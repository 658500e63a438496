# SPDX-License-Identifier: GPL-3.0-or-later
"""An exported graph in the cards' form: no in-place operators, no nodes without effect, sizes by symbol."""


class NoCard(Exception):
    """Why a task gets no card."""


# They hand their first argument on.
PASSES = {"aten.detach.default", "aten.detach_.default", "aten.alias.default", "aten.lift_fresh_copy.default",
          "aten.clone.default", "aten.contiguous.default"}
IGNORED_KEYWORDS = {"device", "layout", "pin_memory", "non_blocking", "memory_format", "requires_grad"}
RESHAPES = {"aten.view.default", "aten.reshape.default", "aten.expand.default"}
VIEWS = {"aten.slice.Tensor", "aten.select.int", "aten.view.default", "aten.transpose.int", "aten.permute.default",
         "aten.expand.default", "aten.unsqueeze.default", "aten.squeeze.dim"}


class Graph:
    def __init__(self):
        self.nodes = []
        self.output = None
        self.unreturned_flops = 0


def references(argument):
    if isinstance(argument, dict) and "ref" in argument:
        yield argument["ref"]
    elif isinstance(argument, list):
        for item in argument:
            yield from references(item)


class Converter:
    def __init__(self, names, constants, sizes):
        self.names = names          # of placeholders, to the index of a tensor
        self.constants = constants  # lifted numbers, by name
        self.sizes = sizes
        self.current = {}           # what a name means now: "@node" or "%tensor"
        self.origin = {}            # of views that may be written through: (base name, op, arguments)
        self.out_types = {}
        self.nodes = []

    def resolve(self, name):
        if name in self.current:
            return self.current[name]
        if name in self.names:
            return "%" + str(self.names[name])
        if name in self.constants:
            return self.constants[name]
        raise NoCard(f"the graph refers to {name}, which is nothing known")

    def argument(self, value, twin, in_shape=False):
        if isinstance(value, dict):
            if "ref" in value:
                return self.resolve(value["ref"])
            if "str" in value:
                text = value["str"]
                return "#" + text[6:] if text.startswith("torch.") else "'" + text
            if "float" in value:
                return value
            if "size" in value:
                return "=" + value["size"]
            raise NoCard(f"the graph has an argument of an unknown kind: {value}")
        if isinstance(value, list):
            twins = twin if isinstance(twin, list) and len(twin) == len(value) else [None] * len(value)
            return [self.argument(item, other, in_shape) for item, other in zip(value, twins)]
        if isinstance(value, str):
            return "'" + value
        if isinstance(value, bool) or value is None or isinstance(value, float):
            return value
        return self.sizes.literal(value, twin if isinstance(twin, int) else value, in_shape)

    def emit(self, name, op, arguments, keywords):
        node = [name, op, arguments]
        if keywords:
            node.append(keywords)
        self.nodes.append(node)
        self.current[name] = "@" + name

    def write_through(self, name, value):
        """The tensor called `name` now has this value; so have the tensors it is a view of."""
        self.current[name] = value
        while name in self.origin:
            base, op, arguments = self.origin[name]
            if op != "aten.slice.Tensor":
                raise NoCard(f"an in-place operator writes through {op}")
            scattered = f"{base}_after_{len(self.nodes)}"
            self.emit(scattered, "aten.slice_scatter.default", [self.resolve(base), value] + arguments, {})
            value = self.current[base] = "@" + scattered
            name = base
        # Other views of the base are stale from here on; those of whole tensors never occur.

    def node(self, node, twin):
        op, name, raw = node["op"], node["name"], node["args"]
        if op == "aten._assert_tensor_metadata.default":
            return
        same_type = op.startswith("aten.to.") and self.keeps_type(node)
        if op in PASSES or same_type:
            self.current[name] = self.resolve(raw[0]["ref"])
            if op in ("aten.alias.default",) or same_type or op == "aten.detach.default":
                self.origin.update({name: self.origin[raw[0]["ref"]]} if raw[0]["ref"] in self.origin else {})
            return
        twins = twin["args"] if twin and len(twin["args"]) == len(raw) else [None] * len(raw)
        arguments = [self.argument(value, other, op in RESHAPES) for value, other in zip(raw, twins)]
        keywords = {key: self.argument(value, None) for key, value in (node.get("kwargs") or {}).items()
                    if key not in IGNORED_KEYWORDS}
        base, overload = op.rsplit(".", 1) if op.startswith("aten.") else (op, "")
        if base.endswith("_") and op.startswith("aten."):
            target = raw[0]["ref"]
            if base == "aten.copy_":
                self.current[name] = arguments[1]
            else:
                self.emit(name, f"{base[:-1]}.{overload}", arguments, keywords)
            self.write_through(target, self.current[name])
            return
        if op in VIEWS and isinstance(raw[0], dict):
            self.origin[name] = (raw[0]["ref"], op, arguments[1:])
        self.emit(name, op, arguments, keywords)

    def keeps_type(self, node):
        wanted = node["kwargs"].get("dtype", {}).get("str", "")
        return wanted in ("torch.float32", "") and (node.get("out") or {}).get("dtype") == "float32"


def pruned(nodes, output):
    """Without the nodes that the output does not need."""
    def names(argument):
        if isinstance(argument, str) and argument.startswith("@"):
            yield argument[1:]
        elif isinstance(argument, list):
            for item in argument:
                yield from names(item)
        elif isinstance(argument, dict):
            for item in argument.values():
                yield from names(item)

    needed, kept = set(names(output)), []
    for node in reversed(nodes):
        if node[0] in needed:
            kept.append(node)
            needed.update(names(node[2]))
            needed.update(names(node[3]) if len(node) > 3 else ())
    return kept[::-1]


PRODUCTS = ("aten.conv", "aten.linear", "aten.matmul", "aten.mm", "aten.bmm", "aten.addmm", "aten.einsum", "aten.scaled_dot")


def dropped_flops(nodes, kept, row, exported):
    """FLOPs of products whose result the task does not return; PyTorch's counter counts them."""
    names = {node[0] for node in kept}
    outs = {node["name"]: node.get("out") for node in exported if "name" in node}
    flops = 0
    for name, op, arguments, *_ in nodes:
        if name in names or not op.startswith(PRODUCTS):
            continue
        if op != "aten.linear.default" or not str(arguments[1]).startswith("%"):
            raise NoCard(f"the result of {op} is not used")
        rows = 1
        for size in outs[name]["shape"]:
            rows *= size
        flops += 2 * rows * row["tensors"][int(arguments[1][1:])]["shape"][-1]
    return flops


def convert(nodes, names, constants, other, sizes):
    converter = Converter(names, constants, sizes)
    twins = other if other and len(other) == len(nodes) else [None] * len(nodes)
    graph = Graph()
    for node, twin in zip(nodes, twins):
        if "output" in node:
            values = node["output"][0]
            if isinstance(values, dict):
                values = [values]
            results = [converter.argument(value, None) for value in values]
            graph.output = results[0] if len(results) == 1 else results
            continue
        if twin and twin.get("op") != node["op"]:
            twin = None
        converter.node(node, twin)
    graph.nodes = pruned(converter.nodes, graph.output)
    graph.unreturned_flops = dropped_flops(converter.nodes, graph.nodes, sizes.row, nodes)
    return graph
