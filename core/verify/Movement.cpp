// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Movement.h"

#include "core/verify/Chunks.h"

#include <cmath>

namespace kernelarium::verify {

MovementSums movementOf(const tensor::Tensor& output0, const tensor::Tensor& output1, const tensor::Tensor& reference0,
                        const tensor::Tensor& reference1) {
    MovementSums all;
    const auto sums = [&](std::int64_t from, std::int64_t to) {
        MovementSums part;
        for (std::int64_t i = from; i < to; ++i) {
            const double before = reference0.at(i);
            const double r = reference1.at(i) - before;
            const double g = output1.at(i) - output0.at(i);
            if (!std::isfinite(r) || !std::isfinite(g)) continue;
            part.reference += r * r;
            part.output += g * g;
            part.difference += (g - r) * (g - r);
            part.scale += before * before;
        }
        return part;
    };
    for (const MovementSums& part : chunkwise<MovementSums>(reference0.count(), sums)) {
        all.reference += part.reference;
        all.output += part.output;
        all.difference += part.difference;
        all.scale += part.scale;
    }
    return all;
}

} // namespace kernelarium::verify
