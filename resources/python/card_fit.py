# SPDX-License-Identifier: GPL-3.0-or-later
"""Which numbers of an exported graph are sizes: those that change when one of the row's own numbers changes.

A row is exported as published and once more for each number of its source that may be a size. What changes is written
as an expression of the symbols, and the expressions are held against another export, at the small size.
"""
from fractions import Fraction


class Unexplained(Exception):
    """A number changes in a way that no expression here gives, or something other than a number changes."""


class Symbol:
    def __init__(self, name, place, full, trial):
        self.name, self.place, self.full, self.trial, self.small = name, place, full, trial, full


def ratio(value, symbol, changed):
    """The power p from 1 to 3 for which value changes as symbol^p does."""
    for power in (1, 2, 3):
        if value * symbol.trial ** power == changed * symbol.full ** power:
            return power
    return None


def product(value, changes):
    """value as a rational number times powers of the symbols that change it."""
    names, factor = [], Fraction(value)
    for symbol, changed in changes:
        power = ratio(value, symbol, changed)
        if power is None:
            return None
        names += [symbol.name] * power
        factor /= symbol.full ** power
    text = "*".join(names)
    if factor.numerator != 1:
        text += f"*{factor.numerator}"
    return text if factor.denominator == 1 else f"({text})/{factor.denominator}"


def total(value, changes):
    """value as a sum of whole multiples of the symbols and a number."""
    terms, rest = [], value
    for symbol, changed in changes:
        slope = Fraction(value - changed, symbol.full - symbol.trial)
        if slope.denominator != 1:
            return None
        rest -= int(slope) * symbol.full
        terms.append(symbol.name if slope == 1 else f"{int(slope)}*{symbol.name}")
    text = "+".join(terms).replace("+-", "-")
    return text + (f"+{rest}" if rest > 0 else str(rest) if rest < 0 else "")


def explained(value, others, symbols):
    changes = [(symbol, other) for symbol, other in zip(symbols, others) if other != value]
    text = (product(value, changes) if value > 0 else None) or total(value, changes)
    if text is None:
        raise Unexplained(f"{value} turns to {[changed for _, changed in changes]}")
    return {"size": text}


def merged(value, others, symbols):
    """A structure of numbers, lists and dictionaries as published and at each symbol's trial, numbers that change
    replaced by {"size": expression}."""
    if all(same(other, value) for other in others):
        return value
    if type(value) is int and all(type(other) is int for other in others):
        return explained(value, others, symbols)
    if isinstance(value, list) and all(isinstance(o, list) and len(o) == len(value) for o in others):
        return [merged(item, [other[i] for other in others], symbols) for i, item in enumerate(value)]
    if isinstance(value, dict) and all(isinstance(o, dict) and o.keys() == value.keys() for o in others):
        return {key: merged(item, [other[key] for other in others], symbols) for key, item in value.items()}
    raise Unexplained(f"{value} turns to something else")


def same(a, b):
    return type(a) is type(b) and a == b


def evaluated(value, numbers):
    """The structure with its expressions evaluated."""
    if isinstance(value, dict) and "size" in value and len(value) == 1:
        return int(eval(value["size"].replace("/", "//"), {"__builtins__": {}}, numbers))  # text that explained() wrote
    if isinstance(value, list):
        return [evaluated(item, numbers) for item in value]
    if isinstance(value, dict):
        return {key: evaluated(item, numbers) for key, item in value.items()}
    return value
