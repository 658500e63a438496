// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::profile {

/// How often a sampler found a warp at a line for one reason.
struct StallSamples {
    std::string reason; ///< as Nsight Compute names it, without "stall_": "long_sb", "barrier", "selected", ...
    double samples = 0;
};

/// What the warps were waiting for at one line of the source.
struct LineStalls {
    int line = 0;
    double samples = 0;                ///< of warps at instructions of this line
    double notIssued = 0;              ///< of these: while their scheduler issued nothing
    std::vector<StallSamples> reasons; ///< most first; those that were never seen are left out
};

/// One file's lines in one launch.
struct SourceStalls {
    std::string file;
    std::string function;
    std::vector<LineStalls> lines; ///< as they stand, those without a sample left out
};

/// Nsight Compute's `--csv --page source --print-source cuda,sass` of the section SourceCounters: for each launch and
/// file a head ("File Path", "Function Name", the columns), a row for each line of the source, and below it rows for
/// its instructions, which are passed over. Code that was inlined counts for its own line and for the line that it was
/// inlined at. The columns are found by their names. Errors: those of parseNcuCsv().
Result<std::vector<SourceStalls>> parseNcuSource(std::string_view text);

/// The lines of all launches together whose file's path ends in `file`, ascending.
[[nodiscard]] std::vector<LineStalls> mergedStalls(const std::vector<SourceStalls>& parts, std::string_view file);

/// What a warp waits for by a reason; empty where it is not known: "data of device, local or texture memory".
[[nodiscard]] std::string_view aboutStall(std::string_view reason);

} // namespace kernelarium::profile
