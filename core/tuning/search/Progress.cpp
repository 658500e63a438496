// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/search/Progress.h"

#include <algorithm>

namespace kernelarium::tuning {

void estimate(Progress& progress, double looksNow, const Budget& budget) {
    progress.perSecond = looksNow > 0 && progress.seconds > 0 ? looksNow / progress.seconds : 0;
    std::optional<double> left;
    const auto atMost = [&](double seconds) { left = left ? std::min(*left, seconds) : seconds; };
    if (progress.perSecond > 0) {
        if (budget.looks) atMost(std::max(0.0, *budget.looks - progress.spent) / progress.perSecond);
        if (progress.total)
            atMost(double(*progress.total - std::min(*progress.total, progress.done())) / progress.perSecond);
    }
    if (budget.seconds) atMost(std::max(0.0, *budget.seconds - progress.seconds));
    progress.secondsLeft = left;
}

double RunningTime::seconds() const {
    return m_before + (m_held ? 0 : std::chrono::duration<double>(Clock::now() - m_began).count());
}

void RunningTime::hold() {
    m_before = seconds();
    m_held = true;
}

void RunningTime::goOn() {
    m_began = Clock::now();
    m_held = false;
}

} // namespace kernelarium::tuning
