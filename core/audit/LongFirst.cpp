// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/LongFirst.h"

#include "core/task/Card.h"
#include "core/task/Cost.h"

#include <algorithm>
#include <map>
#include <utility>

namespace kernelarium::audit {

namespace {

constexpr std::size_t lastOfThread = 64; ///< kernels: those before them are long over when the end comes

/// What one call takes at the published size, which decides how long the longest verifications take; 0 where there is
/// no such card.
double workOf(int level, int task) {
    constexpr double flopsInTimeOfByte = 8; // of the CPU's evaluator
    const Result<task::Card> card = task::loadCard(level, task);
    if (!card) return 0;
    const Result<task::Symbols> symbols = card->size("full");
    if (!symbols) return 0;
    const Result<task::Cost> cost = task::costOf(*card, *symbols);
    return cost ? cost->unfusedBytes + cost->flops / flopsInTimeOfByte : 0;
}

} // namespace

std::vector<const Candidate*> longFirst(const std::vector<Candidate>& due, unsigned jobs) {
    std::vector<const Candidate*> order;
    order.reserve(due.size());
    for (const Candidate& candidate : due)
        order.push_back(&candidate);
    if (jobs <= 1) return order;
    const std::size_t last = std::min(due.size(), lastOfThread * jobs);
    std::map<std::pair<int, int>, double> works;
    const auto work = [&works](const Candidate* candidate) {
        const auto [found, isNew] = works.try_emplace({candidate->key.level, candidate->key.task}, 0.0);
        if (isNew) found->second = workOf(candidate->key.level, candidate->key.task);
        return found->second;
    };
    std::stable_sort(order.end() - std::ptrdiff_t(last), order.end(),
                     [&work](const Candidate* a, const Candidate* b) { return work(a) > work(b); });
    return order;
}

} // namespace kernelarium::audit
