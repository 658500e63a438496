// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Tensor.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kernelarium::tensor {

struct Value;
using List = std::vector<Value>;
using Dict = std::vector<std::pair<std::string, Value>>; ///< in insertion order, as Python keeps it

/// What an operator or a `forward` takes and gives: PyTorch's IValue in the kinds that occur here.
/// std::monostate is None.
struct Value {
    using Kind = std::variant<std::monostate, bool, std::int64_t, double, std::string, DType, Tensor, List, Dict>;
    Kind kind;

    Value() = default;
    Value(bool v)
        : kind(v) {}
    Value(std::int64_t v)
        : kind(v) {}
    Value(int v)
        : kind(std::int64_t(v)) {}
    Value(double v)
        : kind(v) {}
    Value(std::string v)
        : kind(std::move(v)) {}
    Value(const char* v)
        : kind(std::string(v)) {}
    Value(DType v)
        : kind(v) {}
    Value(Tensor v)
        : kind(std::move(v)) {}
    Value(List v)
        : kind(std::move(v)) {}
    Value(Dict v)
        : kind(std::move(v)) {}

    [[nodiscard]] bool isNone() const { return std::holds_alternative<std::monostate>(kind); }
    template <class T> [[nodiscard]] const T* as() const { return std::get_if<T>(&kind); }
    template <class T> [[nodiscard]] T* as() { return std::get_if<T>(&kind); }
};

/// Every tensor inside a value, depth first, in order.
void collectTensors(const Value& value, std::vector<Tensor>& out);

} // namespace kernelarium::tensor
