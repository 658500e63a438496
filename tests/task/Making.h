// SPDX-License-Identifier: GPL-3.0-or-later
// Short ways to make tensors and to call operators in these tests.
#pragma once

#include "core/task/operators/Operators.h"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace kernelarium {

using tensor::DType;
using tensor::List;
using tensor::Shape;
using tensor::Tensor;
using tensor::Value;

inline Tensor make(Shape shape, const std::vector<double>& values, DType type = DType::Float64) {
    Tensor t(type, std::move(shape));
    for (std::size_t i = 0; i < values.size(); ++i)
        t.set(std::int64_t(i), values[i]);
    return t;
}
/// Numbers in [-1, 1] without a pattern, the same for the same seed.
inline Tensor noise(Shape shape, std::uint32_t seed, DType type = DType::Float64) {
    Tensor t(type, std::move(shape));
    std::uint32_t state = seed * 2654435761u + 1u;
    for (std::int64_t i = 0; i < t.count(); ++i) {
        state = state * 1664525u + 1013904223u;
        t.set(i, double(state >> 8) / double(1 << 23) - 1.0);
    }
    return t;
}
inline Value ints(const Shape& shape) {
    List list;
    for (std::int64_t s : shape)
        list.emplace_back(s);
    return list;
}

/// All results of an operator; throws what it refused.
inline std::vector<Value> callAll(std::string_view op, const std::vector<Value>& arguments,
                                  const tensor::Dict& keywords = {}) {
    auto result = task::evaluateOperator(op, arguments, keywords, {});
    if (!result) throw std::runtime_error(result.error().code + ": " + result.error().message);
    return *std::move(result);
}
inline Tensor call(std::string_view op, const std::vector<Value>& arguments, const tensor::Dict& keywords = {}) {
    return *callAll(op, arguments, keywords).at(0).as<Tensor>();
}
inline std::string errorCode(std::string_view op, const std::vector<Value>& arguments) {
    const auto result = task::evaluateOperator(op, arguments, {}, {});
    return result ? "" : result.error().code;
}
/// Largest difference of two tensors of one shape; infinity where the shapes differ.
inline double distance(const Tensor& a, const Tensor& b) {
    if (a.shape() != b.shape()) return INFINITY;
    double d = 0;
    for (std::int64_t i = 0; i < a.count(); ++i) {
        const double x = a.at(i), y = b.at(i);
        if (std::isnan(x) && std::isnan(y)) continue;
        if (x == y) continue;
        const double e = std::abs(x - y);
        d = std::isnan(e) ? INFINITY : std::max(d, e);
    }
    return d;
}

} // namespace kernelarium
