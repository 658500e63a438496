// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/operators/Elementwise.h"

#include <QByteArray>
#include <string>
#include <vector>

namespace kernelarium::test {

/// Numbers from -1 to 1.
[[nodiscard]] tensor::Tensor values(tensor::DType type, tensor::Shape shape, int seed);

/// The largest difference, in parts of the largest value.
[[nodiscard]] double difference(operators::Device& device, const operators::DeviceTensor& got,
                                const operators::DeviceTensor& expected);

/// Runs forward on the GPU and in the emulator. What is wrong there: it did not finish, something was computed on the
/// processor, a guard band is damaged, or an element is off by more than `allowed` and 2e-3 of itself; empty where
/// nothing is.
[[nodiscard]] QByteArray notAsEmulated(const std::string& source, const std::vector<tensor::Value>& arguments,
                                       double allowed);

} // namespace kernelarium::test
