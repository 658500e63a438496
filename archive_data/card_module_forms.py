# SPDX-License-Identifier: GPL-3.0-or-later
"""What each task that is made from its module form needs besides the exported graph: which tensor of the call a
parameter of the module is, and where the functional form, which the kernels follow, computes something else."""
import copy
import math
import re

from card_graph import NoCard, references

MODULE_FORMS = {}


def form(task):
    def register(function):
        MODULE_FORMS[3, task] = function
        return function
    return register


def completed(row, twin):
    """The row and its batch-2 twin with call, tensors and aliases (target of the module form to index of a tensor)."""
    change = MODULE_FORMS.get((row["level"], row["task"]))
    if change:
        row, twin = copy.deepcopy(row), copy.deepcopy(twin)
        change(row)
        if twin and not twin.get("tensors"):
            twin["tensors"] = twin_tensors(row, twin)
        for side in (row, twin):
            if side and "module_graph" in side:
                GRAPH_EDITS.get((row["level"], row["task"]), lambda _: None)(side)
    if not (row.get("tensors") and row.get("call")):
        raise NoCard("the facts have no call for it")
    return row, twin


def twin_tensors(row, twin):
    """The call's tensors at batch 2, where only the module form was exported."""
    inputs = [item["shape"] for item in twin["module_graph"]["inputs"] if item["kind"] == "USER_INPUT"]
    tensors = copy.deepcopy(row["tensors"])
    for tensor, shape in zip((tensor for tensor in tensors if tensor["role"] == "input"), inputs):
        tensor["shape"] = shape
    return tensors


def targets(row, *kinds):
    return [item["target"] for item in row["module_graph"]["inputs"]
            if item["kind"] in kinds and not str(item["target"]).endswith("num_batches_tracked")]


def in_order(names, indices):
    if len(names) != len(indices):
        raise NoCard(f"the module form has {len(names)} tensors where the call has {len(indices)}")
    return dict(zip(names, indices))


def fixed(tensor, *values):
    """Numbers that steer the kernel and are never drawn."""
    tensor["values"], tensor["fixed"] = list(values), True


def rename_arguments(row, names):
    """The call's arguments under the names that the kernels' own argument lists have."""
    renamed = dict(zip((entry["name"] for entry in row["call"]), names))
    for entry, name in zip(row["call"], names):
        entry["name"] = name
    for tensor in row["tensors"]:
        head, dot, tail = tensor["name"].partition(".")
        tensor["name"] = renamed.get(head, head) + dot + tail


def normalise_with_running_statistics(row):
    """The functional forms normalise with the running statistics, whatever the module form was exported with."""
    graph = row["module_graph"]
    counters = {item["node"] for item in graph["inputs"] if str(item["target"]).endswith("num_batches_tracked")}
    graph["nodes"] = [node for node in graph["nodes"] if "op" not in node or not counters & {
        argument.get("ref") for argument in node["args"] if isinstance(argument, dict)}]
    for node in graph["nodes"]:
        if node.get("op") == "aten.batch_norm.default":
            node["args"][5] = False


@form(20)
def mobile_net(row):
    tensors = row["tensors"]
    strides = [1, 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1]
    weights, buffers = [], []
    for index, tensor in enumerate(tensors):
        name = tensor["name"]
        if name.endswith("stride"):
            fixed(tensor, strides[int(re.search(r"block(\d+)_", name).group(1))])
        elif name.endswith("residual"):
            fixed(tensor, 0.0)  # zero as published; kernels leave it out, as the module form does
        elif tensor["role"] == "parameter":
            (buffers if "running" in name else weights).append(index)
    row["aliases"] = in_order(targets(row, "PARAMETER"), weights) | in_order(targets(row, "BUFFER"), buffers)


