# SPDX-License-Identifier: GPL-3.0-or-later
"""What a graph does, in words."""

PHRASES = {
    "conv1d": "1-D convolution", "conv2d": "2-D convolution", "conv3d": "3-D convolution",
    "conv_transpose1d": "1-D transposed convolution", "conv_transpose2d": "2-D transposed convolution",
    "conv_transpose3d": "3-D transposed convolution", "linear": "linear layer", "matmul": "matrix product",
    "mm": "matrix product", "bmm": "batched matrix product", "einsum": "contraction", "batch_norm": "batch normalisation",
    "instance_norm": "instance normalisation", "group_norm": "group normalisation", "layer_norm": "layer normalisation",
    "relu": "ReLU", "relu6": "ReLU6", "leaky_relu": "leaky ReLU", "gelu": "GELU", "mish": "Mish", "elu": "ELU", "selu": "SELU",
    "sigmoid": "sigmoid", "tanh": "tanh", "hardswish": "hard swish", "hardsigmoid": "hard sigmoid", "hardtanh": "hard tanh",
    "softplus": "softplus", "softmax": "softmax", "log_softmax": "log-softmax", "logsumexp": "log-sum-exp",
    "max_pool1d": "max pooling", "max_pool2d": "max pooling", "max_pool3d": "max pooling",
    "avg_pool1d": "average pooling", "avg_pool2d": "average pooling", "avg_pool3d": "average pooling",
    "adaptive_avg_pool2d": "global average pooling", "adaptive_avg_pool3d": "global average pooling",
    "add": "addition", "sub": "subtraction", "rsub": "subtraction from a number", "mul": "multiplication",
    "multiply": "multiplication", "div": "division", "clamp": "clamping", "clamp_min": "lower bound", "sum": "sum",
    "mean": "mean", "max": "maximum", "min": "minimum", "argmax": "index of the maximum", "argmin": "index of the minimum",
    "prod": "product of elements", "var": "variance", "linalg_vector_norm": "vector norm", "pow": "power", "sqrt": "square root",
    "abs": "absolute value", "cumsum": "running sum", "cumprod": "running product", "flip": "reversal", "tril": "lower triangle",
    "triu": "upper triangle", "diag": "diagonal matrix", "mse_loss": "mean squared error", "smooth_l1_loss": "smooth L1 loss",
    "cross_entropy_loss": "cross entropy", "kl_div": "Kullback-Leibler divergence", "cosine_similarity": "cosine similarity",
    "triplet_margin_loss": "triplet margin loss", "lstm": "LSTM", "gru": "GRU", "log": "logarithm", "exp": "exponential",
    "scaled_dot_product_attention": "scaled dot-product attention", "roll": "cyclic shift",
}


def base(node):
    op = node[1]
    return op.split(".")[1] if op.startswith("aten.") else op


def steps(nodes):
    """Phrases of the operators in order, repeats in a row counted."""
    result = []
    for node in nodes:
        phrase = PHRASES.get(base(node))
        if phrase and result and result[-1][0] == phrase:
            result[-1][1] += 1
        elif phrase:
            result.append([phrase, 1])
    return [phrase if times == 1 else f"{phrase} ({times} times)" for phrase, times in result]


def summary(nodes):
    chain = steps(nodes)
    if not chain:
        return "Moves elements without arithmetic."
    if len(chain) > 12:
        counts = {}
        for node in nodes:
            phrase = PHRASES.get(base(node))
            if phrase:
                counts[phrase] = counts.get(phrase, 0) + 1
        most = sorted(counts.items(), key=lambda item: -item[1])[:4]
        return f"A network of {len(nodes)} operators, most of them " + ", ".join(f"{n} x {p}" for p, n in most) + "."
    text = ", then ".join(chain) + "."
    return text[0].upper() + text[1:]
