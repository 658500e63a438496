// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensorview/Elements.h"

#include <cmath>

namespace kernelarium::tensorview {

using tensor::DType;

DType Elements::dtype() const {
    if (!isDifference()) return m_tensor.dtype();
    const bool whole = !tensor::isFloating(m_tensor.dtype()) && !tensor::isFloating(m_other.dtype());
    return whole ? DType::Int64 : DType::Float64;
}

std::int64_t Elements::integerAt(std::int64_t element) const {
    const auto whole = [element](const tensor::Tensor& t) {
        return t.dtype() == DType::Int64 ? t.data<std::int64_t>()[element] : std::int64_t(t.at(element));
    };
    // As unsigned numbers: where the difference does not fit, it wraps round, as it does in the kernel's own type.
    return isDifference() ? std::int64_t(std::uint64_t(whole(m_tensor)) - std::uint64_t(whole(m_other)))
                          : whole(m_tensor);
}

double Elements::difference(std::int64_t element) const {
    if (m_tensor.dtype() == DType::Int64 && m_other.dtype() == DType::Int64) {
        const std::int64_t got = m_tensor.data<std::int64_t>()[element],
                           expected = m_other.data<std::int64_t>()[element];
        return double((long double)(got) - (long double)(expected)); // 64 bits of mantissa
    }
    const double got = m_tensor.at(element), expected = m_other.at(element);
    if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0;
    return got - expected;
}

tensor::Shape indexOf(std::int64_t element, const tensor::Shape& shape) {
    tensor::Shape index(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        index[d] = shape[d] ? element % shape[d] : 0;
        element = shape[d] ? element / shape[d] : 0;
    }
    return index;
}

std::int64_t elementAt(const tensor::Shape& index, const tensor::Shape& shape) {
    std::int64_t element = 0;
    for (std::size_t d = 0; d < shape.size(); ++d)
        element = element * shape[d] + index[d];
    return element;
}

} // namespace kernelarium::tensorview
