// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/DType.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::tensor {

using Shape = std::vector<std::int64_t>;

/// Elements of a shape; 1 for a scalar, the largest number where there are more than it can hold.
[[nodiscard]] std::int64_t elementCount(const Shape& shape);
[[nodiscard]] std::string toString(const Shape& shape); ///< "[16, 64, 3]"

/// Elements outside this process's memory. Who put them there knows how to get at them.
class Elsewhere {
public:
    virtual ~Elsewhere() = default;
};

/// A dense row-major array, in this process's memory unless said otherwise. Copies share the elements; clone() does
/// not.
class Tensor {
public:
    Tensor() = default;
    /// Elements are zero.
    Tensor(DType dtype, Shape shape);
    /// Elements are undefined: for callers that write all of them, so that the memory need not be
    /// cleared first.
    [[nodiscard]] static Tensor uninitialised(DType dtype, Shape shape);
    /// A tensor without elements, for questions about shapes: defined() is false, bytes() and data() are not to be
    /// used.
    [[nodiscard]] static Tensor shapeOnly(DType dtype, Shape shape);

    /// A tensor whose elements lie elsewhere. Like one without elements for everybody but who knows that place.
    [[nodiscard]] static Tensor placed(DType dtype, Shape shape, std::shared_ptr<Elsewhere> elements);

    /// Over elements that somebody else owns and keeps for as long as this tensor and those that share them are used;
    /// isAligned() holds. For reading only.
    [[nodiscard]] static Tensor lent(DType dtype, Shape shape, const std::byte* elements);
    [[nodiscard]] static bool isAligned(const std::byte* elements) {
        return reinterpret_cast<std::uintptr_t>(elements) % leastAlignment == 0;
    }

    [[nodiscard]] bool defined() const { return m_data != nullptr; }
    [[nodiscard]] const std::shared_ptr<Elsewhere>& elsewhere() const {
        return m_elsewhere;
    } ///< null: they are here, or none
    /// Whether both show the very same elements, wherever these are.
    [[nodiscard]] bool sharesElements(const Tensor& other) const {
        return m_data == other.m_data && m_elsewhere == other.m_elsewhere && (m_data || m_elsewhere);
    }
    [[nodiscard]] DType dtype() const { return m_dtype; }
    [[nodiscard]] const Shape& shape() const { return m_shape; }
    /// Whether it has a shape but no elements in this process's memory.
    [[nodiscard]] bool isShapeOnly() const { return m_shapeOnly; }
    [[nodiscard]] std::int64_t dim() const { return std::int64_t(m_shape.size()); }
    [[nodiscard]] std::int64_t count() const { return m_count; }
    [[nodiscard]] std::size_t byteCount() const { return std::size_t(m_count) * byteSize(m_dtype); }

    [[nodiscard]] std::span<std::byte> bytes() { return {m_data.get(), byteCount()}; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_data.get(), byteCount()}; }
    /// The elements as T; sizeof(T) must be the element size.
    template <class T> [[nodiscard]] T* data() { return reinterpret_cast<T*>(m_data.get()); }
    template <class T> [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(m_data.get()); }

    /// One element as a double (bool as 0 or 1; an int64 beyond 2^53 is rounded).
    [[nodiscard]] double at(std::int64_t index) const;
    void set(std::int64_t index, double value);

    [[nodiscard]] Tensor clone() const;
    /// A copy with every element converted (shares the elements when the type is the same). Floating values turn to
    /// integers by truncation, anything but zero turns to true, NaN included.
    [[nodiscard]] Tensor to(DType dtype) const;
    /// The same elements under another shape of the same count.
    [[nodiscard]] Tensor reshaped(Shape shape) const;

private:
    static constexpr std::size_t leastAlignment = 64;
    void makeRoom();

    DType m_dtype = DType::Float32;
    Shape m_shape;
    std::int64_t m_count = 0;
    bool m_shapeOnly = false;
    std::shared_ptr<std::byte[]> m_data; // 64-byte aligned
    std::shared_ptr<Elsewhere> m_elsewhere;
};

} // namespace kernelarium::tensor
