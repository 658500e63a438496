// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Verdict.h"
#include "ui/verdict/EvidenceGroup.h"

namespace kernelarium::ui {

struct EarlierVerdict;

/// A verdict as a reader sees it. Groups without rows are left out.
[[nodiscard]] std::vector<EvidenceGroup> verdictGroups(const verify::Verdict& verdict);

/// The kind in words, with the stage that a kernel did not get beyond where that says more: "cannot be loaded".
[[nodiscard]] QString verdictTitle(const verify::Verdict& verdict);

/// "✓ verified earlier, on 2 Jan 2026 14:20".
[[nodiscard]] QString earlierText(const EarlierVerdict& earlier);

/// A check's name in words, and what it looks for.
[[nodiscard]] QString checkTitle(const std::string& name);
[[nodiscard]] QString reasonText(const std::string& reason);

} // namespace kernelarium::ui
