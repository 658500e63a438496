// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/ArgumentReading.h"

namespace kernelarium::task::operators {

ReducedDims reducedDims(const Call& call, std::int64_t rank, std::size_t dimAt, std::size_t keepAt) {
    return {wrapDims(call.optionalIntegers(dimAt, "dim"), rank), call.flag(keepAt, "keepdim", false)};
}

ReducedDims everyDim(std::int64_t rank) {
    return {wrapDims(std::nullopt, rank), false};
}

VarianceArguments varianceArguments(const Call& call, std::int64_t rank) {
    constexpr std::size_t byNameOnly = 9;
    if (call.name().ends_with(".correction"))
        return {reducedDims(call, rank, 1, byNameOnly), call.number(byNameOnly, "correction", 1.0)};
    if (call.name().ends_with(".default")) return {everyDim(rank), call.flag(1, "unbiased", true) ? 1.0 : 0.0};
    return {reducedDims(call, rank, 1, 3), call.flag(2, "unbiased", true) ? 1.0 : 0.0};
}

NormArguments normArguments(const Call& call, std::int64_t rank) {
    const double order = call.number(1, "p", call.number(1, "ord", 2.0));
    return {order, call.name() == "aten.norm.Scalar" ? everyDim(rank) : reducedDims(call, rank, 2, 3)};
}

NormalizeArguments normalizeArguments(const Call& call, std::int64_t rank) {
    return {call.number(1, "p", 2.0), wrapDim(call.integer(2, "dim", 1), rank), call.number(3, "eps", 1e-12)};
}

double addedScale(const Call& call, double sign) {
    return sign * call.number(2, "alpha", 1.0);
}

Rounding roundingOf(const Call& call) {
    const std::string mode = call.text(2, "rounding_mode", "");
    require(mode.empty() || mode == "floor" || mode == "trunc",
            "div expected rounding_mode to be one of None, 'trunc', or 'floor'.");
    return mode == "floor" ? Rounding::floor : mode == "trunc" ? Rounding::trunc : Rounding::none;
}

} // namespace kernelarium::task::operators
