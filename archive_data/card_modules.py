# SPDX-License-Identifier: GPL-3.0-or-later
"""The tasks whose functional form does not run or export: their graph comes from the module form."""
import re

from card_graph import NoCard, references


def words(name):
    name = name.lower().replace("batch_norm", "bn").replace("batchnorm", "bn")
    return set(re.split(r"[._]+", name)) - {"", "weight", "p", "b", "params"}


def used_names(nodes):
    return {name for node in nodes if "op" in node for name in references(node["args"])}


def by_alias(item, row):
    """The call's tensor that card_module_forms found for a parameter or buffer of the module."""
    index = row["aliases"].get(item["target"])
    if index is None:
        raise NoCard(f"the call has no tensor for the module form's {item['target']}")
    if row["tensors"][index]["shape"] != item["shape"]:
        raise NoCard(f"the module form's {item['target']} has another shape than the call's {row['tensors'][index]['name']}")
    return index


def by_shape(item, row, free):
    """The call's tensor of that shape whose name shares most words with the module's."""
    tensors = row["tensors"]
    fits = [index for index in free if tensors[index]["shape"] == item["shape"]]
    if not fits:
        raise NoCard(f"no tensor of the call has the shape of the module form's {item['target']}")
    target = words(item["target"])
    best = max(fits, key=lambda index: (len(target & words(tensors[index]["name"])), -index))
    if len(fits) > 1 and not target & words(tensors[best]["name"]):
        raise NoCard(f"the module form's {item['target']} cannot be told among the call's tensors")
    free.remove(best)
    return best


def tensor_names(row):
    """Names of the module graph's inputs, to the index of the call's tensor."""
    inputs = row["module_graph"]["inputs"]
    tensors = row["tensors"]
    free = list(range(len(tensors)))
    names = {}
    used = used_names(row["module_graph"]["nodes"])
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
        names[item["node"]] = by_alias(item, row) if "aliases" in row else by_shape(item, row, free)
    for node, tensor in row.get("placeholders_by_name", {}).items():
        names[node] = tensor
    return names
