# SPDX-License-Identifier: GPL-3.0-or-later
"""Sizes found by hand. HAND: symbols with their full, small and, where card_odd.py does not choose it, odd values, and
the dimensions of the call's tensors that they name. ODD_FORBIDDEN: what keeps a task from having an odd size.
CALL_SIZES: numbers of the call that are extents, as vTENSOR_DIMENSION (card_extents.py). SMALL_BATCH: small batches. SPATIAL: small heights and widths of networks that take any image. LITERALS:
numbers in a graph that are sizes although the batch-2 export does not show it."""

HAND = {}


def matmul(task, symbols, a, b):
    HAND[1, task] = {"symbols": symbols, "dims": {0: a, 1: b}}


matmul(1, {"N": (2048, 192, 97)}, ["N", "N"], ["N", "N"])
matmul(2, {"M": (1024, 128, 71), "K": (4096, 256, 97), "N": (2048, 192, 47)}, ["M", "K"], ["K", "N"])
matmul(3, {"B": (128, 4, 5), "M": (128, 128, 37), "K": (256, 64, 53), "N": (512, 192, 47)}, ["B", "M", "K"], ["B", "K", "N"])
matmul(4, {"M": (256, 64, 37), "K": (131072, 4096, 1009)}, ["M", "K"], ["K", None])
matmul(6, {"M": (256, 64, 37), "K": (131072, 2048, 1009), "N": (256, 64, 47)}, ["M", "K"], ["K", "N"])
matmul(7, {"M": (16384, 256, 71), "K": (32, 32, 31), "N": (16384, 320, 97)}, ["M", "K"], ["K", "N"])
matmul(8, {"M": (8205, 205, 101), "K": (2949, 149, 67), "N": (5921, 121, 53)}, ["M", "K"], ["K", "N"])
matmul(9, {"M": (16384, 320, 97), "N": (16, 16, 17)}, ["M", "N"], ["N", "M"])
matmul(10, {"N": (16, 2, 3), "M": (1024, 64, 37), "K": (2048, 128, 71), "L": (768, 192, 47)}, ["N", "M", "K"], ["K", "L"])
matmul(11, {"B": (16, 2, 3), "I": (256, 4, 5), "J": (512, 16, 7), "L": (256, 64, 53), "K": (768, 192, 47)},
       ["B", "I", "J", "L"], ["L", "K"])
matmul(12, {"N": (4096, 256, 97)}, ["N"], ["N", "N"])
for square in (13, 14, 15):
    matmul(square, {"N": (4096, 192, 97)}, ["N", "N"], ["N", "N"])
matmul(16, {"M": (1024, 128, 71), "K": (4096, 192, 97), "N": (2048, 256, 47)}, ["K", "M"], ["K", "N"])
matmul(17, {"M": (1024, 128, 71), "K": (4096, 192, 97), "N": (2048, 256, 47)}, ["M", "K"], ["N", "K"])
matmul(18, {"M": (1024, 128, 71), "K": (4096, 192, 97), "N": (2048, 256, 47)}, ["K", "M"], ["N", "K"])
HAND[1, 5] = {"symbols": {"M": (16384, 192, 97), "N": (4096, 512, 101)}, "dims": {0: ["M", "N"]}}

# Functions of [16, 16384] and norms of rows of it.
for task in [*range(19, 33), 38, 39]:
    HAND[1, task] = {"symbols": {"B": (16, 4, 3), "N": (16384, 16384, 997)}, "dims": {0: ["B", "N"]}}
HAND[1, 88] = {"symbols": {"B": (2000, 48, 37), "N": (2000, 2000, 127)}, "dims": {0: ["B", "N"]}}
for task in [*range(89, 93)]:
    HAND[1, task] = {"symbols": {"B": (128, 8, 3), "N": (4000, 4000, 1009)}, "dims": {0: ["B", "N"]}}
HAND[1, 93] = {"symbols": {"B": (128, 8, 3), "N": (4000, 4000, 1009)}, "dims": {0: ["B", "N"], 1: ["B", "N"]}}
for task in (94, 96, 97, 98):
    HAND[1, task] = {"symbols": {"B": (128, 16, 5), "N": (4096, 4096, 1009)}, "dims": {0: ["B", "N"], 1: ["B", "N"]}}
