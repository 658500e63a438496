// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/operators/DeviceGraph.h"

namespace kernelarium::operators {

/// One output element in float32, as a kernel is compared with it, and in float64.
struct AccuracySample {
    std::size_t output = 0;   ///< depth first
    std::int64_t element = 0; ///< row-major number
    double inFloat32 = 0;
    double inFloat64 = 0;
};
/// How far a float32 evaluation is from a float64 one, at some elements.
struct Accuracy {
    std::vector<AccuracySample> samples;
    /// Largest |float32 - float64| / (RMS of the output + |float64|) over the samples where both are finite;
    /// infinity where one is and the other is not, except for float32's own overflow.
    double largestError = 0;
    std::string skipped; ///< why there are no samples: the float64 evaluation does not fit the memory
};

/// `count` elements of an answer in float32, drawn by `seed` and spread over its outputs by their sizes; whole-number
/// outputs, too. Throws Failure.
[[nodiscard]] std::vector<AccuracySample> drawSamples(Device& device, const DeviceValue& inFloat32, std::size_t count,
                                                      std::uint64_t seed);

/// How far they are from float64: evaluates the whole graph in float64 on the device, where the float32 answer need not
/// be any longer. Errors: those of evaluateGraph but for "out_of_memory", which is Accuracy::skipped.
Result<Accuracy> sampleAccuracy(Device& device, const task::Card& card, const task::Symbols& symbols,
                                std::span<const DeviceTensor> inputs, std::vector<AccuracySample> samples,
                                GraphOptions options);

} // namespace kernelarium::operators
