#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports a task card from PyTorch code, which it executes: run it where that can do no harm (gpu/worker/PythonExport).

Reads {"functional": TEXT, "module": TEXT, "level": N, "task": N, "name": TEXT, "operators": [NAME, ...]} from standard
input. Writes one line to standard output: {"card": {...}} or {"error": {"code", "message", "action"}}. What the code
itself prints goes nowhere. "operators" are the ATen operators that a card may hold.
"""
import json
import os
import sys


def answer_of(request):
    try:
        import torch  # noqa: F401
    except Exception as error:
        return failure("no_torch", f"This Python has no usable PyTorch: {error}",
                       "Choose a Python with PyTorch 1.13 or newer.")
    from card_graph import NoCard
    from card_row import ExportError
    import card_export
    try:
        return {"card": card_export.make_card(request)}
    except ExportError as error:
        return failure(error.code, error.message, error.action)
    except NoCard as error:
        return failure("unsupported_graph", f"No card can hold this task: {error}.", "Use another kernel as the reference.")
    except MemoryError:
        return failure("out_of_memory", "Exporting the task needs more memory than it is given.")
    except SystemExit:
        return failure("row_failed", "The row's PyTorch code ends the program.")
    except BaseException as error:
        first = (str(error).strip().splitlines() or [""])[0][:500]
        return failure("row_failed", f"The row's PyTorch code does not run: {type(error).__name__}: {first}",
                       "Its code needs what KernelBench's needs: PyTorch and nothing else.")


def failure(code, message, action=""):
    return {"error": {"code": code, "message": message, "action": action}}


def main():
    request = json.loads(sys.stdin.readline())
    answers = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    answer = answer_of(request)
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
    os._exit(0)  # whatever the row left running or registered to run at the end


if __name__ == "__main__":
    main()
