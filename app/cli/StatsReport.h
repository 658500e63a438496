// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/Statistics.h"
#include "core/statistics/ProfileStatistics.h"
#include "core/statistics/Standing.h"

#include <nlohmann/json.hpp>

namespace kernelarium::cli {

nlohmann::json groupJson(const archive::GroupStatistics& group);
/// Everything that is said of a selection of rows: groups, curves, bins, errors, best kernels, words.
nlohmann::json selectionJson(const archive::KernelTable& table, statistics::Rows rows);
nlohmann::json profilesJson(const statistics::ProfileStatistics& profiles);
nlohmann::json contradictionsJson(const archive::KernelTable& table,
                                  const statistics::StandingRows& standing);

} // namespace kernelarium::cli
