// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/Tensor.h"

#include "core/tensor/MemoryReuse.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <type_traits>

namespace kernelarium::tensor {

std::int64_t elementCount(const Shape& shape) {
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
    std::int64_t n = 1;
    for (std::int64_t s : shape)
        if (__builtin_mul_overflow(n, s, &n)) return std::numeric_limits<std::int64_t>::max();
    return n;
}

std::string toString(const Shape& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

Tensor::Tensor(DType dtype, Shape shape)
    : m_dtype(dtype)
    , m_shape(std::move(shape))
    , m_count(elementCount(m_shape)) {
    makeRoom();
    std::memset(m_data.get(), 0, byteCount());
}

Tensor Tensor::uninitialised(DType dtype, Shape shape) {
    Tensor t = shapeOnly(dtype, std::move(shape));
    t.m_shapeOnly = false;
    t.makeRoom();
    return t;
}

void Tensor::makeRoom() {
    constexpr std::size_t large = 1 << 20;
    constexpr auto alignment = std::align_val_t(leastAlignment);
    const std::size_t size = std::max<std::size_t>(byteCount(), 1);
    if (size >= large)
        m_data = std::shared_ptr<std::byte[]>(takeBlock(size), [size](std::byte* p) { endBlock(p, size); });
    else
        m_data = std::shared_ptr<std::byte[]>(static_cast<std::byte*>(::operator new(size, alignment)),
                                              [](std::byte* p) { ::operator delete(p, alignment); });
}

Tensor Tensor::shapeOnly(DType dtype, Shape shape) {
    Tensor t;
    t.m_dtype = dtype;
    t.m_count = elementCount(shape);
    t.m_shape = std::move(shape);
    t.m_shapeOnly = true;
    return t;
}

Tensor Tensor::lent(DType dtype, Shape shape, const std::byte* elements) {
    assert(isAligned(elements));
    Tensor t = shapeOnly(dtype, std::move(shape));
    t.m_shapeOnly = false;
    t.m_data = std::shared_ptr<std::byte[]>(const_cast<std::byte*>(elements), [](std::byte*) {});
    return t;
}

Tensor Tensor::placed(DType dtype, Shape shape, std::shared_ptr<Elsewhere> elements) {
    Tensor t = shapeOnly(dtype, std::move(shape));
    t.m_elsewhere = std::move(elements);
    return t;
}

double Tensor::at(std::int64_t i) const {
    switch (m_dtype) {
    case DType::UInt8: return data<std::uint8_t>()[i];
    case DType::Int8: return data<std::int8_t>()[i];
    case DType::Int16: return data<std::int16_t>()[i];
    case DType::Int32: return data<std::int32_t>()[i];
    case DType::Int64: return double(data<std::int64_t>()[i]);
    case DType::Float16: return halfToFloat(data<std::uint16_t>()[i]);
    case DType::BFloat16: return bfloatToFloat(data<std::uint16_t>()[i]);
    case DType::Float8E5m2:
    case DType::Float8E4m3fn: return float8ToFloat(m_dtype, data<Float8>()[i]);
    case DType::Float32: return data<float>()[i];
    case DType::Float64: return data<double>()[i];
    case DType::Bool: return data<std::uint8_t>()[i] ? 1.0 : 0.0;
    }
    return 0.0;
}

void Tensor::set(std::int64_t i, double value) {
    switch (m_dtype) {
    case DType::UInt8: data<std::uint8_t>()[i] = std::uint8_t(value); break;
    case DType::Int8: data<std::int8_t>()[i] = std::int8_t(value); break;
    case DType::Int16: data<std::int16_t>()[i] = std::int16_t(value); break;
    case DType::Int32: data<std::int32_t>()[i] = std::int32_t(value); break;
    case DType::Int64: data<std::int64_t>()[i] = std::int64_t(value); break;
    case DType::Float16: data<std::uint16_t>()[i] = floatToHalf(float(value)); break;
    case DType::BFloat16: data<std::uint16_t>()[i] = floatToBfloat(float(value)); break;
    case DType::Float8E5m2:
    case DType::Float8E4m3fn: data<Float8>()[i] = floatToFloat8(m_dtype, float(value)); break;
    case DType::Float32: data<float>()[i] = float(value); break;
    case DType::Float64: data<double>()[i] = value; break;
    case DType::Bool: data<std::uint8_t>()[i] = value != 0.0; break;
    }
}

Tensor Tensor::clone() const {
    if (!defined()) return *this;
    Tensor copy = uninitialised(m_dtype, m_shape);
    std::memcpy(copy.m_data.get(), m_data.get(), byteCount());
    return copy;
}

namespace {
template <class F> void withLoadable(DType type, F f) {
    switch (type) {
    case DType::UInt8: f(std::uint8_t{}); break;
    case DType::Int8: f(std::int8_t{}); break;
    case DType::Int16: f(std::int16_t{}); break;
    case DType::Int32: f(std::int32_t{}); break;
    case DType::Int64: f(std::int64_t{}); break;
    case DType::Float32: f(float{}); break;
    case DType::Float64: f(double{}); break;
    case DType::Bool: f(std::uint8_t{}); break;
    case DType::Float16:
    case DType::BFloat16: f(std::uint16_t{}); break;
    case DType::Float8E5m2:
    case DType::Float8E4m3fn: f(Float8{}); break;
    }
}
/// The element as a number of a native type.
template <class T> auto load(DType type, T raw) {
    if constexpr (std::is_same_v<T, std::uint16_t>)
        return type == DType::Float16 ? halfToFloat(raw) : bfloatToFloat(raw);
    else if constexpr (std::is_same_v<T, Float8>)
        return float8ToFloat(type, raw);
    else
        return raw;
}
template <class To, class From> To convertElement(DType to, From value) {
    if constexpr (std::is_same_v<To, std::uint16_t>)
        return to == DType::Float16 ? floatToHalf(float(value)) : floatToBfloat(float(value));
    else if constexpr (std::is_same_v<To, Float8>)
        return floatToFloat8(to, float(value));
    else if constexpr (std::is_same_v<To, std::uint8_t>)
        return to == DType::Bool ? To(value != From(0)) : To(std::int64_t(value));
    else if constexpr (std::is_integral_v<To>)
        return To(std::int64_t(value));
    else
        return To(value);
}
} // namespace

Tensor Tensor::to(DType dtype) const {
    if (dtype == m_dtype) return *this;
    if (m_shapeOnly) return shapeOnly(dtype, m_shape);
    Tensor copy = uninitialised(dtype, m_shape);
    withLoadable(m_dtype, [&](auto fromTag) {
        using From = decltype(fromTag);
        withLoadable(dtype, [&](auto toTag) {
            using To = decltype(toTag);
            const From* from = data<From>();
            To* to = copy.data<To>();
            for (std::int64_t i = 0; i < m_count; ++i)
                to[i] = convertElement<To>(dtype, load(m_dtype, from[i]));
        });
    });
    return copy;
}

Tensor Tensor::reshaped(Shape shape) const {
    // Shapes come from cards, which anybody may write: a view of elements that are not there must never be made.
    if (elementCount(shape) != m_count)
        throw std::invalid_argument("a tensor of shape " + toString(m_shape) + " cannot be seen as " + toString(shape));
    Tensor view = *this;
    view.m_shape = std::move(shape);
    return view;
}

} // namespace kernelarium::tensor
