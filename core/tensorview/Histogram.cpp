// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensorview/Histogram.h"

#include "core/tensorview/Statistics.h"
#include "core/verify/Chunks.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::tensorview {

namespace {

struct HistogramPart {
    std::vector<std::int64_t> counts;
    std::int64_t below = 0, above = 0, notFinite = 0;
};

/// Where a value lies between two others, 0 to 1. Halves: the distance of two doubles may overflow.
double shareOf(double value, double low, double high) {
    return (value / 2 - low / 2) / (high / 2 - low / 2);
}

} // namespace

Histogram histogramOf(const Elements& elements, const HistogramRequest& request, std::stop_token stop) {
    Histogram h;
    int bins = std::clamp(request.bins, 1, HistogramRequest::mostBins);
    if (!request.low || !request.high) {
        const Statistics statistics = statisticsOf(elements, stop);
        if (!statistics.finite) {
            h.notFinite = elements.count();
            return h;
        }
        h.low = statistics.finite->smallest;
        h.high = statistics.finite->largest;
    }
    const bool chosen = request.low || request.high;
    h.low = request.low.value_or(h.low);
    h.high = request.high.value_or(h.high);
    if (h.high < h.low) std::swap(h.low, h.high);
    if (!chosen && !tensor::isFloating(elements.dtype()) && h.high - h.low < bins) {
        bins = int(h.high - h.low) + 1;
        h.low -= 0.5;
        h.high += 0.5;
    } else if (h.low == h.high) {
        bins = 1;
    }
    const auto part = [&](std::int64_t from, std::int64_t to) {
        HistogramPart found;
        found.counts.resize(std::size_t(bins));
        for (std::int64_t i = from; i < to && !stop.stop_requested(); ++i) {
            const double value = elements.at(i);
            if (!std::isfinite(value))
                ++found.notFinite;
            else if (value < h.low)
                ++found.below;
            else if (value > h.high)
                ++found.above;
            else if (bins == 1)
                ++found.counts[0];
            else
                ++found.counts[std::min(std::size_t(shareOf(value, h.low, h.high) * bins), std::size_t(bins - 1))];
        }
        return found;
    };
    h.counts.resize(std::size_t(bins));
    // Batches of chunks: every chunk has bins of its own.
    constexpr std::int64_t batch = 256 * verify::chunkElements;
    for (std::int64_t first = 0; first < elements.count(); first += batch) {
        const std::int64_t count = std::min(batch, elements.count() - first);
        const auto shifted = [&](std::int64_t from, std::int64_t to) { return part(first + from, first + to); };
        for (const HistogramPart& found : verify::chunkwise<HistogramPart>(count, shifted)) {
            for (std::size_t k = 0; k < h.counts.size(); ++k)
                h.counts[k] += found.counts[k];
            h.below += found.below;
            h.above += found.above;
            h.notFinite += found.notFinite;
        }
    }
    return h;
}

} // namespace kernelarium::tensorview
