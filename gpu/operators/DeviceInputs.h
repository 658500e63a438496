// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/inputs/InputPlan.h"
#include "gpu/operators/Device.h"

namespace kernelarium::operators {

/// verify::drawTensor on the device, bit for bit. Errors: "out_of_memory", "launch_failed", "cancelled".
Result<DeviceTensor> drawTensor(Device& device, const verify::TensorPlan& plan, std::size_t index, std::uint64_t seed,
                                std::uint32_t stream = 0);

/// verify::drawTensors on the device: every tensor of the plan.
Result<std::vector<DeviceTensor>> drawTensors(Device& device, const verify::InputPlan& plan, std::uint64_t seed);

} // namespace kernelarium::operators
