# SPDX-License-Identifier: GPL-3.0-or-later
"""What the emulator finishes in seconds with all checks."""

SMALL_MULTIPLY_ADDS = 5_000_000
SMALL_ELEMENTS = 120_000


def like_full(value, full, stretch=1.4):
    """The size near `value` with as many of the full size's powers of two as it can afford: kernels vectorise and tile
    by them and rely on what divides the full size. `stretch` is how much larger it may get for that."""
    step = 32
    while step > 1 and (full % step or step > stretch * value):
        step //= 2
    return min(full, max(step, step * round(value / step)))
