# SPDX-License-Identifier: GPL-3.0-or-later
"""A row's PyTorch code, executed: the model with its parameters, its inputs, and the call of `forward`.

In KernelBench's functional form, Model.forward takes `fn` and calls it with exactly the arguments that a kernel's
forward takes. `call` is that call with tensors replaced by their numbers: {"tensor": 3}, {"value": ...}, {"list": [...]},
{"dict": {...}}.
"""
import ast
import inspect
import random
import sys
import types

import torch

import card_convolutions  # noqa: F401  before the row takes them


class ExportError(Exception):
    """Why there is no card: a code for programs, a sentence, and what to do."""

    def __init__(self, code, message, action=""):
        super().__init__(message)
        self.code, self.message, self.action = code, message, action


class Called(BaseException):
    """Ends the model's forward as soon as the call is known. Not an Exception, which a row might catch."""


class Literals(ast.NodeTransformer):
    """Replaces whole numbers by their place (line, column) in the source."""

    def __init__(self, values):
        self.values = values

    def visit_Constant(self, node):
        place = (node.lineno, node.col_offset)
        if type(node.value) is int and place in self.values:
            return ast.copy_location(ast.Constant(self.values[place]), node)
        return node


def whole_numbers(statement, name, function):
    """(place, value, name) of the numbers from 4 up in a statement: what might be a size."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value >= 4:
            yield (node.lineno, node.col_offset), node.value, name, function


def size_candidates(code):
    """Whole numbers of the module's own assignments and of get_inputs, in the order of the source."""
    found = []
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], (ast.Name, ast.Tuple)):
            target = statement.targets[0]
            if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                for part, value in zip(target.elts, statement.value.elts):
                    found += whole_numbers(value, getattr(part, "id", "S"), False)
            else:
                found += whole_numbers(statement.value, getattr(target, "id", "S"), False)
        elif isinstance(statement, ast.FunctionDef) and statement.name == "get_inputs":
            found += whole_numbers(statement, "S", True)
    return found


def execute(code, values):
    tree = Literals(values).visit(ast.parse(code, "row.py"))
    module = types.ModuleType("row")
    sys.modules["row"] = module
    exec(compile(tree, "row.py", "exec"), module.__dict__)
    for name in ("Model", "get_inputs"):
        if not hasattr(module, name):
            raise ExportError("no_model", f"The PyTorch code defines no {name}.",
                              "A task's code defines Model, get_inputs and get_init_inputs, as KernelBench's does.")
    return module


class Row:
    """One execution. `values`: other numbers in place of the source's, by place."""

    def __init__(self, code, values=None, seed=0):
        random.seed(seed)
        torch.manual_seed(seed)
        if not torch.cuda.is_available():
            stay_on_the_cpu()
        module = execute(code, values or {})
        with torch.no_grad():
            given = module.get_init_inputs() if hasattr(module, "get_init_inputs") else []
            self.model = module.Model(*given)
            self.inputs = list(module.get_inputs())
        self.tensors, self.roles, self.names = [], [], []
        self.numbers = {}  # id of a tensor to its number
        self.notes = []
        self.input_ids = {id(tensor) for tensor in leaves(self.inputs)}
        if "fn" in inspect.signature(self.model.forward).parameters:
            self.by_functional_form(getattr(module, "module_fn", None))
        else:
            self.by_module_form()
        if not self.tensors:
            raise ExportError("no_tensors", "The call of forward has no tensor.")

    def by_functional_form(self, module_function):
        def recorder(*positional, **named):
            self.recorded = positional, named
            raise Called

        self.recorded = None
        function = inspect.signature(self.model.forward).parameters["fn"].default
        function = function if callable(function) else module_function
        try:
            with torch.no_grad():
                self.model(*self.inputs, fn=recorder)
        except Called:
            pass
        if self.recorded is None or not callable(function):
            raise ExportError("no_call", "Model.forward does not call the function that it is given as fn.")
        self.function = function
        positional, named = self.recorded
        bound = inspect.signature(function).bind(*positional, **named)
        variadic = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
        if any(p.kind in variadic for p in bound.signature.parameters.values()):
            raise ExportError("variadic_call", "The functional form takes any number of arguments: their order in a "
                              "kernel's forward is not known.")
        # A default that forward left out is not handed to a kernel either.
        self.call = [{"name": name, **self.argument(name, value)} for name, value in bound.arguments.items()]

    def by_module_form(self):
        names = list(inspect.signature(self.model.forward).parameters)
        self.call = [{"name": name, **self.argument(name, value)} for name, value in zip(names, self.inputs)]
        state = list(self.model.named_parameters()) + list(self.model.named_buffers())
        for name, tensor in state:
            if not name.endswith("num_batches_tracked"):
                self.call.append({"name": name.replace(".", "_"), **self.argument(name, tensor)})
        self.function = None
        if state:
            self.notes.append("The row has no functional form: the call is forward's inputs, then the module's parameters "
                              "and buffers in the order in which they were registered. A kernel may expect another.")

    def argument(self, name, value):
        if isinstance(value, torch.Tensor):
            if id(value) not in self.numbers:
                self.numbers[id(value)] = len(self.tensors)
                self.tensors.append(value.detach())
                self.roles.append("input" if id(value) in self.input_ids else "parameter")
                self.names.append(name)
            return {"tensor": self.numbers[id(value)]}
        if isinstance(value, (list, tuple, torch.nn.ParameterList)):
            return {"list": [self.argument(f"{name}.{i}", item) for i, item in enumerate(value)]}
        if hasattr(value, "items"):
            return {"dict": {str(key): self.argument(f"{name}.{key}", item) for key, item in value.items()}}
        if value is None or isinstance(value, (bool, int, float, str)):
            return {"value": value}
        raise ExportError("unknown_argument", f"The argument {name} of the call is a {type(value).__name__}, which a card "
                          "cannot hold.")

    def run(self, tensors):
        """The task on these tensors, which stand for self.tensors."""
        if self.function:
            return self.function(**{entry["name"]: restored(entry, tensors) for entry in self.call})
        with torch.no_grad():
            for owner in self.model.modules():
                for kind in (owner._parameters, owner._buffers):
                    for name, tensor in kind.items():
                        if tensor is not None and id(tensor) in self.numbers:
                            kind[name] = tensors[self.numbers[id(tensor)]]
        return self.model(*[restored(entry, tensors) for entry in self.call[:len(self.inputs)]])


def stay_on_the_cpu():
    """Some rows move a tensor of their own to the GPU: here it stays with the others."""
    torch.Tensor.cuda = torch.nn.Module.cuda = lambda self, *_, **__: self


def leaves(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)


def restored(entry, tensors):
    if "tensor" in entry:
        return tensors[entry["tensor"]]
    if "list" in entry:
        return [restored(item, tensors) for item in entry["list"]]
    if "dict" in entry:
        return {key: restored(item, tensors) for key, item in entry["dict"].items()}
    return entry["value"]


def statistics(name, role, tensor):
    """What card_distributions judges a tensor by."""
    facts = {"name": name, "role": role, "dtype": str(tensor.dtype)[6:], "shape": list(tensor.shape)}
    if tensor.numel():
        exact = tensor.double()
        low, high = float(exact.min()), float(exact.max())
        whole = not tensor.is_floating_point()
        facts.update(min=int(low) if whole else low, max=int(high) if whole else high, mean=float(exact.mean()),
                     std=float(exact.std(unbiased=False)))
    return facts
