// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Value.h"

#include <cstdint>
#include <vector>

namespace kernelarium::test {

/// One operator with arguments that a task's graph does not reach.
struct OperatorCase {
    const char* name;
    const char* op;
    std::vector<tensor::Value> arguments;
};
const std::vector<OperatorCase>& operatorCases();

/// Whole numbers from -9 to 8 without a pattern.
tensor::Tensor wholeNoise(tensor::Shape shape, std::uint32_t seed);

} // namespace kernelarium::test
