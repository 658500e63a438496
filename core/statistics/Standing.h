// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/StoredVerdict.h"
#include "core/statistics/Curves.h"

namespace kernelarium::statistics {

/// An archived claim that a verdict of ours contradicts.
struct Contradiction {
    std::uint32_t row = 0; ///< archived as correct
    std::string verdict;   ///< ours: it refutes that (audit::bearingOf)
};

/// What our verdicts leave of an archive.
struct StandingRows {
    std::vector<std::uint32_t> rows;    ///< all but the kernels that fail, ascending
    std::vector<std::uint32_t> failing; ///< whatever the archive says of them
    std::vector<Contradiction> contradictions;
    std::vector<std::uint32_t> judged; ///< kernels with a verdict of ours
};

StandingRows standingRows(const archive::KernelTable& table, const std::vector<audit::StoredVerdict>& verdicts);
/// Of these rows of the table, ascending ones.
StandingRows standingRows(const archive::KernelTable& table, Rows rows,
                          const std::vector<audit::StoredVerdict>& verdicts);

} // namespace kernelarium::statistics
