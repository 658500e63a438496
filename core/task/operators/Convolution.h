// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Spatial.h"

#include <optional>

namespace kernelarium::task::operators {

/// A convolution over up to three spatial dimensions, input [N, C, D, H, W], missing dimensions 1.
struct ConvolutionPlan {
    std::int64_t batch = 1, inChannels = 1, outChannels = 1, groups = 1;
    Three in{}, out{}, kernel{}, stride{1, 1, 1}, padding{}, dilation{1, 1, 1};

    [[nodiscard]] std::int64_t inPerGroup() const { return inChannels / groups; }
    [[nodiscard]] std::int64_t outPerGroup() const { return outChannels / groups; }
};

/// weight [outChannels, inPerGroup, kernel...]; results for every output position.
void convolve(const Call& call, const ConvolutionPlan& plan, const Tensor& x, const Tensor& weight,
              const std::optional<Tensor>& bias, Tensor& out);
/// weight [inChannels, outPerGroup, kernel...]; each input position spreads over `out` (the plan's `in` is
/// the smaller side as for the forward convolution of which this is the transpose, seen from the input).
void convolveTransposed(const Call& call, const ConvolutionPlan& plan, const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias, Tensor& out);

} // namespace kernelarium::task::operators