HAND[1, 99] = {"symbols": {"B": (128, 16, 5), "N": (4096, 4096, 1009)}, "dims": {i: ["B", "N"] for i in range(3)}}
HAND[1, 95] = {"symbols": {"B": (4096, 192, 61)}, "dims": {0: ["B", None], 1: ["B"]}}
HAND[1, 100] = {"symbols": {"B": (128, 96, 37)}, "dims": {0: ["B", None], 1: ["B"]}}
for task in range(47, 54):
    HAND[1, task] = {"symbols": {"B": (16, 2, 3), "M": (256, 256, 37), "N": (256, 256, 53)}, "dims": {0: ["B", "M", "N"]}}

# [B, C, H, W] of which H and W are free.
def images(task, batch, height, width=None):
    symbols = {"B": batch, "H": height}
    if width:
        symbols["W"] = width
    HAND[1, task] = {"symbols": symbols, "dims": {0: ["B", None, "H", "W" if width else "H"]}}


for task in (33, 34, 35, 36, 37):
    images(task, (16, 2), (256, 32))
images(40, (16, 2), (256, 16))
HAND[1, 40]["dims"].update({1: [None, "H", "H"], 2: [None, "H", "H"]})
images(42, (16, 2), (128, 32))
images(45, (16, 2), (256, 32))
images(55, (16, 2), (128, 16), (256, 32))
images(56, (16, 2), (256, 32), (128, 16))
images(57, (16, 2), (128, 16))
images(62, (16, 2), (256, 16))
images(63, (16, 2), (256, 16))
images(65, (16, 2), (128, 8))
images(69, (16, 2), (16, 8), (32, 16))
images(71, (16, 2), (128, 8), (256, 16))
images(75, (16, 2), (128, 8), (256, 16))
images(78, (16, 2), (128, 8), (256, 16))
images(80, (16, 2), (256, 32))
images(81, (16, 2), (64, 8), (128, 16))
for task in (82, 83):
    images(task, (16, 2), (256, 32))
for task in (84, 85):
    images(task, (16, 2), (128, 32), (256, 64))
images(86, (16, 2), (256, 32))
images(87, (16, 2), (256, 32))


def lines(task, length, batch=(16, 4)):
    HAND[1, task] = {"symbols": {"B": batch, "L": length}, "dims": {0: ["B", None, "L"]}}


lines(41, (128, 96))
lines(44, (128, 96))
lines(64, (128, 96))
lines(67, (512, 192))
lines(74, (256, 96))
lines(76, (256, 128))
lines(79, (128, 64))


def volumes(task, names, symbols, batch=(16, 2)):
    HAND[1, task] = {"symbols": {"B": batch, **symbols}, "dims": {0: ["B", None, *names]}}


volumes(43, "DDD", {"D": (64, 16)})
volumes(46, "DDD", {"D": (64, 16)})
volumes(54, "DDD", {"D": (64, 8)})
volumes(58, "DHW", {"D": (16, 4), "H": (32, 4), "W": (64, 8)})
volumes(59, "HHD", {"H": (256, 16), "D": (12, 4)})
volumes(60, "DDD", {"D": (64, 8)})
volumes(61, "DDD", {"D": (32, 8)})
volumes(66, "DHW", {"D": (35, 9), "H": (55, 11), "W": (73, 15)}, (1, 1))
volumes(68, "DDD", {"D": (64, 4)})
volumes(70, "DHW", {"D": (16, 4), "H": (32, 8), "W": (64, 8)})
volumes(72, "DHW", {"D": (16, 4), "H": (32, 4), "W": (64, 8)})
volumes(73, "DHH", {"D": (16, 4), "H": (32, 4)})
volumes(77, "DHH", {"D": (16, 4), "H": (32, 4)})

# The layer normalisation runs over the width, which is therefore structure.
HAND[2, 3] = {"symbols": {"B": (128, 1), "D": (16, 2), "H": (32, 4)}, "dims": {0: ["B", None, "D", "H", None]}}
HAND[2, 34] = {"symbols": {"B": (128, 1), "D": (16, 2), "H": (32, 2)}, "dims": {0: ["B", None, "D", "H", None]}}
# The second input has the size of the transposed convolution's result.
HAND[2, 26] = {"symbols": {"B": (128, 2), "D": (16, 4)},
               "dims": {0: ["B", None, "D", "D", "D"], 1: ["B", None, "D*2", "D*2", "D*2"]}}

