// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace kernelarium::tuning {

/// How a search stands.
struct Progress {
    std::array<std::uint64_t, 4> byKind{}; ///< candidates with an outcome, by Outcome::Kind, those of earlier runs too
    std::uint64_t filtered = 0;            ///< of those
    std::uint64_t twins = 0;               ///< of those: had another's outcome, by the second key
    std::uint64_t resumed = 0;             ///< of those: of earlier runs
    std::uint64_t underWay = 0;            ///< being evaluated
    double spent = 0;                      ///< looks, one at an effort of 0.1 counting 0.1; of earlier runs too
    std::optional<std::uint64_t> total;    ///< candidates in all, where the proposer knows
    std::optional<Judged> best;        ///< the least value of those that may be (Judged::leads), the first of equals
    double seconds = 0;                ///< that this run has been going, pauses left out
    double perSecond = 0;              ///< looks of this run by its seconds
    std::optional<double> secondsLeft; ///< an estimate from that and the budget or the total
    bool paused = false;

    [[nodiscard]] std::uint64_t done() const { return byKind[0] + byKind[1] + byKind[2] + byKind[3]; }
    [[nodiscard]] std::uint64_t of(Outcome::Kind kind) const { return byKind[std::size_t(kind)]; }
};

/// What ends a search besides the proposer.
struct Budget {
    std::optional<double> looks;   ///< it ends when Progress::spent has reached it: earlier runs' count
    std::optional<double> seconds; ///< it begins nothing after so long in this run, pauses left out
};

/// The rate and the time left, from the other members and the looks of this run.
void estimate(Progress& progress, double looksNow, const Budget& budget);

/// Seconds that something has been going, pauses left out.
class RunningTime {
public:
    [[nodiscard]] double seconds() const;
    [[nodiscard]] bool held() const { return m_held; }
    void hold();
    void goOn();

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point m_began = Clock::now();
    double m_before = 0; ///< up to the last pause
    bool m_held = false;
};

} // namespace kernelarium::tuning
