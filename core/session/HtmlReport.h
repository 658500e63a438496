// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "core/session/SweepSection.h"

#include <map>
#include <string>
#include <vector>

namespace kernelarium::session {

/// A picture for the report, as an SVG document. It is embedded as an image: nothing in it can run.
struct ReportPlot {
    std::string title;
    std::string svg;
};

/// What a report shows.
struct ReportInput {
    SessionInfo session;
    std::vector<Attempt> attempts;                ///< oldest first
    std::map<std::string, std::string> originals; ///< source of the kernel where the editing began, by kernelKey
    std::vector<ReportPlot> plots;
    std::vector<ReportSweep> sweeps;
    std::int64_t madeMs = 0;
    std::string program; ///< "Kernelarium 0.1.0"
};

/// One HTML file that needs no other: a table of the attempts, the plots, the sweeps, and for each attempt its verdict
/// with the evidence, its times, its notes and the difference to the attempt it was edited from (or to the
/// original). Follows the reader's light or dark preference and prints in black on white. Whatever comes from
/// files and people is escaped.
[[nodiscard]] std::string htmlReport(const ReportInput& input);

} // namespace kernelarium::session
