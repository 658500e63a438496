// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Expectation.h"
#include "core/schedule/ScheduleHistory.h"
#include "core/schedule/ScheduleSearch.h"

#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kernelarium::cli {

/// What a search came to: result, energies, moves by fate and reason, accepted moves, alternatives.
[[nodiscard]] std::string historyText(const schedule::ScheduleHistory& history);
/// The same for programs; with every step where that is wanted.
[[nodiscard]] nlohmann::json historyJson(const schedule::ScheduleHistory& history, bool withSteps);
[[nodiscard]] nlohmann::json toJson(const schedule::Expectation& expectation);
/// One line for each search: what it found, with intervals, zeros too.
[[nodiscard]] std::string historiesText(const std::vector<schedule::ScheduleHistory>& histories,
                                        const std::vector<std::string>& names);

/// Writes best.cubin, best.patch (text) and best.patch.json to the folder. Error "unwritable_file".
Result<void> exportBest(const schedule::ScheduleHistory& history, const std::filesystem::path& folder);

/// Progress on standard error: on a terminal one line, rewritten; elsewhere one every ten seconds.
class ScheduleProgressLine {
public:
    ScheduleProgressLine();
    void show(const schedule::ScheduleProgress& progress);
    void end() const;

private:
    bool m_terminal;
    std::chrono::steady_clock::time_point m_last;
};

} // namespace kernelarium::cli
