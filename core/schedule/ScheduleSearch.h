// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Annealing.h"
#include "core/schedule/Measurer.h"
#include "core/tuning/search/Search.h"
#include "core/tuning/store/Store.h"

#include <functional>
#include <stop_token>

namespace kernelarium::schedule {

/// How a search stands.
struct ScheduleProgress {
    std::uint64_t steps = 0; ///< heard of, earlier runs too; without the start and controls
    std::uint64_t total = 0;
    double temperature = 0;
    std::optional<double> best, current, start; ///< energies
    std::optional<double> noiseFloor;
    double seconds = 0; ///< of this run, pauses left out
    std::optional<double> secondsLeft;
    bool isPaused = false;
};

struct ScheduleWatch {
    std::function<void(const ScheduleProgress&)> progress = {}; ///< after each step
    std::function<void(const Step&)> step = {};                 ///< kept; those of earlier runs too, first
    tuning::Pause* pause = nullptr;
};

struct ScheduleEnd {
    enum class Why { done, stopped, faults, nothingMoves };
    Why why = Why::done;
    ScheduleProgress progress;
};

/// Anneals the subject's schedule until its steps are done; one that is in the store is never measured again. It is
/// tuning::runSearch with Annealing as the proposer and one job; each candidate is proved (core/sass/proof) before it
/// is measured. A best schedule is kept in full. Errors: the measurer's, the store's, "damaged_store", "not_measured"
/// (the start, or the original against itself).
[[nodiscard]] Result<ScheduleEnd> runScheduleSearch(const Subject& subject, const Settings& settings,
                                                    Measurer& measurer, tuning::Store& store,
                                                    const ScheduleWatch& watch = {}, const std::stop_token& stop = {});

} // namespace kernelarium::schedule
