// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/ErrorMap.h"
#include "core/verify/Movement.h"
#include "gpu/operators/PlacedTensors.h"

#include <array>
#include <vector>

namespace kernelarium::operators {

/// What core/verify finds in tensors, found on the device; all of them dense. Sums are added up in another order than
/// the CPU's. Functions throw Failure: "launch_failed", "out_of_memory", "cancelled".

/// What a tensor's elements add up to.
struct ElementSum {
    double sum = 0;
    std::int64_t notFinite = 0; ///< elements that are NaN or infinite
};
[[nodiscard]] ElementSum sumOf(Device& device, const DeviceTensor& t);

/// verify::movementOf. Outputs are of one type and references of one, all of one number of elements.
[[nodiscard]] verify::MovementSums movementOf(Device& device, const DeviceTensor& output0, const DeviceTensor& output1,
                                              const DeviceTensor& reference0, const DeviceTensor& reference1);
/// The same where not all of them fit: what lies in this process's memory goes there by tiles of so many elements. In
/// the order of above.
[[nodiscard]] verify::MovementSums movementByTiles(PlacedTensors& place, const std::array<tensor::Tensor, 4>& tensors,
                                                   std::int64_t tileElements);

/// verify::errorMap; `expected`: the type that the task declares.
[[nodiscard]] verify::ErrorMap errorMapOf(Device& device, const DeviceTensor& got, const DeviceTensor& reference,
                                          std::size_t output, tensor::DType expected,
                                          const verify::Tolerance& tolerance);

/// Elements first, first + step, ... as doubles.
[[nodiscard]] std::vector<double> sampled(Device& device, const DeviceTensor& t, std::int64_t first, std::int64_t step,
                                          std::int64_t count);

} // namespace kernelarium::operators