SHUFFLE_NAMES = ["x", "conv1_weight", "bn1_weight", "bn1_bias", "bn1_running_mean", "bn1_running_var", "conv5_weight",
                 "bn5_weight", "bn5_bias", "bn5_running_mean", "bn5_running_var", "fc_weight", "fc_bias", "stage2_params",
                 "stage3_params", "stage4_params", "in_channels", "groups", "stage2_repeats", "stage3_repeats",
                 "stage4_repeats", "stages_out_channels"]
NORMALISATION = ["weight", "bias", "running_mean", "running_var"]
# A unit's twenty tensors: three convolutions and the shortcut's, each with its normalisation.
SHUFFLE_UNIT = [f"{part}.{key}" for conv, bn in (("conv1", "bn1"), ("conv2", "bn2"), ("conv3", "bn3"),
                                                 ("shortcut.0", "shortcut.1"))
                for part, key in [(conv, "weight"), *((bn, key) for key in NORMALISATION)]]


@form(26)
def shuffle_net(row):
    rename_arguments(row, SHUFFLE_NAMES)
    aliases = {}
    for entry in row["call"]:
        name = entry["name"]
        if "tensor" in entry and name != "x":
            aliases[re.sub(r"^(conv\d|bn\d|fc)_", r"\1.", name)] = entry["tensor"]
        elif name.endswith("_params"):
            for place, item in enumerate(entry["list"]):
                unit, part = divmod(place, len(SHUFFLE_UNIT))
                aliases[f"{name[:6]}.{unit}.{SHUFFLE_UNIT[part]}"] = item["tensor"]
    row["aliases"] = aliases


VIT_LAYER = ["self_attn.in_proj_weight", "self_attn.in_proj_bias", "self_attn.out_proj.weight", "self_attn.out_proj.bias",
             "linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias", "norm1.weight", "norm1.bias",
             "norm2.weight", "norm2.bias"]


@form(28)
def vision_transformer(row):
    names = ["img", "patch_size", "pos_embedding", "patch_to_embedding.weight", "patch_to_embedding.bias", "cls_token", "dropout"]
    names += [f"transformer.layers.{layer}.{part}" for layer in range(6) for part in VIT_LAYER]
    names += ["dim", "heads", "mlp_head.0.weight", "mlp_head.0.bias", "mlp_head.3.weight", "mlp_head.3.bias"]
    rename_arguments(row, [name.replace(".", "_") for name in names])
    row["aliases"] = {name: entry["tensor"] for name, entry in zip(names, row["call"]) if "tensor" in entry}


def statistics(shape, kind):
    """Of a tensor as PyTorch initialises it: what the facts would say of it."""
    if kind in ("one", "zero"):
        value = 1.0 if kind == "one" else 0.0
        return {"mean": value, "std": 0.0, "min": value, "max": value}
    bound = 1 / math.sqrt(math.prod(shape[1:]))
    return {"mean": 0.0, "std": bound / math.sqrt(3), "min": -bound, "max": bound}


