# SPDX-License-Identifier: GPL-3.0-or-later
"""How each tensor is drawn: the published distribution where it lets a wrong kernel show, a wider one where it does not.

A weight that is 1 everywhere or a bias that is 0 everywhere hides kernels that leave it out, so these are drawn around
the published value.
"""
import math

from card_distributions import published, rounded

VARIED = ["varied", 0.0, 1.0]
# (level, task, tensor) to a fill that the statistics do not show.
SPECIAL = {
    (1, 13, "A"): ["symmetric", 0.0, 0.7071], (1, 13, "B"): ["symmetric", 0.0, 0.7071],
    (1, 14, "A"): ["upper_triangular", 0.0, 1.0], (1, 14, "B"): ["upper_triangular", 0.0, 1.0],
    (1, 15, "A"): ["lower_triangular", 0.0, 1.0], (1, 15, "B"): ["lower_triangular", 0.0, 1.0],
    # A mean over many elements hardly changes from draw to draw, nor from sample to sample, unless the samples differ.
    (1, 94, "predictions"): VARIED, (1, 94, "targets"): VARIED, (1, 95, "predictions"): VARIED,
    (1, 96, "predictions"): VARIED, (1, 96, "targets"): VARIED, (1, 97, "predictions"): ["varied", 1.0, 1.0],
    (1, 97, "targets"): ["varied", 1.0, 1.0],
    (1, 98, "predictions"): ["varied_probabilities"], (1, 98, "targets"): ["varied_probabilities"],
    (1, 100, "predictions"): ["varied", 0.0, 2.0], (2, 8, "x"): VARIED, (2, 42, "x"): VARIED, (2, 45, "x"): VARIED, (2, 65, "x"): VARIED,
    (2, 65, "conv_weight"): ["uniform", -0.1, 0.3],
    # A product of 256 numbers neither vanishes nor overflows.
    (1, 50, "x"): ["uniform", 0.9, 1.1],
    # As published, ReLU leaves nothing.
    (2, 9, "linear_weight"): ["normal", 0.0, 1.0], (2, 9, "linear_bias"): ["uniform", 1.0, 4.0],
    # As published, sums of minima are so negative that GELU leaves nothing.
    (2, 36, "conv_transpose"): ["uniform", -0.02, 0.02], (2, 36, "conv_transpose_bias"): ["uniform", 0.05, 0.1],
    # As published, what comes before the last function is so small that the result is a constant.
    (2, 42, "conv_transpose"): ["uniform", -0.5, 0.5], (2, 45, "linear1_weight"): ["uniform", -1.0, 1.0],
    (2, 48, "scaling_factor"): ["uniform", -2.0, 2.0], (2, 48, "bias"): ["uniform", -2.0, 2.0],
    (2, 49, "conv_transpose"): ["uniform", -0.5, 0.5], (2, 64, "weight"): ["uniform", -0.3, 0.3],
    (1, 100, "targets"): ["signs"],
    (3, 48, "A"): ["uniform", -0.3, 0.0], (3, 49, "A"): ["uniform", -0.3, 0.0],
    (3, 43, "bias"): ["causal_mask"], (3, 44, "params.bias"): ["causal_mask"], (3, 50, "bias"): ["causal_mask"],
}


# Networks through which the published parameters let nothing of the input come: their convolutions and linear layers
# are drawn so that every layer keeps the size of what it is given, with ReLU (K. He and others, 2015), and small biases.
KEEPING = {(3, 7), (3, 11), (3, 12), (3, 18), (3, 20)}
# Recurrent networks likewise: factors on the published weights.
STRETCHED = {(3, 35): 3.0, (3, 38): 3.0}


def keeping(tensor):
    shape = tensor["shape"]
    if len(shape) >= 2:
        return ["normal", 0.0, rounded(math.sqrt(2 / math.prod(shape[1:])))]
    return ["uniform", -0.1, 0.1] if tensor["name"].endswith(("bias", "_b")) and "bn" not in tensor["name"] else None


def fill(row, tensor):
    special = SPECIAL.get((row["level"], row["task"], tensor["name"]))
    if special:
        return special
    if tensor.get("fixed"):
        return ["values", *tensor["values"]]
    if "relative_position_index" in tensor["name"]:
        return ["integers", int(tensor["min"]), int(tensor["max"])]
    if "attn_mask" in tensor["name"]:
        return ["uniform", -2.0, 0.0]
    key = row["level"], row["task"]
    if key in KEEPING and tensor["role"] == "parameter" and keeping(tensor):
        return keeping(tensor)
    if key in STRETCHED and tensor["role"] == "parameter" and len(tensor["shape"]) == 2:
        kind, low, high = published(tensor)
        return [kind, rounded(STRETCHED[key] * low), rounded(STRETCHED[key] * high)]
    return published(tensor)
