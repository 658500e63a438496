# SPDX-License-Identifier: GPL-3.0-or-later
"""What a tensor is drawn like, where its statistics do not say: triangles, masks, signs, probabilities, fixed tables."""
import torch

import card_distributions
from card_row import ExportError

LARGEST_TABLE = 4096


def spread(values):
    return [card_distributions.rounded(float(values.double().mean())) if abs(float(values.double().mean())) > 0.1 else 0.0,
            card_distributions.rounded(float(values.double().std(unbiased=False)))]


def of_square(tensor):
    """Of square matrices: triangles and symmetric ones."""
    n = tensor.shape[-1]
    if n < 3 or not tensor.is_floating_point():
        return None
    lower = torch.equal(tensor, tensor.tril())
    if lower and torch.equal(tensor, torch.ones_like(tensor).tril()):
        return ["causal_mask"]
    upper = torch.equal(tensor, tensor.triu())
    if lower != upper:
        return ["lower_triangular" if lower else "upper_triangular", *spread(tensor[tensor != 0])]
    if not upper and torch.equal(tensor, tensor.transpose(-1, -2)) and float(tensor.std()) > 1e-6:
        return ["symmetric", *spread(tensor)]
    return None


def of_values(tensor):
    """Of numbers that are signs, whole, or shares of 1."""
    if not tensor.is_floating_point() or tensor.numel() < 16 or float(tensor.std()) < 1e-6:
        return None
    if torch.equal(tensor, tensor.round()):
        low, high = int(tensor.min()), int(tensor.max())
        return ["signs"] if (low, high) == (-1, 1) and not (tensor == 0).any() else ["integers", low, high]
    if tensor.shape[-1] > 1 and (tensor >= 0).all() and torch.allclose(tensor.sum(-1), torch.ones(()), atol=1e-4):
        return ["probabilities"]
    return None


def fill(tensor, facts, again):
    """`again`: the same facts of a second execution with other random numbers."""
    square = tensor.dim() >= 2 and tensor.shape[-1] == tensor.shape[-2]
    found = (of_square(tensor) if square else None) or of_values(tensor)
    if found:
        return found
    varied = facts.get("std") and facts["std"] > 1e-6 * max(1.0, abs(facts["mean"]))
    if varied and facts == again and tensor.numel() > 1:
        # No random numbers: a table (of positions, of indices), which kernels may rely on.
        if tensor.numel() > LARGEST_TABLE and facts["role"] == "input":
            return card_distributions.published(facts)  # a row may seed its own inputs
        if tensor.numel() > LARGEST_TABLE:
            raise ExportError("fixed_tensor", f"{facts['name']} is a fixed table of {tensor.numel()} numbers, which no "
                              "distribution of a card gives.", "Use another kernel as the reference.")
        return ["values", *map(float, tensor.flatten().tolist())]
    return card_distributions.published(facts)