@form(29)
def swin_mlp(row):
    """forward(x, proj_weight, proj_bias, norm_weight, norm_bias, patches_resolution, patch_size, embed_dim, num_layers,
    layer_params, depths, num_heads, window_size, mlp_ratio, drop_rate, drop_path_rate, num_features, norm_weight_2,
    norm_bias_2, head_weight, head_bias, training): the argument list of the kernels that were written for it."""
    row["tensors"], row["aliases"] = [], {}
    shapes = {item["target"]: item["shape"] for item in row["module_graph"]["inputs"]}

    def tensor(name, target=None, shape=None, kind=None, dtype="float32"):
        shape = shapes[target] if target else shape
        kind = kind or ("zero" if name.endswith("bias") or "_bias_" in name else "one" if "norm" in name else "drawn")
        entry = {"name": name, "role": "parameter", "shape": shape, "dtype": dtype}
        row["tensors"].append(entry | (statistics(shape, kind) if dtype == "float32" else {}))
        if target:
            row["aliases"][target] = len(row["tensors"]) - 1
        return {"tensor": len(row["tensors"]) - 1}

    def plain(value):
        return {"list": [{"value": item} for item in value]} if isinstance(value, list) else {"value": value}

    row["tensors"].append({"name": "x", "role": "input", "shape": shapes[None], "dtype": "float32", "mean": 0.0, "std": 1.0,
                           "min": -5.0, "max": 5.0})
    depths = [2, 2, 6, 2]
    call = {"x": {"tensor": 0},
            "proj_weight": tensor("proj_weight", "patch_embed.proj.weight"), "proj_bias": tensor("proj_bias", "patch_embed.proj.bias"),
            "norm_weight": tensor("norm_weight", "patch_embed.norm.weight"), "norm_bias": tensor("norm_bias", "patch_embed.norm.bias"),
            "patches_resolution": plain([56, 56]), "patch_size": plain(4), "embed_dim": plain(96), "num_layers": plain(4)}
    params = {}
    for layer, depth in enumerate(depths):
        for block in range(depth):
            for part in ("norm1", "spatial_mlp", "norm2", "mlp.fc1", "mlp.fc2"):
                for key in ("weight", "bias"):
                    name = f"layer{layer}_{part.replace('mlp.', '')}_{key}_{block}"
                    params[name] = tensor("layer_params." + name, f"layers.{layer}.blocks.{block}.{part}.{key}")
        if layer < 3:
            before = f"layer{layer}_downsample_"
            for name, part in (("norm_weight", "norm.weight"), ("norm_bias", "norm.bias"), ("reduction_weight", "reduction.weight")):
                params[before + name] = tensor("layer_params." + before + name, f"layers.{layer}.downsample.{part}")
            params[before + "reduction_bias"] = tensor(f"layer_params.{before}reduction_bias", shape=[192 << layer])
            fixed(row["tensors"][-1], 0.0)  # the module form's reduction has none
            params[f"layer{layer}_dim"] = tensor(f"layer_params.layer{layer}_dim", shape=[], dtype="int64")
            fixed(row["tensors"][-1], 96 << layer)
    call |= {"layer_params": {"dict": params}, "depths": plain(depths), "num_heads": plain([3, 6, 12, 24]), "window_size": plain(7),
             "mlp_ratio": plain(4.0), "drop_rate": plain(0.0), "drop_path_rate": plain(0.1), "num_features": plain(768),
             "norm_weight_2": tensor("norm_weight_2", "norm.weight"), "norm_bias_2": tensor("norm_bias_2", "norm.bias"),
             "head_weight": tensor("head_weight", "head.weight"), "head_bias": tensor("head_bias", "head.bias"), "training": plain(True)}
    row["call"] = [{"name": name} | value for name, value in call.items()]


SWIN_PARTS = {"attn.cpb_mlp.0.weight": "cpb_mlp_weight0", "attn.cpb_mlp.0.bias": "cpb_mlp_bias0",
              "attn.cpb_mlp.2.weight": "cpb_mlp_weight1"}


def swin_alias(target):
    """The name in the call's dictionaries of a parameter or buffer of the Swin transformer."""
    found = re.fullmatch(r"layers\.(\d+)\.(?:blocks\.(\d+)|downsample)\.(.+)", target)
    if not found:
        return {"patch_embed.proj.weight": "patch_embed_proj", "patch_embed.proj.bias": "patch_embed_bias"}.get(
            target, target.replace(".", "_"))
    layer, block, part = found.groups()
    name = SWIN_PARTS.get(part) or re.sub(r"^(attn|mlp)\.", "", part).replace(".", "_")
    return f"{name}_layer{layer}" + ("" if block is None else f"_block{block}")


@form(30)
def swin_transformer(row):
    rename_arguments(row, ["x", "param_dict", "buffer_dict"])
    places = {}
    for index, tensor in enumerate(row["tensors"]):
        head, _, name = tensor["name"].partition(".")
        places[name] = index
        if name.startswith(("drop_path_rate", "dpr")):
            fixed(tensor, 0.0)  # the functional form draws dropped paths at random, the module form has none
        elif name in ("shift_size_layer3_block1", "attn_mask_layer3_block1"):
            fixed(tensor, 0.0)  # the module form neither shifts nor masks where a window is the whole image
        elif head == "buffer_dict" and "values" in tensor:
            fixed(tensor, *tensor["values"])
    row["aliases"] = {target: places.get(swin_alias(target)) for target in targets(row, "PARAMETER", "BUFFER")}


