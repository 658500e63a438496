// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensorview/ValueText.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::tensorview {

namespace {

constexpr double mostExact = 9007199254740992.0; // 2^53
constexpr int leastDigits = 6, mostDigits = 17;

} // namespace

std::string valueText(double value, tensor::DType dtype, int digits) {
    const bool isWhole = !tensor::isFloating(dtype) && std::abs(value) <= mostExact && std::trunc(value) == value;
    return isWhole ? fmt::format("{:.0f}", value) : fmt::format("{:.{}g}", value, digits);
}

int digitsOfEdges(const Histogram& h) {
    if (h.counts.empty() || !(h.low < h.high)) return leastDigits;
    const double largest = std::max(std::abs(h.low), std::abs(h.high));
    const double width = h.high / double(h.counts.size()) - h.low / double(h.counts.size());
    if (!(width > 0)) return mostDigits;
    return int(std::clamp(std::ceil(std::log10(largest / width)) + 2, double(leastDigits), double(mostDigits)));
}

} // namespace kernelarium::tensorview
