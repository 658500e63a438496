# SPDX-License-Identifier: GPL-3.0-or-later
"""Family, notes and shortcomings of a task, from its operators."""
from card_words import base

FAMILIES = [(18, "matmul"), (22, "activation"), (24, "softmax"), (32, "activation"), (40, "normalization"), (46, "pooling"),
            (53, "reduction"), (87, "convolution"), (88, "activation"), (93, "scan"), (100, "loss")]


def family(row, nodes):
    if row["level"] == 1:
        return next(name for last, name in FAMILIES if row["task"] <= last)
    ops = {base(node) for node in nodes}
    if row["level"] == 3:
        if ops & {"lstm", "gru"} or "RNN" in row["name"]:
            return "recurrent"
        if ops & {"scaled_dot_product_attention", "tril"} or {"softmax", "matmul", "layer_norm"} <= ops or "Attention" in row["name"]:
            return "attention"
        return "convolutional" if any(op.startswith("conv") for op in ops) else "network"
    return "fused_convolution" if any(op.startswith("conv") for op in ops) else "fused_matmul"


NOTES = {
    (2, 9): "The published parameters make the output zero everywhere after ReLU; larger ones are drawn.",
    (2, 23): "With the published parameters the mean over the group normalisation is zero; others are drawn.",
    (3, 30): "As in the module form, no paths are dropped and the last layer neither shifts nor masks; as in the functional "
             "form, and in the kernels, what goes into attention and MLP is normalised, not what comes out.",
}
# Tasks whose output says nothing of the work, whatever the inputs and parameters are.
DEGENERATE = {
    (2, 13): "The softmax runs over a single channel and gives 1: the output is 2 tanh(1) everywhere.",
    (2, 66): "The softmax runs over a single value and gives 1, whatever comes before and whatever dropout leaves out.",
    (2, 80): "The mean of a single column is that column: subtracting it leaves zero everywhere.",
    (2, 83): "The minimum with 0 followed by a clamp to [0, 1] leaves zero everywhere.",
    (3, 28): "The attention runs over the batch, not the patches: the class token, of which the output is made, never sees "
             "the image.",
}


def notes(row, sizes):
    found = []
    if (row["level"], row["task"]) in NOTES:
        found.append(NOTES[row["level"], row["task"]])
    table = sizes.table()
    if table["full"] == table.get("small"):
        found.append("The small size is the full size" + ("." if "odd" in table else ": the graph leaves no size free."))
    if isinstance(row.get("module_graph"), dict):
        found.append("The graph is that of the module form.")
    return found


def degenerate(row):
    why = DEGENERATE.get((row["level"], row["task"]))
    return {"degenerate": why} if why else {}
