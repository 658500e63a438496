# SPDX-License-Identifier: GPL-3.0-or-later
"""From a row's PyTorch code to its task card (archive_data/tasks/README.md)."""
import math
import re

import torch

import card_fit
import card_graph
import card_patterns
import card_replay
import card_words
from card_fx import Smaller
from card_row import ExportError, Row, size_candidates, statistics
from card_small import SMALL_ELEMENTS, SMALL_MULTIPLY_ADDS, like_full
from card_trace import literal, trace
from card_work import work_of

# The emulator does some 20 million multiply-adds of a simple kernel a second with every check on.
LARGEST_MULTIPLY_ADDS = 400_000_000
LARGEST_ELEMENTS = 10_000_000
MOST_SYMBOLS = 6


def known_with(names):
    names = set(names)

    def known(op):
        plain = re.sub(r"^(aten\.\w*[a-z0-9])_(\.\w+)$", r"\1\2", op)
        return op in names or plain in names or op in card_graph.PASSES or op == "<built-in function getitem>"
    return known


def fills_of(code, row):
    """How each tensor is drawn. A second execution, with other random numbers, shows what is not random at all."""
    second = Row(code, seed=1)
    facts, again = ([statistics(n, r, t) for n, r, t in zip(each.names, each.roles, each.tensors)] for each in (row, second))
    return [card_patterns.fill(tensor, mine, other) for tensor, mine, other in zip(row.tensors, facts, again)]


class Version:
    """The row exported at some sizes."""

    def __init__(self, code, values, known, unknown=(), checked=False):
        row = Row(code, values)
        self.call, self.roles, self.names, self.notes = row.call, row.roles, row.names, row.notes
        self.shapes = [list(tensor.shape) for tensor in row.tensors]
        self.fills = [] if values else fills_of(code, row)
        self.types = [str(tensor.dtype)[6:] for tensor in row.tensors]
        empty = [torch.empty_like(tensor, device="meta") for tensor in row.tensors]
        self.unknown = unknown
        traced = Smaller(row.run, empty, unknown) if unknown else attempt(row.run, empty, row.tensors)
        missing = {node["op"] for node in traced.nodes if "op" in node and not known(node["op"])}
        if missing and not unknown:
            self.unknown = sorted(missing)
            try:
                smaller = Smaller(row.run, empty, self.unknown)
                missing = {node["op"] for node in smaller.nodes if "op" in node and not known(node["op"])} or None
                traced = traced if missing else smaller
            except Exception:  # whatever PyTorch finds wrong with it: the operators above stay unknown
                pass
            missing = set(self.unknown) if missing else None
        if missing:
            raise ExportError("unsupported_operator", "The reference does not know the operator " +
                              ", ".join(sorted(missing)) + ".", "Use another kernel as the reference.")
        self.nodes, self.constants = traced.nodes, traced.constants
        self.work = work_of(self.nodes, empty, self.constants)
        self.elements = max(tensor.numel() for tensor in row.tensors)
        self.largest = [int(t.max()) for t in row.tensors if not t.is_floating_point() and t.numel() and t.dim()]
        if checked:
            card_replay.check(self.nodes, row, self.constants)

    def structure(self):
        """What sizes may change."""
        nodes = [{key: value for key, value in node.items() if key != "out"} for node in self.nodes]
        return {"call": self.call, "shapes": self.shapes, "nodes": nodes,
                "constants": [constant.tolist() for constant in self.constants]}


def attempt(function, empty, tensors):
    """Traced without elements; with them where PyTorch cannot do without."""
    try:
        return trace(function, empty)
    except NotImplementedError:
        return trace(function, tensors)
    except RuntimeError as error:
        if "meta" not in str(error).lower():
            raise
        return trace(function, tensors)


