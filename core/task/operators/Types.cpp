// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/Types.h"

#include <algorithm>
#include <optional>

namespace kernelarium::task::operators {

namespace {
int kindOf(DType t) {
    return isFloating(t) ? 2 : t == DType::Bool ? 0 : 1;
}
} // namespace

DType promoteTypes(DType a, DType b) {
    if (a == b) return a;
    if (kindOf(a) != kindOf(b)) return kindOf(a) > kindOf(b) ? a : b;
    if (kindOf(a) == 2) {
        if (a == DType::Float64 || b == DType::Float64) return DType::Float64;
        return DType::Float32; // float32 with a narrower one, or float16 with bfloat16
    }
    const bool mixedSign = (a == DType::UInt8) != (b == DType::UInt8);
    const DType wider = tensor::byteSize(a) >= tensor::byteSize(b) ? a : b;
    if (mixedSign && tensor::byteSize(wider) == 1) return DType::Int16;
    return wider;
}

DType promote(std::span<const Operand> operands) {
    // Three groups, each promoted within itself: tensors with dimensions, without, and plain numbers.
    std::optional<DType> groups[3];
    for (const Operand& o : operands) {
        DType type = o.dtype;
        if (o.isNumber && isFloating(type)) type = DType::Float32;
        std::optional<DType>& g = groups[o.isNumber ? 2 : o.hasDimensions ? 0 : 1];
        g = g ? promoteTypes(*g, type) : type;
    }
    std::optional<DType> result;
    for (const std::optional<DType>& g : groups)
        if (g && (!result || kindOf(*g) > kindOf(*result))) result = g;
    return result.value_or(DType::Float32);
}

Input input(const Call& call, std::size_t index, std::string_view key) {
    const Value* value = call.find(index, key);
    Tensor t = call.tensorOrScalar(index, key);
    const bool number = value && !value->as<Tensor>();
    return {t, {t.dtype(), t.dim() > 0, number}};
}

Tensor floating(const Tensor& t) {
    return isFloating(t.dtype()) ? t : t.to(DType::Float32);
}

DType computeType(DType type) {
    if (type == DType::Float64) return DType::Float64;
    return isFloating(type) ? DType::Float32 : DType::Int64;
}

} // namespace kernelarium::task::operators
