# SPDX-License-Identifier: GPL-3.0-or-later
"""The symbols of a card and their values at each size.

Where the batch-2 export of a task differs from the full one, a size is a batch. Other free sizes are named here: rows,
columns, lengths, heights and widths. Sizes that are structure (channels, kernels, groups, classes) stay as published.
The small size ends in the emulator, with all checks, within seconds.
"""
import math

from card_graph import NoCard
from card_size_table import HAND, LITERALS, SHAPE_LITERALS, SMALL_BATCH, SPATIAL
from card_small import SMALL_ELEMENTS, SMALL_MULTIPLY_ADDS, like_full


def spatial_names(rank):
    return {3: ["L"], 4: ["H", "W"], 5: ["D", "H", "W"]}[rank]


class Sizes:
    def __init__(self, row, twin, nodes):
        self.row = row
        self.key = (row["level"], row["task"])
        self.dims = {}       # (tensor, dimension) to expression
        self.values = {}     # symbol to {"full": ..., "small": ..., "odd": ...}
        self.batch = None    # the full batch
        self.literals = LITERALS.get(self.key, {})
        self.shape_literals = SHAPE_LITERALS.get(self.key, {})
        hand = HAND.get(self.key)
        if hand:
            self.by_hand(hand)
        self.find_batch(twin)
        if not hand and self.key[0] < 3 or self.key in SPATIAL:
            self.find_spatial()
        if not hand:
            self.choose_small()

    def by_hand(self, hand):
        for symbol, numbers in hand["symbols"].items():
            self.values[symbol] = dict(zip(("full", "small", "odd"), numbers))
        for index, shape in hand["dims"].items():
            for dimension, symbol in enumerate(shape):
                if symbol:
                    self.set_dim(index, dimension, symbol)

    def set_dim(self, index, dimension, expression):
        full = eval(expression, {}, {symbol: v["full"] for symbol, v in self.values.items()})  # our own table's text
        if full != self.row["tensors"][index]["shape"][dimension]:
            raise NoCard(f"tensor {index} has not the size {expression} = {full} in dimension {dimension}")
        self.dims[index, dimension] = expression

    def find_batch(self, twin):
        """Dimensions that follow the batch: a multiple of it in both exports."""
        if "B" in self.values:
            self.batch = self.values["B"]["full"]
        other = (twin or {}).get("tensors")
        if not other or len(other) != len(self.row["tensors"]):
            return
        changed = []
        for index, (tensor, small) in enumerate(zip(self.row["tensors"], other)):
            changed += [(index, d, a, b) for d, (a, b) in enumerate(zip(tensor["shape"], small["shape"])) if a != b]
        for index, dimension, full, two in changed:
            if self.batch is None and two == 2:
                self.batch = full
                self.values["B"] = {"full": full}
            if self.batch is None or full * 2 != two * self.batch:
                raise NoCard(f"dimension {dimension} of tensor {index} does not follow the batch ({full} and {two})")
            if (index, dimension) not in self.dims:
                factor = full // self.batch
                self.dims[index, dimension] = "B" if factor == 1 else f"B*{factor}"

    def find_spatial(self):
        tensor = next((t for t in self.row["tensors"] if t["role"] == "input"), None)
        shape = tensor["shape"] if tensor else []
        if not 3 <= len(shape) <= 5:
            return
        index = self.row["tensors"].index(tensor)
        seen = {}
        for name, dimension in zip(spatial_names(len(shape)), range(2, len(shape))):
            size = shape[dimension]
            symbol = seen.setdefault(size, name)
            self.values.setdefault(symbol, {"full": size})
            self.dims[index, dimension] = symbol

    def choose_small(self):
        work = (self.row.get("flop_counter") or 0) / 2
        spatial = [symbol for symbol in self.values if symbol != "B"]
        full = {symbol: v["full"] for symbol, v in self.values.items()}
        elements = max((math.prod(t["shape"]) for t in self.row["tensors"] if t["role"] == "input"), default=1)
        batch = full.get("B", 1)
        per_sample = max(work / batch / SMALL_MULTIPLY_ADDS, elements / batch / SMALL_ELEMENTS, 1e-9)
        chosen = SMALL_BATCH.get(self.key) or like_full(min(batch, max(2, int(1 / per_sample)), 32), batch, 1.8)
        if "B" in self.values:
            self.values["B"]["small"] = chosen
        dimensions = sum(1 for expression in self.dims.values() if expression in spatial)
        excess = per_sample * chosen
        factor = min(1.0, excess ** (-1.0 / dimensions)) if dimensions and excess > 1 else 1.0
        for symbol in spatial:
            size = full[symbol]
            given = SPATIAL.get(self.key, {}).get(symbol)
            self.values[symbol]["small"] = given or (size if factor == 1.0 else like_full(max(4, round(size * factor)), size))

    def expression(self, value):
        return int(value) if isinstance(value, int) else value

    def shape(self, index):
        shape = self.row["tensors"][index]["shape"]
        return [self.dims.get((index, d), size) for d, size in enumerate(shape)]

    def literal(self, value, twin, in_shape=False):
        """A number in the graph: as it is, or "=expression" where it is a size."""
        if in_shape and value in self.shape_literals:
            return "=" + self.shape_literals[value]
        if value in self.literals:
            return "=" + self.literals[value]
        if twin == value or twin is None:
            return value
        if self.batch and value * 2 == twin * self.batch:
            factor = value // self.batch
            return "=B" if factor == 1 else f"=B*{factor}"
        raise NoCard(f"the number {value} in the graph turns to {twin} at batch 2, which no symbol explains")

    def table(self):
        names = [name for name in ("full", "small", "odd") if all(name in v for v in self.values.values())]
        if not self.values:
            names = ["full", "small"]
        return {name: {symbol: v[name] for symbol, v in self.values.items()} for name in names}