# Recurrent nets: sequences shorter than 512.
for task in (35, 36, 37, 38):
    HAND[3, task] = {"symbols": {"B": (10, 2), "T": (512, 4 if task == 38 else 8)}, "dims": {0: ["B", "T", None]}}
for task in (39, 40, 41, 42):
    HAND[3, task] = {"symbols": {"B": (10, 2), "T": (512, 8)}, "dims": {0: ["T", "B", None]}}
# Transformers: shorter contexts.
HAND[3, 43] = {"symbols": {"B": (128, 1), "T": (512, 16)}, "dims": {0: ["B", "T", None]}}
HAND[3, 44] = {"symbols": {"B": (128, 1), "T": (512, 8)}, "dims": {0: ["B", "T", None]}}
HAND[3, 50] = {"symbols": {"B": (16, 1), "T": (1024, 16)}, "dims": {0: ["B", "T", None], 3: [None, None, "T", "T"]}}
HAND[3, 31] = {"symbols": {"H": (64, 8)}, "dims": {0: [None, None, "H", "H"]}}
# The vision transformer's image is P patches of 16 wide and high.
HAND[3, 28] = {"symbols": {"B": (2, 1), "P": (14, 2)},
               "dims": {0: ["B", None, "P*16", "P*16"], 1: [None, "P*P+1", None]}}
# The windows of the Swin networks, and the last pooling of MobileNet, fix the image.
for task in (19, 29, 30):
    HAND[3, task] = {"symbols": {"B": (10, 1)}, "dims": {0: ["B", None, None, None]}}
# ShuffleNet names the sizes of its features, a quarter of the image's.
HAND[3, 26] = {"symbols": {"B": (10, 1), "Q": (56, 8)}, "dims": {0: ["B", None, "Q*4", "Q*4"]}}
# Square images of networks whose graph names the sizes nowhere.
SPATIAL = {
    (3, 6): {"H": 8}, (3, 7): {"H": 32}, (3, 8): {"H": 16}, (3, 9): {"H": 32}, (3, 10): {"H": 32}, (3, 13): {"H": 16},
    (3, 14): {"H": 8}, (3, 15): {"H": 32}, (3, 16): {"H": 32}, (3, 17): {"H": 32}, (3, 18): {"H": 64}, (3, 20): {"H": 32},
    (3, 21): {"H": 8}, (3, 22): {"H": 32}, (3, 23): {"H": 32}, (3, 24): {"H": 32}, (3, 25): {"H": 8}, (3, 27): {"H": 16},
    (3, 45): {"H": 16, "W": 32},
}

# Archived kernels that give a block to each element of the output need fewer of them.
SMALL_BATCH = {(2, 1): 4}

LITERALS = {
    (1, 40): {256: "H"},
    (3, 25): {224: "H"},
    (3, 31): {64: "H", 4096: "H*H"},
    (3, 43): {512: "T"},
    (3, 44): {512: "T"},
    (3, 50): {1024: "T", 16: "B"},
}

# The same, but only in the shapes that reshaping operators are given.
SHAPE_LITERALS = {
    (3, 26): {10: "B", 56: "Q"},
    (3, 28): {2: "B", 197: "P*P+1", 394: "B*P*P+B", 1576: "P*P*8+8"},
}

ODD_FORBIDDEN = {
    (3, 26): "the image's sides are four times those of the first features",
    (3, 28): "the image is a whole number of patches of 16 x 16",
    (3, 29): "the image is a whole number of windows of 7 x 7 after each of four halvings",
    (3, 30): "the image is a whole number of windows of 7 x 7 after each of four halvings",
    (3, 31): "4 heads divide the 128 channels",
    (3, 32): "the image is a whole number of patches of 4 x 4",
    (3, 43): "8 heads divide the 768 features",
    (3, 44): "8 heads divide the 768 features",
    (3, 45): "what four poolings halve is doubled again and put beside what was there: the sides are multiples of 16",
    (3, 48): "the sequence is a whole number of chunks of 64",
    (3, 49): "the sequence is a whole number of blocks of 64",
    (3, 50): "12 heads divide the 768 features",
}

CALL_SIZES = {
    (3, 38): {"hidden_size": "v1_2", "output_size": "v52_0"},
    (3, 46): {"feature_size": "v0_2"},
    (3, 47): {"feature_size": "v0_2"},
}
