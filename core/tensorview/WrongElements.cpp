// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensorview/WrongElements.h"

#include "core/verify/Chunks.h"
#include "core/verify/Excess.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::tensorview {

namespace {

int classOf(const WrongElement& e) {
    return std::isnan(e.excess) ? 0 : std::isinf(e.excess) ? 1 : 2;
}

bool isWorse(const WrongElement& a, const WrongElement& b) {
    if (const int one = classOf(a), other = classOf(b); one != other) return one < other;
    if (classOf(a) == 2 && a.excess != b.excess) return a.excess > b.excess;
    if (classOf(a) == 1) {
        const double one = std::abs(a.got - a.expected), other = std::abs(b.got - b.expected);
        if (one > other || other > one) return one > other; // NaN, of two infinities, is neither
    }
    return a.element < b.element;
}

struct WrongPart {
    std::int64_t wrong = 0;
    std::vector<WrongElement> worst;
};

/// Keeps the worst of what is added: a heap whose top is the least of them.
void keep(std::vector<WrongElement>& worst, const WrongElement& e, std::size_t most) {
    if (most == 0) return;
    if (worst.size() == most) {
        if (!isWorse(e, worst.front())) return;
        std::pop_heap(worst.begin(), worst.end(), isWorse);
        worst.pop_back();
    }
    worst.push_back(e);
    std::push_heap(worst.begin(), worst.end(), isWorse);
}

} // namespace

WrongElements wrongElements(const tensor::Tensor& output, const tensor::Tensor& reference, tensor::DType expectedType,
                            const task::Tolerance& tolerance, std::size_t most, std::stop_token stop) {
    most = std::min(most, WrongElements::mostElements);
    const verify::Excess excess(reference, expectedType, tolerance);
    const auto part = [&](std::int64_t from, std::int64_t to) {
        WrongPart found;
        for (std::int64_t i = from; i < to && !stop.stop_requested(); ++i) {
            const double got = output.at(i), expected = reference.at(i);
            const float by = excess(got, expected);
            if (by <= 1) continue; // NaN is not
            ++found.wrong;
            keep(found.worst, {i, got, expected, by}, most);
        }
        return found;
    };
    WrongElements all;
    all.elements = output.count();
    constexpr std::int64_t batch = 256 * verify::chunkElements; // a list for each chunk
    for (std::int64_t first = 0; first < all.elements; first += batch) {
        const auto shifted = [&](std::int64_t from, std::int64_t to) { return part(first + from, first + to); };
        for (const WrongPart& found : verify::chunkwise<WrongPart>(std::min(batch, all.elements - first), shifted)) {
            all.wrong += found.wrong;
            for (const WrongElement& e : found.worst)
                keep(all.worst, e, most);
        }
    }
    std::sort(all.worst.begin(), all.worst.end(), isWorse);
    return all;
}

} // namespace kernelarium::tensorview
