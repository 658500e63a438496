# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of products: linear layers, matrices, recurrent layers (card_shapes.py)."""
import re

from card_extents import Unclear


class Products:
    def linear(self, a):
        x, weight = self.of(a[0]), self.of(a[1])
        self.x.same(x[-1], weight[1])
        if len(a) > 2 and self.of(a[2]) is not None:
            self.x.same(self.of(a[2])[0], weight[0])
        self.x.products.append([*x, weight[0]])
        return [*x[:-1], weight[0]]

    def matmul(self, a):
        x, y = self.of(a[0]), self.of(a[1])
        if len(y) == 1:
            self.x.same(x[-1], y[0])
            self.x.products.append(x)
            return list(x[:-1])
        self.x.same(x[-1], y[-2])
        batch = self.broadcast(x[:-2], y[:-2])
        self.x.products.append([*batch, *x[-2:], y[-1]])
        return [*batch, *x[-2:-1], y[-1]]

    bmm = mm = matmul

    def einsum(self, a):
        parts = re.fullmatch(r"'([a-z,]+)->([a-z]+)", a[0].replace(" ", ""))
        if not parts:
            raise Unclear("an einsum with dots")
        letters = {}
        for term, shape in zip(parts[1].split(","), self.of(a[1])):
            for letter, extent in zip(term, shape):
                letters[letter] = self.x.same(letters[letter], extent) if letter in letters else extent
        self.x.products.append(list(letters.values()))
        return [letters[letter] for letter in parts[2]]

    def diag(self, a):
        return self.of(a[0]) * 2

    def numpy_T(self, a):
        return self.of(a[0])[::-1]

    def lstm(self, a):
        return self.recurrent(a, 4, a[1])

    def gru(self, a):
        return self.recurrent(a, 3, [a[1]])

    def recurrent(self, a, gates, states):
        x = self.of(a[0])
        hidden = self.of(states[0])[-1]
        for state in states[1:]:
            self.x.same(self.of(state)[-1], hidden)
        biases, layers, both, first = a[3], a[4], a[7], a[8]
        for state in states:
            self.x.fix(self.of(state)[0], "the number of layers is the module's")
        step = 4 if biases else 2
        entry = x[-1]
        wide = 2 if both else 1
        for layer in range(layers):
            for way in range(wide):
                at = (layer * wide + way) * step
                into, back = self.of(a[2][at]), self.of(a[2][at + 1])
                self.x.same(into[1], entry)
                self.x.same(back[1], hidden)
                for weight in a[2][at:at + step]:
                    self.x.same(self.of(weight)[0], self.x.now(hidden).times(gates))
                self.x.products.append([x[0], x[1], into[0], into[1]])
            entry = self.x.now(hidden).times(wide)
        for state in states:
            self.x.same(self.of(state)[1], x[0 if first else 1])
        return [x[0], x[1], entry], *(list(self.of(state)) for state in states)
