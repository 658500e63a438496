// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/Findings.h"
#include "core/statistics/ProfileStatistics.h"

#include <nlohmann/json.hpp>

namespace kernelarium::cli {

nlohmann::json groupJson(const archive::GroupStatistics& group);
nlohmann::json selectionJson(const archive::KernelTable& table, const statistics::Description& description);
nlohmann::json profilesJson(const statistics::ProfileStatistics& profiles);
nlohmann::json contradictionsJson(const archive::KernelTable& table, const statistics::Findings& findings);

} // namespace kernelarium::cli
