// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/Space.h"

#include <limits>
#include <utility>

namespace kernelarium::tuning {

Space::Space(std::vector<Parameter> parameters, std::vector<Restriction> restrictions)
    : m_parameters(std::move(parameters))
    , m_restrictions(std::move(restrictions)) {}

std::uint64_t Space::size() const {
    std::uint64_t size = 1;
    for (const Parameter& p : m_parameters)
        if (__builtin_mul_overflow(size, std::uint64_t(p.values.size()), &size))
            return std::numeric_limits<std::uint64_t>::max();
    return size;
}

const Space::Restriction* Space::forbids(const Point& point) const {
    Values values;
    values.reserve(m_parameters.size());
    for (std::size_t i = 0; i < m_parameters.size(); ++i)
        values.push_back(&value(point, i));
    for (const Restriction& restriction : m_restrictions)
        if (!restriction.allows(values)) return &restriction;
    return nullptr;
}

Point Space::start() const {
    Point point;
    for (const Parameter& p : m_parameters)
        point.at.push_back(std::uint32_t(p.start));
    return point;
}

Point Space::point(std::uint64_t number) const {
    Point point;
    point.at.resize(m_parameters.size());
    for (std::size_t i = m_parameters.size(); i-- > 0;) {
        const std::uint64_t values = m_parameters[i].values.size();
        point.at[i] = std::uint32_t(number % values);
        number /= values;
    }
    return point;
}

std::uint64_t Space::number(const Point& point) const {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < m_parameters.size(); ++i)
        number = number * m_parameters[i].values.size() + point.at[i];
    return number;
}

} // namespace kernelarium::tuning
