// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/LongFirst.h"

#include "core/task/Card.h"
#include "core/task/Cost.h"
#include "core/text/UnrolledCopies.h"

#include <algorithm>
#include <map>
#include <utility>

namespace kernelarium::audit {

namespace {

constexpr std::size_t lastOfThread = 64; ///< kernels: those before them are long over when the end comes

/// What verifying takes by one call's work at the published size, which decides how long the longest ones are; 0 where
/// there is no such card.
double secondsOfTask(int level, int task) {
    constexpr double flopsInTimeOfByte = 8, bytesInSecond = 2e9; // of the CPU's evaluator
    const Result<task::Card> card = task::loadCard(level, task);
    if (!card) return 0;
    const Result<task::Symbols> symbols = card->size("full");
    if (!symbols) return 0;
    const Result<task::Cost> cost = task::costOf(*card, *symbols);
    return cost ? (cost->unfusedBytes + cost->flops / flopsInTimeOfByte) / bytesInSecond : 0;
}

/// Of a core, in order of size rather than exactly.
class ExpectedSeconds {
public:
    explicit ExpectedSeconds(const SourceOf& sourceOf)
        : m_sourceOf(sourceOf) {}

    double of(const Candidate& kernel) {
        if (kernel.lastSeconds) return *kernel.lastSeconds;
        const auto [found, isNew] = m_tasks.try_emplace({kernel.key.level, kernel.key.task}, 0.0);
        if (isNew) found->second = secondsOfTask(kernel.key.level, kernel.key.task);
        constexpr double secondsOfCopy = 0.02; // of a loop's body, for NVRTC and ptxas
        return found->second + secondsOfCopy * double(text::unrolledCopies(m_sourceOf(kernel)));
    }

private:
    const SourceOf& m_sourceOf;
    std::map<std::pair<int, int>, double> m_tasks;
};

} // namespace

std::vector<const Candidate*> longFirst(const std::vector<Candidate>& due, unsigned jobs, const SourceOf& sourceOf) {
    std::vector<const Candidate*> order;
    order.reserve(due.size());
    for (const Candidate& candidate : due)
        order.push_back(&candidate);
    if (jobs <= 1) return order;
    const std::size_t last = std::min(due.size(), lastOfThread * jobs);
    ExpectedSeconds expected(sourceOf);
    std::map<const Candidate*, double> seconds;
    for (auto it = order.end() - std::ptrdiff_t(last); it != order.end(); ++it)
        seconds[*it] = expected.of(**it);
    std::stable_sort(order.end() - std::ptrdiff_t(last), order.end(),
                     [&seconds](const Candidate* a, const Candidate* b) { return seconds[a] > seconds[b]; });
    return order;
}

} // namespace kernelarium::audit
