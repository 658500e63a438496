#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the task cards (archive_data/tasks/level_N/NNN_name.json) from the KernelBench facts.

    make_cards.py FACTS_FOLDER [LEVEL/TASK ...]

FACTS_FOLDER holds kernelbench_tasks.jsonl and kernelbench_tasks_batch2.jsonl. Needs Python's standard library only.
Prints one line for each task that gets no card, with the reason.
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "resources" / "python"))  # what the program's own exporter shares

import card_fills
import card_graph
import card_module_forms
import card_modules
import card_odd
import card_sizes
import card_text
import card_words


def read_rows(path):
    with open(path, encoding="utf-8") as lines:
        return {(row["level"], row["task"]): row for row in map(json.loads, lines)}


def call_argument(entry):
    """An argument of the call in the cards' form (core/task/CardJson.cpp)."""
    if "tensor" in entry:
        return "%" + str(entry["tensor"])
    if "list" in entry:
        return [call_argument(item) for item in entry["list"]]
    if "dict" in entry:
        return {"dict": {key: call_argument(item) for key, item in entry["dict"].items()}}
    value = entry["value"]
    return "'" + value if isinstance(value, str) else value


def graph_of(row, twin):
    """Nodes, the tensors' names in them, and the nodes of the batch-2 export."""
    if isinstance(row.get("graph"), list):
        nodes, constants = row["graph"], row.get("constants") or {}
        tensors = [name for name in row["placeholders"] if name not in constants]
        names = {name: index for index, name in enumerate(tensors)}
        other = twin.get("graph") if twin else None
    else:
        names, constants = card_modules.tensor_names(row), {}
        nodes = row["module_graph"]["nodes"]
        other = (twin or {}).get("module_graph", {}).get("nodes")
    return nodes, names, constants, other


def tidy(text):
    """Indented JSON with plain lists and objects on one line."""
    flat = re.compile(r"\[[^\[\]{}]*\]|\{[^\[\]{}]*\}")
    return flat.sub(lambda m: re.sub(r"\s+", " ", m.group(0)).replace("[ ", "[").replace(" ]", "]"), text)


def dump(card):
    head = {key: value for key, value in card.items() if key not in ("tensors", "call", "graph", "output")}
    text = tidy(json.dumps(head, indent=1))[:-2]
    for key in ("tensors", "call", "graph"):
        rows = ",\n  ".join(json.dumps(item) for item in card[key])
        text += f',\n "{key}": [\n  {rows}\n ]'
    return text + f',\n "output": {json.dumps(card["output"])}\n}}\n'


def make_card(row, twin):
    row, twin = card_module_forms.completed(row, twin)
    nodes, names, constants, other = graph_of(row, twin)
    sizes = card_sizes.Sizes(row, twin, nodes)
    graph = card_graph.convert(nodes, names, constants, other, sizes)
    tensors = []
    for index, tensor in enumerate(row["tensors"]):
        tensors.append({"name": tensor["name"], "role": tensor["role"], "dtype": tensor["dtype"],
                        "shape": sizes.shape(index), "fill": card_fills.fill(row, tensor)})
    call = [[entry["name"], call_argument(entry)] for entry in row["call"]]
    odd = card_odd.Odd(sizes.key, tensors, graph.nodes, graph.output, call, sizes)
    card = {"format": 1, "level": row["level"], "task": row["task"], "name": row["name"],
            "family": card_text.family(row, graph.nodes), "summary": card_words.summary(graph.nodes),
            "notes": card_text.notes(row, sizes), **card_text.degenerate(row),
            **({"odd_forbidden": odd.forbidden} if odd.forbidden else {}), "sizes": sizes.table(),
            "tolerance": {"strict": 1e-4, "legacy": 1e-2}}
    for key, name in (("output_rms", "archived_rms"), ("flop_counter", "torch_flops"), ("h200_eager_ms", "h200_eager_ms")):
        if row.get(key) is not None:
            card[name] = row[key]
    if graph.unreturned_flops and "torch_flops" in card:
        card["torch_flops"] -= graph.unreturned_flops
        card["notes"].append(f"torch_flops leaves out {graph.unreturned_flops} of operators whose result is not returned.")
    card["tensors"] = tensors
    card["call"] = call
    card["graph"] = graph.nodes
    card["output"] = graph.output
    return card


def file_name(row):
    words = re.sub(r"[^A-Za-z0-9]+", "_", row["name"].split("_", 1)[1]).strip("_").lower()
    return HERE / "tasks" / f"level_{row['level']}" / f"{row['task']:03d}_{words}.json"


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    facts = pathlib.Path(arguments[0])
    rows = read_rows(facts / "kernelbench_tasks.jsonl")
    twins = read_rows(facts / "kernelbench_tasks_batch2.jsonl")
    wanted = {tuple(map(int, key.split("/"))) for key in arguments[1:]} or set(rows)
    written = 0
    for key in sorted(wanted):
        try:
            card = make_card(rows[key], twins.get(key))
        except card_graph.NoCard as reason:
            print(f"{key[0]}/{key[1]}: no card: {reason}", file=sys.stderr)
            continue
        path = file_name(rows[key])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dump(card), encoding="utf-8")
        written += 1
    print(f"{written} cards written")


if __name__ == "__main__":
    main(sys.argv[1:])
