// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/explain/Explanation.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kernelarium::cli {

/// Which instructions a report is about.
struct ReportedPart {
    int line = 0;       ///< of the source; 0: any
    bool whole = false; ///< else only the hot loop, where there is one and no line is asked for
    bool waits = true;  ///< with what each instruction waits for
    int warps = 0;      ///< resident on a scheduler; 0: as many as the registers leave room for
};

/// A kernel's schedule for people: a head, what limits its loops, then line by line place, scheduling, source line,
/// text.
[[nodiscard]] std::string scheduleText(const sass::Explanation& explanation, const ReportedPart& part);

/// The same for programs.
[[nodiscard]] nlohmann::json scheduleJson(const sass::Explanation& explanation, const ReportedPart& part);

/// Is the instruction in the part?
[[nodiscard]] bool isReported(const sass::Explanation& explanation, const ReportedPart& part, int instruction);

} // namespace kernelarium::cli
