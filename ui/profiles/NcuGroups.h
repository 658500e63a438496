// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/NcuCsv.h"
#include "core/profile/NcuSource.h"
#include "gpu/protocol/ProfileMessages.h"

#include <QString>
#include <optional>
#include <vector>

namespace kernelarium::ui {

/// One figure of Nsight Compute's, from wherever it is known.
struct NcuRow {
    QString name;
    QString archived;
    QString measured;
    QString emulator;
    QString unit;
    QString about; ///< what it means, and why the figures differ
};
struct NcuGroup {
    QString title;
    QString summary;
    std::vector<NcuRow> rows;
};

/// What is known of one kernel; null or empty where it is not.
struct NcuSources {
    const profile::NcuProfile* archived = nullptr;
    std::optional<double> archivedMilliseconds;                ///< of the whole call
    const std::vector<profile::NcuLaunch>* measured = nullptr; ///< by Nsight Compute on this machine
    const protocol::ProfileSummary* counted = nullptr;         ///< by the emulator
    const std::vector<profile::LineStalls>* stalls = nullptr;  ///< sampled by Nsight Compute, by line of the source
    QString stallsProblem = {};                                ///< why there are none, where they were asked for
};

/// The figures in groups, the archived rules and messages first. Groups without rows are left out.
[[nodiscard]] std::vector<NcuGroup> ncuGroups(const NcuSources& sources);

/// Which launch a table about one launch speaks of: the one that takes longest; -1 without any.
[[nodiscard]] int longestLaunch(const protocol::ProfileSummary& counted);
[[nodiscard]] int longestLaunch(const std::vector<profile::NcuLaunch>& measured);

} // namespace kernelarium::ui