@form(48)
def mamba(row):
    row["aliases"] = {tensor["name"]: index for index, tensor in enumerate(row["tensors"]) if tensor["name"] in "ABC"}
    row["placeholders_by_name"] = {"initial_states": next(index for index, tensor in enumerate(row["tensors"])
                                                          if tensor["name"] == "initial_states")}


def whole_number_indices(row):
    """The call holds the position indices as floating-point numbers."""
    nodes = row["module_graph"]["nodes"]
    floats = {item["node"] for item in row["module_graph"]["inputs"] if str(item["target"]).endswith("relative_position_index")}
    for place, node in reversed(list(enumerate(nodes))):
        for argument in node.get("args", []):
            if isinstance(argument, dict) and argument.get("ref") in floats:
                name = argument["ref"] + "_whole"
                cast = {"name": name, "op": "aten.to.dtype", "args": [{"ref": argument["ref"]}, {"str": "torch.int64"}],
                        "kwargs": {}, "out": {"shape": [49, 49], "dtype": "int64"}}
                argument["ref"] = name
                nodes.insert(place, cast)


def bound_of_the_scale(row):
    """The scale's bound is the logarithm of a constant tensor: a number here."""
    graph = row["module_graph"]
    limits = {item["node"]: math.log(item["values"][0]) for item in graph["inputs"] if item["kind"] == "CONSTANT_TENSOR"}
    kept = []
    for node in graph["nodes"]:
        source = next((argument.get("ref") for argument in node.get("args", []) if isinstance(argument, dict)), None)
        if node.get("op") in ("aten.lift_fresh_copy.default", "aten.detach_.default", "aten.log.default") and source in limits:
            limits[node["name"]] = limits[source]
            continue
        if node.get("op") == "aten.clamp.Tensor":
            node["op"], node["args"][2] = "aten.clamp.default", limits[node["args"][2]["ref"]]
        kept.append(node)
    graph["nodes"] = kept


def normalise_before(row):
    """The functional form, and the kernels with it, normalises what goes into attention and into the MLP; the module form
    what comes out of them."""
    nodes = row["module_graph"]["nodes"]
    for norm in [node for node in nodes if node.get("op") == "aten.layer_norm.default"]:
        source, weight = norm["args"][0]["ref"], norm["args"][2]["ref"]
        if "_blocks_" not in weight:
            continue
        add = next(node for node in nodes if node.get("op") == "aten.add.Tensor" and node["args"][1] == {"ref": norm["name"]})
        entering = add["args"][0]["ref"]
        head = next(node for node in nodes if node is not add and entering in references(node.get("args", [])))
        head["args"] = [{"ref": norm["name"]} if argument == {"ref": entering} else argument for argument in head["args"]]
        add["args"][1], norm["args"][0] = {"ref": source}, {"ref": entering}
        nodes.remove(norm)
        nodes.insert(nodes.index(head), norm)


def swin_edits(row):
    normalise_before(row)
    whole_number_indices(row)
    bound_of_the_scale(row)


def given_initial_states(row):
    """The functional form takes the states before the first chunk as an argument; the module form puts zeros there."""
    nodes = row["module_graph"]["nodes"]
    for node in nodes:
        if node.get("name") == "cat":
            node["args"][0][0]["ref"] = "initial_states"
    row["module_graph"]["nodes"] = [node for node in nodes if node.get("name") != "zeros_like"]


GRAPH_EDITS = {(3, 20): normalise_with_running_statistics, (3, 26): normalise_with_running_statistics,
               (3, 30): swin_edits, (3, 48): given_initial_states}
