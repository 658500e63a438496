# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of convolutions and pooling (card_shapes.py)."""
from card_extents import Unclear, number


class Windows:
    def conv(self, a, transposed, defaults):
        a = a + defaults[len(a):]
        x, weight, bias = self.of(a[0]), self.of(a[1]), self.of(a[2])
        rank = len(x) - 2
        groups = a[7] if transposed else a[6]
        groups = groups if isinstance(groups, int) else 1
        for extent in weight[2:]:
            self.x.fix(extent, "kernels stay as published")
        if groups != 1:
            reason = f"{groups} groups divide the channels"
            for extent in (x[1], weight[0], weight[1]):
                self.x.fix(extent, reason)
        else:
            self.x.same(x[1], weight[0 if transposed else 1])
        out = self.x.now(weight[1]).times(groups) if transposed else weight[0]
        if bias is not None:
            self.x.same(bias[0], out)
        self.x.products.append([*x, *weight[1:]] if transposed else [x[0], *weight])
        stride, padding = self.each(a[3], rank), self.each(a[4], rank)
        dilation = self.each(a[8] if transposed else a[5], rank)
        extra = self.each(a[5] if transposed else 0, rank)
        result = [x[0], out]
        for d in range(rank):
            window = dilation[d] * (self.x.now(weight[2 + d]).number() - 1)
            here = self.x.now(x[2 + d])
            if transposed:
                result.append(here.times(stride[d], -stride[d] - 2 * padding[d] + window + extra[d] + 1))
            else:
                result.append(here.times(1, 2 * padding[d] - window - 1).divided(stride[d]).times(1, 1))
        if not transposed:
            self.x.products[-1] += result[2:]
        return result

    def conv2d(self, a):
        return self.conv(a, False, [None, None, None, 1, 0, 1, 1])

    conv1d = conv3d = conv2d

    def conv_transpose2d(self, a):
        a = a + [None, None, None, 1, 0, 0, 1, 1][len(a):]
        return self.conv(a[:6] + [None, *a[6:8]], True, [])

    conv_transpose1d = conv_transpose3d = conv_transpose2d

    def each(self, value, rank):
        value = [value] if isinstance(value, int) else value
        if not isinstance(value, list):
            raise Unclear(f"a window of {value}")
        return value * rank if len(value) == 1 else value

    def pool(self, a, rank, maximum):
        x = self.of(a[0])
        kernel = self.each(a[1], rank)
        stride = self.each(a[2], rank) if len(a) > 2 and a[2] not in ([], None) else kernel
        padding = self.each(a[3] if len(a) > 3 else 0, rank)
        dilation = self.each(a[4] if maximum and len(a) > 4 else 1, rank)
        up = a[(5 if maximum else 4)] if len(a) > (5 if maximum else 4) else False
        result = list(x[:-rank])
        for d in range(rank):
            shrunk = self.x.now(x[d - rank]).times(1, 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1)
            self.x.seen.append([shrunk.times(1, 1)])  # the window fits at least once
            result.append(shrunk.times(1, stride[d] - 1 if up else 0).divided(stride[d]).times(1, 1))
        return result

    def max_pool1d(self, a):
        return self.pool(a, 1, True)

    def max_pool2d(self, a):
        return self.pool(a, 2, True)

    def max_pool3d(self, a):
        return self.pool(a, 3, True)

    def avg_pool1d(self, a):
        return self.pool(a, 1, False)

    def avg_pool2d(self, a):
        return self.pool(a, 2, False)

    def avg_pool3d(self, a):
        return self.pool(a, 3, False)

    def adaptive_avg_pool2d(self, a):
        rank = len(a[1])
        return [*self.of(a[0])[:-rank], *(number(n) for n in a[1])]

    adaptive_avg_pool1d = adaptive_avg_pool3d = adaptive_avg_pool2d
