// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Alternative.h"
#include "core/schedule/CounterSet.h"
#include "core/schedule/FinalFigure.h"
#include "core/schedule/ScheduleStore.h"
#include "core/schedule/Step.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::schedule {

/// A search as its store tells it: all steps heard again, no GPU asked.
struct ScheduleHistory {
    Subject subject;
    Settings settings;
    std::vector<Step> steps;
    std::vector<std::uint64_t> bestPath; ///< steps whose moves lead from the start to the best
    std::optional<std::uint64_t> best;   ///< step of the least energy
    std::optional<double> noiseFloor;    ///< percent: Annealing::noiseFloor
    std::vector<sass::Word> startWords, bestWords;
    double originalCost = 0, startCost = 0; ///< MODELLED, StaticCost
    std::size_t worsened = 0;               ///< legal moves that have made the start worse
    std::map<std::string, int> byFate;      ///< steps by name(Fate)
    std::map<std::string, int> drawn;       ///< draws that came to nothing, by reason: Step::drawn
    std::vector<FinalFigure> finals;        ///< of the best
    std::vector<Alternative> alternatives;
    std::vector<CounterSet> counters; ///< of any schedule, the newest of each

    [[nodiscard]] const Step* bestStep() const;
    [[nodiscard]] std::uint64_t looked() const; ///< steps without the start and the controls
    /// Of steps and of final figures: proved schedules that did not do what the original does.
    [[nodiscard]] int faults() const;
    /// The best's final figure that faulted; null: none.
    [[nodiscard]] const FinalFigure* faultedFinal() const;
    /// Of a measured search: the timings ("cold", "hot") for which the best has no final figure yet. None where the
    /// best is the original itself.
    [[nodiscard]] std::vector<std::string> unconfirmed() const;
    [[nodiscard]] sass::Cubin bestCubin() const { return subject.with(bestWords); }
    /// Of a worsened start: the share of what it had lost that the best has won back; percent of the loss. Nothing
    /// where it was not worsened, or lost less than the noise. Of figures as they were searched: no fresh process has
    /// confirmed them.
    [[nodiscard]] std::optional<double> recovered() const;
};

/// Errors: those of readScheduleStore(); "damaged_store" (the steps are not of that search).
[[nodiscard]] Result<ScheduleHistory> readScheduleHistory(const std::filesystem::path& path);

/// The best schedule with one of its moves (a step of bestPath) left out; nothing where the later ones need it.
[[nodiscard]] std::optional<std::vector<sass::Word>> withoutMove(const ScheduleHistory& history, std::uint64_t step);

/// What came of it in a sentence: "1.2% faster", "no gain found: none of 1000 schedules was faster ...", "won back 93%
/// of what the start had lost".
[[nodiscard]] std::string resultWords(const ScheduleHistory& history);

} // namespace kernelarium::schedule
