# SPDX-License-Identifier: GPL-3.0-or-later
"""The tasks whose functional form does not run or export: their graph comes from the module form."""
import re

from card_graph import NoCard


def completed(row):
    """The row with a call and tensors, where the facts leave them out."""
    if row.get("tensors") and row.get("call"):
        return row
    raise NoCard("the facts have no call for it")


def words(name):
    name = name.lower().replace("batch_norm", "bn").replace("batchnorm", "bn")
    return set(re.split(r"[._]+", name)) - {"", "weight", "p", "b", "params"}


def tensor_names(row):
    """Names of the module graph's inputs, to the index of the call's tensor; and numbers for buffers without one."""
    inputs = row["module_graph"]["inputs"]
    tensors = row["tensors"]
    free = list(range(len(tensors)))
    names, constants = {}, {}
    used = {ref for node in row["module_graph"]["nodes"] if "op" in node for ref in refs(node["args"])}
    users = [item for item in inputs if item["kind"] == "USER_INPUT"]
    places = [index for index in free if tensors[index]["role"] == "input"]
    for item, index in zip(users, places):
        if item["shape"] != tensors[index]["shape"]:
            raise NoCard(f"the input {item['node']} of the module form has another shape than the call's")
        names[item["node"]] = index
        free.remove(index)
    for item in inputs:
        if item["kind"] == "USER_INPUT" or item["node"] not in used:
            continue
        fits = [index for index in free if tensors[index]["shape"] == item["shape"]]
        if not fits:
            raise NoCard(f"no tensor of the call has the shape of the module form's {item['target']}")
        target = words(item["target"])
        best = max(fits, key=lambda index: (len(target & words(tensors[index]["name"])), -index))
        shared = len(target & words(tensors[best]["name"]))
        if len(fits) > 1 and shared == 0:
            raise NoCard(f"the module form's {item['target']} cannot be told among the call's tensors")
        names[item["node"]] = best
        free.remove(best)
    return names, constants


def refs(argument):
    if isinstance(argument, dict) and "ref" in argument:
        yield argument["ref"]
    elif isinstance(argument, list):
        for item in argument:
            yield from refs(item)