class Exporter:
    def __init__(self, code, known):
        self.code, self.known = code, known
        self.full = Version(code, None, known)
        self.symbols, self.trials = [], []
        self.small_work, self.small_elements = self.full.work, self.full.elements

    def version(self, values, checked=False):
        return Version(self.code, values, self.known, self.full.unknown, checked)

    def find_symbols(self, with_parameters=False):
        """`with_parameters`: also numbers that change the shapes of parameters, if they change inputs, too."""
        for place, value, name, _ in size_candidates(self.code):
            if len(self.symbols) == MOST_SYMBOLS:
                return
            symbol = card_fit.Symbol(self.name_for(name), place, value, value // 2)
            try:
                trial = self.version({place: symbol.trial})
                if self.is_size(trial, with_parameters):
                    card_fit.merged(self.full.structure(), [trial.structure()], [symbol])
                    self.symbols.append(symbol)
                    self.trials.append(trial)
            except Exception:  # the row does not take this size, whatever it says: the number is structure
                continue

    def is_size(self, trial, with_parameters):
        """Whether inputs change, nothing of the parameters does, and whole numbers (indices, classes) reach as far."""
        if len(trial.shapes) != len(self.full.shapes):
            return False
        changed = {role for mine, other, role in zip(self.full.shapes, trial.shapes, self.full.roles) if mine != other}
        reach = all(4 * other > 3 * mine for mine, other in zip(self.full.largest, trial.largest))
        return reach and "input" in changed and (with_parameters or "parameter" not in changed)

    def name_for(self, name):
        name = re.sub(r"\W", "_", name)
        taken = {symbol.name for symbol in self.symbols}
        return next(n for n in [name, *(f"{name}{i}" for i in range(2, 99))] if n not in taken)

    def is_batch(self, symbol, trial):
        """Whether it counts samples: the first dimension of inputs, and no other; of a plain matrix, by name only."""
        inputs = [i for i, role in enumerate(self.full.roles) if role == "input"]
        changed = [(i, d) for i in inputs for d, (mine, other) in enumerate(zip(self.full.shapes[i], trial.shapes[i]))
                   if mine != other]
        if not changed or changed[0][0] != inputs[0] or any(dimension for _, dimension in changed):
            return False
        return "batch" in symbol.name.lower() or len(self.full.shapes[inputs[0]]) > 2 or len(self.symbols) == 1

    def choose_small(self, generosity):
        """Sizes like the published ones with little work: fewer samples first."""
        batch = next((s for s, t in zip(self.symbols, self.trials) if self.is_batch(s, t)), None)
        others = [symbol for symbol in self.symbols if symbol is not batch]
        count = batch.full if batch else 1
        sample = max(self.full.work / count / SMALL_MULTIPLY_ADDS, self.full.elements / count / SMALL_ELEMENTS, 1e-9)
        sample /= generosity
        chosen = 1
        if batch:
            chosen = batch.small = like_full(min(count, max(2, int(1 / sample)), 32), count, 1.8)
        excess = sample * chosen
        # How work and elements grow with these symbols together: with the third power of a square matrix' size.
        power = max(self.power(others, "work"), self.power(others, "elements"))
        factor = min(1.0, excess ** (-1.0 / power)) if power and excess > 1 else 1.0
        for symbol in others:
            symbol.small = symbol.full if factor == 1.0 else like_full(max(4, round(symbol.full * factor)), symbol.full)

    def power(self, symbols, what):
        total = 0.0
        for symbol in symbols:
            trial = self.trials[self.symbols.index(symbol)]
            ratio = getattr(self.full, what) / max(1, getattr(trial, what))
            total += math.log(max(1.0, ratio)) / math.log(symbol.full / symbol.trial)
        return total

    def fit(self):
        """The structure with sizes as expressions, which another export at the small size agrees with."""
        while self.symbols:
            try:
                found = card_fit.merged(self.full.structure(), [t.structure() for t in self.trials], self.symbols)
            except card_fit.Unexplained:
                found = None
            for generosity in (1, 4, 16, 64) if found else ():
                self.choose_small(generosity)
                if self.agrees(found):
                    return found
            self.symbols.pop()
            self.trials.pop()
        self.small_work, self.small_elements = self.full.work, self.full.elements
        return self.full.structure()

    def agrees(self, found):
        try:
            small = self.version({symbol.place: symbol.small for symbol in self.symbols}, checked=True)
        except ExportError as error:
            if error.code == "not_reproduced":
                raise
            return False
        except Exception:  # too small for the row, say
            return False
        self.small_work, self.small_elements = small.work, small.elements
        return card_fit.evaluated(found, {s.name: s.small for s in self.symbols}) == small.structure()


def expression(size):
    return size["size"] if isinstance(size, dict) else size


def call_value(entry):
    if "tensor" in entry:
        return f"%{entry['tensor']}"
    if "list" in entry:
        return [call_value(item) for item in entry["list"]]
    if "dict" in entry:
        return {"dict": {key: call_value(item) for key, item in entry["dict"].items()}}
    value = entry["value"]
    return "=" + value["size"] if isinstance(value, dict) else "'" + value if isinstance(value, str) else value


class Literally:
    """Numbers stand for themselves: those that are sizes were marked before."""

    @staticmethod
    def literal(value, twin, in_shape):
        return value


def graph_of(found, outs, tensor_count, constants):
    names = {f"input_{i}": i for i in range(tensor_count)}
    tables = [i for i, constant in enumerate(constants) if constant.dim()]
    names.update({f"constant_{i}": tensor_count + index for index, i in enumerate(tables)})
    numbers = {f"constant_{i}": literal(c.item()) for i, c in enumerate(constants) if not c.dim()}
    converter = card_graph.Converter(names, numbers, Literally)
    output = None
    for node, out in zip(found["nodes"], outs):
        if "output" in node:
            results = [converter.argument(value, None) for value in node["output"][0]]
            output = results[0] if len(results) == 1 else results
        else:
            converter.node({**node, "out": out}, None)
    return card_graph.pruned(converter.nodes, output), output


def tensors_of(exporter, found):
    full, tensors = exporter.full, []
    for index, fill in enumerate(full.fills):
        if fill[0] == "values" and any(isinstance(size, dict) for size in found["shapes"][index]):
            raise ExportError("fixed_tensor", f"{full.names[index]} is a fixed table whose size changes.",
                              "Use another kernel as the reference.")
        tensors.append({"name": full.names[index], "role": full.roles[index], "dtype": full.types[index],
                        "shape": [expression(size) for size in found["shapes"][index]], "fill": fill})
    for index, constant in enumerate(constant for constant in full.constants if constant.dim()):
        tensors.append({"name": f"constant_{index}", "role": "parameter", "dtype": str(constant.dtype)[6:],
                        "shape": list(constant.shape), "fill": ["values", *map(float, constant.flatten().tolist())]})
    return tensors


def first_that_runs(request):
    """The functional form, whose call kernels follow; where there is none, or it does not run, the module form."""
    known, codes = known_with(request["operators"]), [request.get("functional"), request.get("module")]
    codes = [code for code in codes if code]
    if not codes:
        raise ExportError("no_pytorch_code", "The row has no PyTorch code.", "Use another kernel as the reference.")
    try:
        return Exporter(codes[0], known), []
    except ExportError:
        raise
    except Exception as error:
        if len(codes) < 2:
            raise
        return Exporter(codes[1], known), [f"The row's functional form does not run ({type(error).__name__}: {error})."]


def make_card(request):
    exporter, notes = first_that_runs(request)
    exporter.find_symbols()
    found = exporter.fit()
    if exporter.small_work > 16 * SMALL_MULTIPLY_ADDS or exporter.small_elements > 16 * SMALL_ELEMENTS:
        second = Exporter(exporter.code, exporter.known)
        second.find_symbols(with_parameters=True)
        wider = second.fit()
        if (second.small_work, second.small_elements) < (exporter.small_work, exporter.small_elements):
            exporter, found = second, wider
    full = exporter.full
    notes += full.notes
    if not exporter.symbols:
        if full.work > LARGEST_MULTIPLY_ADDS or full.elements > LARGEST_ELEMENTS:
            raise ExportError("no_small_size", f"The task is too large for the emulator ({full.work:.2g} multiply-adds), "
                              "and no number of its code was found to be a size.", "Use another kernel as the reference, "
                              "with arguments of your own.")
        exporter.version(None, checked=True)
        notes.append("The small size is the full size: no number of the code was found to be a size.")
    nodes, output = graph_of(found, [node.get("out") for node in full.nodes], len(full.shapes), full.constants)
    notes.insert(0, f"Exported from the row's own code with PyTorch {torch.__version__}.")
    sizes = {"full": {s.name: s.full for s in exporter.symbols}, "small": {s.name: s.small for s in exporter.symbols}}
    return {"format": 1, "level": request["level"], "task": request["task"], "name": request["name"], "family": "imported",
            "summary": card_words.summary(nodes), "notes": notes, "sizes": sizes,
            "tolerance": {"strict": 1e-4, "legacy": 1e-2}, "tensors": tensors_of(exporter, found),
            "call": [[entry["name"], call_value(entry)] for entry in found["call"]], "graph": nodes, "output": output}
