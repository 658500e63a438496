// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/search/Summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernelarium::tuning {

std::vector<BestStep> bestSoFar(const std::vector<Judged>& all) {
    std::vector<BestStep> steps;
    const Judged* best = nullptr;
    double looks = 0;
    for (const Judged& judged : all) {
        if (judged.looked()) looks += judged.candidate.effort;
        if (!judged.leads() || (best && !judged.isBetterThan(*best))) continue;
        if (best && *judged.outcome.value == *best->outcome.value)
            steps.back().key = judged.candidate.key; // as good: no step
        else
            steps.push_back({looks, judged.when, *judged.outcome.value, judged.candidate.key});
        best = &judged;
    }
    return steps;
}

std::vector<std::size_t> paretoFront(const std::vector<double>& first, const std::vector<double>& second) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
        if (!std::isnan(first[i]) && !std::isnan(second[i])) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (first[a] != first[b]) return first[a] < first[b];
        if (second[a] != second[b]) return second[a] < second[b];
        return a < b;
    });
    std::vector<std::size_t> front;
    for (const std::size_t i : order)
        if (front.empty() || second[i] < second[front.back()]) front.push_back(i);
    return front;
}

} // namespace kernelarium::tuning
