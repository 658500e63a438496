# SPDX-License-Identifier: GPL-3.0-or-later
"""Which extents of a card's tensors are free, and what the others are in terms of them.

Every extent begins as an unknown and the graph's operators say which are the same, which follow from others and which
are fixed. An extent is atom * mul + add, where the atom is a name, the text of an expression, or empty for a number.
Divisions round down, as in the cards (core/task/SizeExpression.h).
"""
import math
import re

UNKNOWN = re.compile(r"\bv\d+_\d+\b")


class Unclear(Exception):
    """The operators do not tell: no extents beyond the named ones are free."""


class Extent:
    def __init__(self, atom, mul=1, add=0):
        self.atom, self.mul, self.add = (atom, mul, add) if mul else ("", 0, add)

    def number(self):
        return None if self.atom else self.add

    def bare(self):
        return self.atom if self.mul == 1 and not self.add else None

    def times(self, mul, add=0):
        return Extent(self.atom, self.mul * mul, self.add * mul + add)

    def text(self):
        if not self.atom:
            return str(self.add)
        text = self.atom + (f"*{self.mul}" if self.mul != 1 else "")
        return text + (f"{self.add:+d}" if self.add else "")

    def factor(self):
        text = self.text()
        return text if re.fullmatch(r"\w+", text) else f"({text})"

    def divided(self, by):
        if not self.atom:
            return Extent("", 0, self.add // by)
        if self.mul % by == 0:
            return Extent(self.atom, self.mul // by, self.add // by)
        return Extent(f"{self.factor()}/{by}")

    def plus(self, other):
        if not other.atom or not self.atom or self.atom == other.atom:
            return Extent(self.atom or other.atom, self.mul + other.mul, self.add + other.add)
        texts = [re.sub(r"^\(([\w+]+)\)$", r"\1", extent.text()) for extent in (self, other)]
        return Extent(f"({'+'.join(texts)})")

    def multiplied(self, other):
        if not other.atom:
            return self.times(other.add)
        if not self.atom:
            return other.times(self.add)
        return Extent(f"{self.factor()}*{other.factor()}")


def number(value):
    return Extent("", 0, value)


def evaluated(text, values):
    return eval(str(text).replace("/", "//"), {"__builtins__": {}}, values)  # our own text


class Extents:
    """What is known of the unknowns."""

    def __init__(self, tensors, named):
        self.bound = {}     # unknown to Extent
        self.full = dict(named)
        self.equal = []     # pairs of texts that have to agree at every size
        self.fixed = {}     # unknown to the reason why it stays as published
        self.products = []  # multiply-adds, as texts
        self.seen = []      # shapes of results
        self.factors = []   # (product, what was multiplied): a later view may take it apart again
        self.shapes = []
        for index, tensor in enumerate(tensors):
            self.shapes.append([self.given(index, d, size) for d, size in enumerate(tensor["shape"])])

    def given(self, index, dimension, size):
        if isinstance(size, str):
            match = re.fullmatch(r"(\w+)\*(\d+)", size)
            return Extent(match[1], int(match[2])) if match else Extent(size if size.isidentifier() else f"({size})")
        if size == 1:
            return number(1)
        name = f"v{index}_{dimension}"
        self.full[name] = size
        return Extent(name)

    def now(self, extent):
        """With everything put in that has become known."""
        while True:
            found = UNKNOWN.search(extent.atom)
            known = [name for name in UNKNOWN.findall(extent.atom) if name in self.bound]
            if not found or not known:
                return extent
            value = self.bound[known[0]]
            if extent.atom == known[0]:
                extent = value.times(extent.mul, extent.add)
            else:
                text = re.sub(rf"\b{known[0]}\b", value.factor(), extent.atom)
                extent = Extent(text, extent.mul, extent.add)
            if extent.atom and not re.search(r"[A-Za-z]", extent.atom):
                extent = number(evaluated(extent.text(), {}))

    def value(self, extent, values=None):
        extent = self.now(extent)
        return evaluated(extent.text(), values or self.full)

    def fix(self, extent, reason):
        """As published."""
        for name in UNKNOWN.findall(self.now(extent).atom):
            self.bound[name] = number(self.full[name])
            self.fixed[name] = reason

    def rank(self, name):
        return int(name[1:name.index("_")]) if name and UNKNOWN.fullmatch(name) else -1

    def same(self, a, b):
        a, b = self.now(a), self.now(b)
        if a.text() == b.text():
            return a
        if self.value(a) != self.value(b):
            raise Unclear(f"{a.text()} is not {b.text()}")
        order = sorted((a, b), key=lambda e: self.rank(e.bare()), reverse=True)  # inputs come first and give the name
        for one, other in (order, order[::-1]):
            if one.bare() and UNKNOWN.fullmatch(one.bare()) and not re.search(rf"\b{one.bare()}\b", other.atom):
                self.bound[one.bare()] = other
                return other
        if a.number() is not None or b.number() is not None:
            constant = a if a.number() is not None else b
            self.fix(b if constant is a else a, f"the graph has {constant.number()} there")
        self.equal.append((a, b))
        return a

    def product(self, extents):
        result = number(1)
        for extent in extents:
            result = result.multiplied(self.now(extent))
        if sum(self.now(extent).number() != 1 for extent in extents) > 1:
            self.factors.append((result, list(extents)))
        return result

    def apart(self, extent):
        text = self.now(extent).text()
        for product, extents in self.factors:
            if self.now(product).text() == text and all(self.now(e).text() != text for e in extents):
                return [part for e in extents for part in self.apart(e)]
        return [extent]


def prime(value):
    return value > 1 and all(value % k for k in range(2, math.isqrt(value) + 1))
