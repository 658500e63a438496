// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Tensor.h"

#include <cstdint>

namespace kernelarium::tensorview {

/// The elements of a tensor, or of the difference of two with as many elements, as doubles by their row-major number.
/// Nothing is copied; the tensors have their elements in this process's memory.
class Elements {
public:
    explicit Elements(tensor::Tensor tensor)
        : m_tensor(std::move(tensor))
        , m_shape(m_tensor.shape()) {}
    /// `tensor` - `other`, in the shape of the second. Whole numbers are subtracted exactly and then rounded; NaN of
    /// both is no difference, nor is the same infinity.
    Elements(tensor::Tensor tensor, tensor::Tensor other)
        : m_tensor(std::move(tensor))
        , m_other(std::move(other))
        , m_shape(m_other.shape()) {}

    [[nodiscard]] const tensor::Shape& shape() const { return m_shape; }
    [[nodiscard]] std::int64_t count() const { return m_tensor.count(); }
    [[nodiscard]] bool isDifference() const { return m_other.defined(); }
    /// Of the first tensor; of a difference float64, but for whole numbers.
    [[nodiscard]] tensor::DType dtype() const;
    [[nodiscard]] double at(std::int64_t element) const {
        return m_other.defined() ? difference(element) : m_tensor.at(element);
    }
    /// Of int64 as it is; of other types as at().
    [[nodiscard]] std::int64_t integerAt(std::int64_t element) const;

private:
    [[nodiscard]] double difference(std::int64_t element) const;

    tensor::Tensor m_tensor;
    tensor::Tensor m_other; ///< not defined: there is none
    tensor::Shape m_shape;
};

/// Index of an element by its row-major number, and back.
[[nodiscard]] tensor::Shape indexOf(std::int64_t element, const tensor::Shape& shape);
[[nodiscard]] std::int64_t elementAt(const tensor::Shape& index, const tensor::Shape& shape);

} // namespace kernelarium::tensorview
