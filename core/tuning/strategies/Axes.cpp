// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Axes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace kernelarium::tuning {
namespace {

std::optional<double> numberOf(const Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return double(*whole);
    if (const auto* real = std::get_if<double>(&value); real != nullptr && std::isfinite(*real)) return *real;
    if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1.0 : 0.0;
    return std::nullopt;
}

Axes::Axis axisOf(const Parameter& parameter) {
    Axes::Axis axis;
    const std::size_t count = parameter.values.size();
    std::vector<double> numbers;
    for (const Value& value : parameter.values)
        if (const auto number = numberOf(value)) numbers.push_back(*number);
    axis.ordered = numbers.size() == count;
    axis.byRank.resize(count);
    std::iota(axis.byRank.begin(), axis.byRank.end(), 0U);
    if (axis.ordered)
        std::stable_sort(axis.byRank.begin(), axis.byRank.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return numbers[a] < numbers[b]; });
    axis.rankOf.resize(count);
    for (std::uint32_t rank = 0; rank < count; ++rank)
        axis.rankOf[axis.byRank[rank]] = rank;

    axis.place.assign(count, 0);
    if (!axis.ordered) {
        for (std::size_t i = 0; i < count; ++i)
            axis.place[i] = count > 1 ? double(i) / double(count - 1) : 0;
        return axis;
    }
    double least = numbers[axis.byRank.front()], largest = numbers[axis.byRank.back()];
    if (least > 0 && largest >= 8 * least) {
        for (double& number : numbers)
            number = std::log(number);
        least = std::log(least);
        largest = std::log(largest);
    }
    for (std::size_t i = 0; i < count; ++i)
        axis.place[i] = largest > least ? (numbers[i] - least) / (largest - least) : 0;
    return axis;
}

} // namespace

Axes::Axes(const Space& space) {
    m_axes.reserve(space.parameters().size());
    for (const Parameter& parameter : space.parameters())
        m_axes.push_back(axisOf(parameter));
}

std::vector<double> Axes::places(const Point& point) const {
    std::vector<double> places(m_axes.size());
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        places[i] = m_axes[i].place[point.at[i]];
    return places;
}

} // namespace kernelarium::tuning
