// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Verdict.h"
#include "ui/verdict/VerdictModel.h"

namespace kernelarium::ui {

/// A verdict as a reader sees it. Groups without rows are left out.
[[nodiscard]] std::vector<VerdictModel::Group> verdictGroups(const verify::Verdict& verdict);

/// A check's name in words, and what it looks for.
[[nodiscard]] QString checkTitle(const std::string& name);
[[nodiscard]] QString reasonText(const std::string& reason);

} // namespace kernelarium::ui
