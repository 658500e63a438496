# SPDX-License-Identifier: GPL-3.0-or-later
"""The odd size: prime extents, and no product of them that two divides.

Most kernels are written for powers of two, and what they forget shows where nothing divides. Extents that the operators
leave free (card_shapes.py) become symbols of the card; what none can be found for is written down in `odd_forbidden`.
"""
import copy
import itertools
import math
import re

from card_extents import UNKNOWN, Extents, Unclear, evaluated, number, prime
from card_shapes import Shapes
from card_size_table import CALL_SIZES, ODD_FORBIDDEN

AFFORDABLE, TOO_MUCH = 0.4, 1.5  # of the small size's work
NAMES = ["O", "M", "K", "R", "S", "U", "V", "X", "Y", "Z"]
MOST_SYMBOLS = 6  # more would make a table of a network's widths: then inputs and outputs alone are free


class Odd:
    def __init__(self, key, tensors, nodes, output, call, sizes):
        self.key, self.tensors, self.nodes, self.output, self.call, self.sizes = key, tensors, nodes, output, call, sizes
        self.forbidden = ODD_FORBIDDEN.get(key, "")
        self.inputs = [i for i, t in enumerate(tensors) if t["role"] == "input"]
        given = copy.deepcopy((sizes.values, tensors, nodes, call))
        if not self.forbidden:
            if not self.known():
                self.known(free=False)
            self.choose()
        if not all("odd" in v for v in sizes.values.values()) or not sizes.values:  # the card stays as it was
            sizes.values, tensors[:], nodes[:], call[:] = given
            for v in sizes.values.values():
                v.pop("odd", None)
        if self.forbidden:
            self.forbidden = self.forbidden[0].upper() + self.forbidden[1:] + "."

    def known(self, free=True):
        """Shapes of everything at every size; False where the operators do not tell."""
        full = {symbol: v["full"] for symbol, v in self.sizes.values.items()}
        self.x = Extents(self.tensors, full)
        self.outputs = []
        if not free:
            for name in [n for n in self.x.full if UNKNOWN.fullmatch(n)]:
                self.x.bound[name] = number(self.x.full[name])
                self.x.fixed[name] = "its shapes follow from the published ones"
            return False
        nodes = copy.deepcopy(self.nodes)
        try:
            shapes = Shapes(self.x, nodes)
            returned = self.output if isinstance(self.output, list) else [self.output]
            self.outputs = [s for item in returned for s in shapes.flat(shapes.of(item))]
        except (Unclear, IndexError, TypeError, KeyError) as reason:
            self.unclear = reason
            return False
        self.name_the_free()
        self.put_in(nodes)
        return True

    def name_the_free(self):
        x = self.x
        published = [n for n in x.full if UNKNOWN.fullmatch(n)]
        for name in published:  # odd primes may stay
            if name not in x.bound and x.full[name] % 2 and prime(x.full[name]):
                x.bound[name] = number(x.full[name])
        free = [n for n in published if n not in x.bound]
        outside = [s for shape in self.outputs for s in shape]
        outside += [s for i in self.inputs for s in x.shapes[i]]
        seen = {n for s in outside for n in UNKNOWN.findall(x.now(s).atom)}
        if len(free) > MOST_SYMBOLS:
            for name in set(free) - seen:
                x.bound[name] = number(x.full[name])
            free = [n for n in free if n in seen]
        for name in free:
            symbol = self.name(name)
            x.full[symbol] = x.full[name]
            x.bound[name] = Extents([], {}).given(0, 0, symbol)
            self.sizes.values[symbol] = {"full": x.full[name], "small": x.full[name]}

    def name(self, unknown):
        tensor, dimension = map(int, unknown[1:].split("_"))
        rank = len(self.tensors[tensor]["shape"])
        used = self.sizes.values
        wanted = NAMES
        if tensor == self.inputs[0]:
            if dimension == 0 and rank > 1:
                wanted = ["B"]
            elif dimension == 1:
                wanted = ["C"] if rank > 2 else ["I"]
            elif rank == 3 and "T" in used:
                wanted = ["I"]
            elif rank > 2:
                wanted = [{3: "L", 4: "HW", 5: "DHW"}[rank][dimension - 2]]
        return next(n for n in [*wanted, *NAMES, *(f"{n}{k}" for k in range(2, 9) for n in NAMES)] if n not in used)

    def put_in(self, nodes):
        """Texts of extents in shapes, operators and the call's lists that are one of theirs."""
        norm_shapes = []

        def text(value):
            if isinstance(value, list):
                return [text(item) for item in value]
            if isinstance(value, str) and value.startswith("=") and UNKNOWN.search(value):
                extent = value[1:]
                for name in UNKNOWN.findall(extent):
                    extent = re.sub(rf"\b{name}\b", self.x.now(Extents([], self.x.full).given(0, 0, name)).factor(), extent)
                value = int(evaluated(extent, {})) if not re.search("[A-Za-z]", extent) else "=" + re.sub(r"^\((\w+)\)$", r"\1", extent)
            elif isinstance(value, str) and re.fullmatch(r"=-?\d+", value):
                value = int(value[1:])
            return value

        for node, old in zip(nodes, self.nodes):
            new = text(node[2])
            if node[1] == "aten.layer_norm.default" and new[1] != old[2][1]:
                norm_shapes.append((old[2][1], new[1]))
            old[2][:] = new
        for entry in self.call:
            entry[1] = next((new for old, new in norm_shapes if entry[1] == old), entry[1])
            if entry[0] in CALL_SIZES.get(self.key, {}):
                entry[1] = text("=" + CALL_SIZES[self.key][entry[0]])
        for tensor, shape in zip(self.tensors, self.x.shapes):
            for d, extent in enumerate(shape):
                if isinstance(tensor["shape"][d], int):
                    now = self.x.now(extent)
                    tensor["shape"][d] = now.number() if now.number() is not None else now.text()

    # Values.
    def candidates(self, symbol):
        small, full = self.sizes.values[symbol]["small"], self.sizes.values[symbol]["full"]
        at = {d for i in self.inputs[:1] for d, s in enumerate(self.tensors[i]["shape"]) if symbol in re.findall(r"\w+", str(s))}
        rank = len(self.tensors[self.inputs[0]]["shape"])
        primes = [p for p in range(3, 1 + max(3, small)) if prime(p)]
        if symbol == "B":
            return [p for p in primes if p <= 0.8 * small][-2:] if rank == 2 and small > 4 else [3]
        if rank > 2 and any(d >= 2 for d in at) or symbol in ("T", "L", "P"):
            return primes[-40:][::-1][:40 if len(primes) < 14 else 14] if full < 200 or small < full else primes[::-3]
        return None

    def choose(self):
        values = self.sizes.values
        given = {s: v["odd"] for s, v in values.items() if "odd" in v}
        searched = {s: self.candidates(s) for s in values if s not in given}
        scaled = [s for s, c in searched.items() if c is None]
        ranged = [s for s, c in searched.items() if c is not None]
        full = {s: v["full"] for s, v in values.items()}
        small = {s: v["small"] for s, v in values.items()}
        work, valid, odd = self.judges()
        allowed = AFFORDABLE * work(small)
        best = None
        for scale in (0.6, 0.45, 0.33, 0.25, 0.18, 0.12, 0.08) if scaled else (1.0,):
            widths, used = {}, set()
            for s in scaled:
                top = max(5, scale * full[s], self.least(s))
                options = [p for p in range(3, int(top) + 20) if prime(p) and p >= self.least(s)]
                below = [p for p in options if p <= top and p not in used] or [p for p in options if p not in used]
                widths[s] = below[-1] if below[-1] <= top else below[0]
                used.add(widths[s])
            for numbers in itertools.product(*(searched[s] for s in ranged)):
                tried = {**given, **widths, **dict(zip(ranged, numbers))}
                if not valid(tried):
                    continue
                cost = work(tried)
                share = min((min(1, tried[s] / small[s]) for s in ranged if s != "B"), default=1)
                score = (10 if odd(tried) else 0) + share + 0.7 * scale - (0.1 if len(set(numbers)) < len(numbers) else 0)
                score += 0.02 * sum(math.log(tried[s] / small[s]) for s in ranged)
                score -= 20 + 10 * math.log(cost / allowed) if cost > allowed else 0
                if best is None or score > best[0]:
                    best = score, tried, cost / work(small)
        if not best:
            self.forbidden = self.forbidden or "no prime size fits its windows and strides"
            return
        chosen = best[1]
        if best[2] > TOO_MUCH:
            self.forbidden = "its windows want extents of " + " and ".join(str(chosen[s]) for s in ranged if s != "B") + \
                             " or more, which is too much work beside the small size"
            return
        first = [self.at(s, chosen) for s in self.tensors[self.inputs[0]]["shape"]]
        plain = [self.at(s, full) for s in self.tensors[self.inputs[0]]["shape"]]
        for d, (size, before) in enumerate(zip(first, plain)):
            if not (size % 2 and prime(size)) and not (size == before == 1):
                self.forbidden = self.reason(d, size)
                return
        for s, value in chosen.items():
            values[s]["odd"] = value
        self.forbidden = self.evenness(chosen)

    def least(self, symbol):
        """Whole numbers that index an extent have to fit it."""
        biggest = max((t["fill"][2] for t in self.tensors if t["fill"][0] == "integers"), default=0)
        return biggest + 1 if biggest else 3

    def at(self, size, values):
        return size if isinstance(size, int) else evaluated(size, values)

    def reason(self, dimension, size):
        name = f"v{self.inputs[0]}_{dimension}"
        while name not in self.x.fixed and name in self.x.bound and self.x.bound[name].bare():
            name = self.x.bound[name].bare()
        return self.x.fixed.get(name, f"the input's extent {self.tensors[self.inputs[0]]['shape'][dimension]} is even")

    def evenness(self, chosen):
        for i in self.inputs[1:]:
            for s in self.tensors[i]["shape"]:
                if self.at(s, chosen) % 2 == 0:
                    return f"the extent {s} of {self.tensors[i]['name']} is even"
        for shape in self.outputs:
            for extent in shape:
                now = self.x.now(extent)
                if self.at(now.text(), chosen) % 2 == 0:
                    if now.number() is None:
                        return f"the output's extent {now.text()} is even at every odd size"
                    reasons = [f": {r}" for n, r in self.x.fixed.items() if self.x.full[n] == now.number()]
                    return f"the output's extent {now.number()} stays as published" + (reasons or [""])[0]
        return ""

    def judges(self):
        """Functions of the symbols' values: the work, whether everything fits, whether all is odd."""
        def compiled(text):
            code = compile(text.replace("/", "//"), "extents", "eval")
            return lambda values: eval(code, {"__builtins__": {"min": min}}, values)  # our own text

        texts = [["(" + self.x.now(s).text() + ")" for s in shape] for shape in self.x.seen + self.x.shapes]
        products = [[self.x.now(s).factor() for s in product] for product in self.x.products]
        work = "+".join(["*".join(p) for p in products] + ["8*" + "*".join(t) for t in texts if t] + ["1"])
        every = sorted({s for t in texts for s in t if re.search("[A-Za-z]", s)}) or ["1"]
        equal = [f"{self.x.now(a).text()} == {self.x.now(b).text()}" for a, b in self.x.equal]
        outside = ["(" + self.x.now(s).text() + ")" for shape in self.outputs for s in shape]
        outside += ["(" + str(s) + ")" for i in self.inputs for s in self.tensors[i]["shape"]]
        valid = f"min({', '.join(every)}, 1) >= 1" + "".join(" and " + e for e in equal)
        return compiled(work), compiled(valid), compiled("*".join(outside or ["1"]) + " & 1")
