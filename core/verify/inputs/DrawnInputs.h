// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/inputs/InputPlan.h"

#include <cstdint>
#include <list>
#include <vector>

namespace kernelarium::verify {

/// Draws a plan's tensors and keeps them: whoever times one version of a kernel after another wants the same ones again
/// and again, and at a task's published size drawing them takes longer than timing. What it hands out shares its
/// elements with what it keeps: nobody may write to them.
class DrawnInputs {
public:
    /// Keeps `mostBytes` of elements at most, the last used ones; larger ones are drawn every time.
    explicit DrawnInputs(std::uint64_t mostBytes)
        : m_mostBytes(mostBytes) {}

    /// As drawTensors().
    std::vector<tensor::Tensor> draw(const InputPlan& plan, std::uint64_t seed);
    [[nodiscard]] std::uint64_t bytesKept() const;

private:
    struct Drawn {
        std::vector<TensorPlan> plans;
        std::uint64_t seed = 0;
        std::vector<tensor::Tensor> tensors;
        [[nodiscard]] std::uint64_t bytes() const;
    };

    std::uint64_t m_mostBytes;
    std::list<Drawn> m_kept; ///< the last used one first
};

} // namespace kernelarium::verify
