// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Call.h"

namespace kernelarium::task::operators {

// What the arguments of operators say, for whoever computes them: this room on the CPU, others on a device.

/// Dimensions that are reduced, ascending, and whether they stay as 1.
struct ReducedDims {
    Shape dims;
    bool keep = false;
};
/// Of the overloads that take them; all dimensions where there are none.
[[nodiscard]] ReducedDims reducedDims(const Call& call, std::int64_t rank, std::size_t dimAt, std::size_t keepAt);
/// Of the overloads that reduce everything.
[[nodiscard]] ReducedDims everyDim(std::int64_t rank);

/// var.dim(self, dim, unbiased, keepdim), var.correction(self, dim, *, correction, keepdim), var.default(self,
/// unbiased), and those of std, var_mean and std_mean.
struct VarianceArguments {
    ReducedDims where;
    double correction = 1.0; ///< degrees of freedom taken off
};
[[nodiscard]] VarianceArguments varianceArguments(const Call& call, std::int64_t rank);

/// linalg_vector_norm(self, ord, dim, keepdim), norm.ScalarOpt_dim(self, p, dim, keepdim), norm.Scalar(self, p)
struct NormArguments {
    double order = 2.0;
    ReducedDims where;
};
[[nodiscard]] NormArguments normArguments(const Call& call, std::int64_t rank);

/// normalize(input, p, dim, eps): input / max(|input|, eps)
struct NormalizeArguments {
    double order = 2.0;
    std::int64_t dim = 1; ///< wrapped
    double eps = 1e-12;
};
[[nodiscard]] NormalizeArguments normalizeArguments(const Call& call, std::int64_t rank);

/// alpha of add and sub (`sign` -1), with its sign.
[[nodiscard]] double addedScale(const Call& call, double sign);

enum class Rounding { none, floor, trunc };
/// rounding_mode of div.
[[nodiscard]] Rounding roundingOf(const Call& call);

} // namespace kernelarium::task::operators
