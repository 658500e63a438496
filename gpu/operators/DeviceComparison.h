// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Comparison.h"
#include "gpu/operators/Device.h"
#include "gpu/operators/DeviceTensor.h"

#include <functional>

namespace kernelarium::operators {

/// How outputs are compared on a device.
struct CompareOptions {
    verify::Tolerance tolerance;
    std::int64_t tileElements =
        1 << 24; ///< judged by one launch; of a reference in host memory, that many are uploaded
    std::stop_token stop;
    std::function<void(double)> progress; ///< share of the elements judged, 0 to 1
};

/// What verify::compare finds, for outputs on the device, with a reference there (float64, or the float32
/// that stands for it) or in this process's memory. Memory beside the tensors: a tile of the reference at
/// most, and copies of outputs that are not dense. Everything but the three root mean squares is what the CPU
/// would say of the same elements; those are summed in another order and may differ by some 1e-13 of
/// themselves (and with them whether an element exactly at a tolerance's edge is beyond it). Errors:
/// "out_of_memory", "launch_failed", "cancelled".
Result<verify::Comparison> compare(Device& device, std::span<const DeviceTensor> got,
                                   std::span<const DeviceTensor> reference,
                                   const std::vector<tensor::DType>& expectedTypes, const CompareOptions& options);
Result<verify::Comparison> compare(Device& device, std::span<const DeviceTensor> got,
                                   std::span<const tensor::Tensor> reference,
                                   const std::vector<tensor::DType>& expectedTypes, const CompareOptions& options);

/// verify::rootMeanSquare of a dense tensor on the device.
Result<double> rootMeanSquare(Device& device, const DeviceTensor& t);

} // namespace kernelarium::operators
