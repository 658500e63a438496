// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/verify/Comparison.h"
#include "core/verify/ErrorMap.h"
#include "core/verify/Movement.h"
#include "core/verify/inputs/InputPlan.h"

#include <cstdint>
#include <vector>

namespace kernelarium::verify {

/// Elements of a tensor that are looked at: `count` of them, every `step`-th from `first` on, by row-major number.
struct Sampling {
    std::int64_t first = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;
};

/// Where a verification's tensors are made and looked at: this process's memory, or a device's, from which only what
/// was found comes back. What the tensors are called with, and what came of it, may lie in either.
///
/// Everything is what core/verify's own functions say of the same elements: bit for bit, but for sums, which another
/// place may add up in another order (some 1e-13 of themselves). Errors: "out_of_memory" (what did not fit, and where),
/// "cancelled", and what the device itself fails with.
class Workplace {
public:
    virtual ~Workplace() = default;

    virtual Result<tensor::Tensor> draw(const TensorPlan& plan, std::size_t index, std::uint64_t seed,
                                        std::uint32_t stream) = 0;
    /// Every element times a factor.
    virtual Result<tensor::Tensor> scaled(const tensor::Tensor& t, double factor) = 0;
    /// A copy whose sampled elements are those of another tensor of the same shape and type.
    virtual Result<tensor::Tensor> mixed(const tensor::Tensor& t, const tensor::Tensor& other,
                                         const std::vector<Sampling>& changed) = 0;
    /// A tensor like another one whose elements are all the same number.
    virtual Result<tensor::Tensor> filled(const tensor::Tensor& like, double value) = 0;
    /// The elements in another type, under another shape of the same count.
    virtual Result<tensor::Tensor> converted(const tensor::Tensor& t, tensor::DType type, tensor::Shape shape) = 0;

    virtual Result<std::vector<double>> elements(const tensor::Tensor& t, const Sampling& which) = 0;
    virtual Result<double> rms(const tensor::Tensor& t) = 0; ///< rootMeanSquare()
    virtual Result<double> mean(const tensor::Tensor& t) = 0;
    virtual Result<bool> allFinite(const tensor::Tensor& t) = 0;
    virtual Result<bool> sameBits(const tensor::Tensor& a, const tensor::Tensor& b) = 0; ///< types and shapes, too
    virtual Result<Comparison> compare(const tensor::Value& got, const tensor::Value& reference,
                                       const std::vector<tensor::DType>& expectedTypes, const Tolerance& tolerance) = 0;
    virtual Result<MovementSums> movement(const tensor::Tensor& output0, const tensor::Tensor& output1,
                                          const tensor::Tensor& reference0, const tensor::Tensor& reference1) = 0;
    virtual Result<ErrorMap> errorMap(const tensor::Value& got, const tensor::Value& reference, std::size_t output,
                                      const std::vector<tensor::DType>& expectedTypes, const Tolerance& tolerance) = 0;
};

/// This process's memory. It has no state: one for everybody.
[[nodiscard]] Workplace& hostWorkplace();

} // namespace kernelarium::verify
