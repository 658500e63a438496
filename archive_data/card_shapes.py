# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of the operators' results, in extents that may be unknown (card_extents.py)."""
import re

from card_extents import Extent, Unclear, number
from card_products import Products
from card_windows import Windows

SAME = set("""relu gelu sigmoid tanh leaky_relu hardtanh softmax log_softmax clamp clamp_min mish hardswish hardsigmoid selu elu
    softplus abs sqrt exp log relu6 dropout cumsum cumprod flip triu tril zeros_like pow rsub neg silu bitwise_not
    masked_fill roll""".split())
BROADCAST = {"add", "sub", "mul", "div", "multiply", "min.other", "max.other"}
REDUCE = {"mean.dim", "sum.dim_IntList", "logsumexp.default", "linalg_vector_norm.default", "var.dim", "prod.dim_int",
          "argmax.default", "argmin.default", "amax.default", "amin.default"}
SCALARS = {"mean.default", "sum.default", "mse_loss.default", "cross_entropy_loss.default", "smooth_l1_loss.default",
           "kl_div.default", "triplet_margin_loss.default"}


class Shapes(Products, Windows):
    """Walks the graph; `nodes` get a text for a number where the number follows from extents."""

    def __init__(self, extents, nodes):
        self.x = extents
        self.results = {}
        for node in nodes:
            name, op, arguments = node[:3]
            self.keywords = node[3] if len(node) > 3 else {}
            self.results[name] = self.result(op, arguments)
            self.x.seen += [s for s in self.flat(self.results[name])]

    def flat(self, result):
        if isinstance(result, tuple):
            for item in result:
                yield from self.flat(item)
        elif result is not None:
            yield result

    def of(self, argument):
        if isinstance(argument, str) and argument.startswith("@"):
            return self.results[argument[1:]]
        if isinstance(argument, str) and argument.startswith("%"):
            return self.x.shapes[int(argument[1:])]
        if isinstance(argument, list):
            return tuple(self.of(item) for item in argument)
        return None

    def size(self, argument):
        if isinstance(argument, int):
            return number(argument)
        if isinstance(argument, str) and argument.startswith("="):
            text = argument[1:]
            match = re.fullmatch(r"(\w+)\*(\d+)", text)
            return Extent(match[1], int(match[2])) if match else Extent(text if text.isidentifier() else f"({text})")
        raise Unclear(f"{argument} is no size")

    def result(self, op, a):
        if op == "<built-in function getitem>":
            return self.of(a[0])[a[1]]
        base = op.removeprefix("aten.").rsplit(".", 1)[0]
        short = op.removeprefix("aten.")
        if base in SAME:
            return list(self.of(a[0]))
        if base in BROADCAST or short in BROADCAST:
            return self.broadcast(self.of(a[0]), self.of(a[1]))
        if short in REDUCE:
            at = 2 if base == "linalg_vector_norm" else 1
            dims = a[at] if len(a) > at else None
            shape = self.of(a[0])
            keep = a[at + 1] if len(a) > at + 1 else self.keywords.get("keepdim", False)
            if base == "var":
                keep = self.keywords.get("keepdim", a[3] if len(a) > 3 else False)
            return self.reduced(shape, dims, keep is True)
        if short in SCALARS:
            return []
        rule = getattr(self, base, None)
        if not rule:
            raise Unclear(f"no rule for {op}")
        return rule(a)

    def broadcast(self, a, b):
        if a is None or b is None:
            return list(a if b is None else b)
        result = []
        for k in range(1, max(len(a), len(b)) + 1):
            p, q = (s[-k] if k <= len(s) else number(1) for s in (a, b))
            one = self.x.now(p).number() == 1
            result.append(q if one else p if self.x.now(q).number() == 1 else self.x.same(p, q))
        return result[::-1]

    def reduced(self, shape, dims, keep):
        dims = range(len(shape)) if dims is None or dims == [] else [dims] if isinstance(dims, int) else dims
        gone = {d % len(shape) for d in dims}
        return [number(1) if d in gone else s for d, s in enumerate(shape) if keep or d not in gone]

    def max(self, a):
        shape = self.reduced(self.of(a[0]), a[1], len(a) > 2 and a[2] is True)
        return shape, shape

    min = max

    def cosine_similarity(self, a):
        return self.reduced(self.of(a[0]), a[2] if len(a) > 2 else 1, False)

    def broadcast_tensors(self, a):
        shape = self.broadcast(self.of(a[0][0]), self.of(a[0][1]))
        return tuple(list(shape) for _ in a[0])

    def expand_as(self, a):
        return self.broadcast(self.of(a[0]), self.of(a[1]))

    # Norms.
    def batch_norm(self, a):
        x = self.of(a[0])
        for argument in a[1:5]:
            if self.of(argument) is not None:
                self.x.same(self.of(argument)[0], x[1])
        return list(x)

    instance_norm = batch_norm

    def group_norm(self, a):
        x = self.of(a[0])
        if a[1] != 1:
            self.x.fix(x[1], f"{a[1]} groups divide the channels")
        for argument in a[2:4]:
            if self.of(argument) is not None:
                self.x.same(self.of(argument)[0], x[1])
        return list(x)

    def layer_norm(self, a):
        x = self.of(a[0])
        tail = x[-len(a[1]):]
        for argument in a[2:4]:
            if len(a) > 2 and self.of(argument) is not None:
                for p, q in zip(self.of(argument), tail):
                    self.x.same(p, q)
        a[1][:] = ["=" + self.x.now(s).text() for s in tail]
        return list(x)

    # Views.
    def squeeze(self, a):
        x = self.of(a[0])
        d = a[1] % len(x)
        return x[:d] + x[d + 1:] if self.x.now(x[d]).number() == 1 else list(x)

    def unsqueeze(self, a):
        x = list(self.of(a[0]))
        x.insert(a[1] % (len(x) + 1), number(1))
        return x

    def transpose(self, a):
        x = list(self.of(a[0]))
        x[a[1]], x[a[2]] = x[a[2]], x[a[1]]
        return x

    def permute(self, a):
        x = self.of(a[0])
        return [x[d] for d in a[1]]

    def expand(self, a):
        x = [number(1)] * (len(a[1]) - len(self.of(a[0]))) + list(self.of(a[0]))
        return [e if size == -1 else self.broadcast([e], [self.size(size)])[0] for e, size in zip(x, a[1])]

    def cat(self, a):
        shapes = self.of(a[0])
        d = (a[1] if len(a) > 1 else 0) % len(shapes[0])
        result = list(shapes[0])
        for shape in shapes[1:]:
            result = [self.x.now(p).plus(self.x.now(q)) if k == d else self.x.same(p, q)
                      for k, (p, q) in enumerate(zip(result, shape))]
        return result

    def select(self, a):
        x = list(self.of(a[0]))
        del x[a[1]]
        return x

    def slice(self, a):
        x = list(self.of(a[0]))
        d, start, end = (a + [0, None, None][len(a) - 1:])[1:4] if len(a) > 1 else (0, None, None)
        if len(a) > 4 and a[4] != 1:
            raise Unclear("a slice with steps")
        start = start or 0
        whole = self.x.now(x[d])
        if not isinstance(start, int) or start < 0:
            raise Unclear("a slice from its end")
        if end is None or isinstance(end, int) and end >= 1 << 40:
            x[d] = whole.times(1, -start)
        elif isinstance(end, int) and end < 0:
            x[d] = whole.times(1, end - start)
        else:
            self.x.fix(whole, "the graph takes slices of it")
            x[d] = number(min(end, self.x.value(whole)) - start) if isinstance(end, int) else self.size(end).times(1, -start)
        return x

    def slice_scatter(self, a):
        return list(self.of(a[0]))

    def flatten(self, a):
        x = self.of(a[0])
        start, end = (a + [0, -1][len(a) - 1:])[1:3]
        start, end = start % len(x), end % len(x)
        return [*x[:start], self.x.product(x[start:end + 1]), *x[end + 1:]]

    def view(self, a):
        """Blocks of extents whose products agree at the full size: many to one is a product, all else stays."""
        x = list(self.of(a[0]))
        whole = 1
        for extent in x:
            whole *= self.x.value(extent)
        given = 1
        for size in a[1]:
            given *= 1 if size == -1 else self.x.value(self.size(size))
        target = [whole // given if size == -1 else self.x.value(self.size(size)) for size in a[1]]
        parts = [part for extent in x for part in self.x.apart(extent)]
        return self.regrouped(x, target, a) or self.regrouped(parts, target, a) or self.fixed_view(x, a)

    def regrouped(self, x, target, a):
        result, texts, k = [], list(a[1]), 0
        for index, wanted in enumerate(target):
            if wanted == 1 and not (k < len(x) and self.x.value(x[k]) == 1):
                result.append(number(1))
                continue
            block, count = [], 1
            while k < len(x) and (count < wanted or self.x.value(x[k]) == 1 and not block):
                block.append(x[k])
                count *= self.x.value(x[k])
                k += 1
            if count != wanted:
                return None
            result.append(self.x.product(block))
            if texts[index] != -1:
                texts[index] = "=" + self.x.now(result[-1]).text()
        if any(self.x.value(extent) != 1 for extent in x[k:]):
            return None
        a[1][:] = texts
        return result

    reshape = view

    def fixed_view(self, x, a):
        """A view that splits extents: the numbers in it fix them."""
        known = [self.size(size) for size in a[1] if size != -1]
        for extent in x:
            self.x.fix(extent, "the graph splits it in parts: " + " x ".join(e.text() for e in known))
        if -1 not in a[1]:
            return known
        rest = 1
        for extent in x:
            rest *= self.x.value(extent)
        for extent in known:
            rest //= self.x.value(extent)
        named = [self.x.now(e) for e in x if self.x.now(e).atom]
        if any(e.text() not in [k.text() for k in known] for e in named):
            raise Unclear("a view that mixes named extents")
        return [number(rest) if size == -1 else self.size(size) for size in a[1]]
