# SPDX-License-Identifier: GPL-3.0-or-later
"""How a tensor was drawn, judged by its statistics (min, max, mean, std), and how a card draws it: a weight that is 1
everywhere or a bias that is 0 everywhere hides kernels that leave it out, so these are drawn around their value."""
import math


def rounded(value):
    return float(f"{value:.4g}")


def is_variance(name):
    tail = name.lower().split(".")[-1]
    return "var" in tail.split("_") or tail.endswith("_rv") or "running_var" in tail


def constant(tensor):
    value = tensor.get("mean", tensor.get("min", 0.0)) or 0.0
    if not tensor["shape"]:
        return ["constant", value]
    if is_variance(tensor["name"]):
        return ["uniform", 0.5, 1.5]
    if value == 0.0:
        return ["uniform", -0.5, 0.5]
    return ["uniform", rounded(value * 0.5), rounded(value * 1.5)]


def published(tensor):
    if tensor["dtype"] == "bool":
        return ["booleans", 0.5] if tensor["shape"] else ["constant", float(tensor.get("min", 0))]
    if tensor["dtype"].startswith(("int", "uint")):
        low, high = tensor.get("min", 0), tensor.get("max", 0)
        return ["integers", low, high] if tensor["shape"] else ["constant", low]
    low, high, spread, mean = (tensor.get(key) for key in ("min", "max", "std", "mean"))
    if spread is None or mean is None:
        return ["normal", 0.0, 1.0]
    count = math.prod(tensor["shape"])
    if spread < 1e-6 * max(1.0, abs(mean)) or count == 1:
        if count == 1 and tensor["shape"] and abs(mean) > 1e-6 and abs(mean) != 1.0:
            return ["normal", 0.0, max(0.02, rounded(abs(mean)))]
        return constant(tensor)
    if is_variance(tensor["name"]):
        return ["uniform", 0.5, 1.5]
    if spread < 0.2 and abs(mean) < 0.05 and "running_mean" in tensor["name"]:
        return ["uniform", -0.5, 0.5]
    if tensor["role"] == "input" and abs(mean) < 0.1 and abs(spread - 1.0) < 0.2:
        return ["normal", 0.0, 1.0]
    # A uniform draw spreads over its range: standard deviation / half range is 1/sqrt(3); a normal one stays well below.
    half = (high - low) / 2
    if count >= 8 and abs(spread - half / math.sqrt(3)) < 0.15 * spread or count < 8:
        reach = rounded(max(abs(low), abs(high)) if abs(mean) < half / 2 else half)
        return ["uniform", -reach, reach] if abs(mean) < half / 2 else ["uniform", rounded(low), rounded(high)]
    return ["normal", rounded(mean) if abs(mean) > 0.1 * spread else 0.0, rounded(spread)]
