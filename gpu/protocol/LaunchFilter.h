// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Search.h"
#include "core/tuning/space/TunableText.h"
#include "gpu/protocol/PointEvaluation.h"

namespace kernelarium::protocol {

/// Refuses points whose text says that they cannot launch (core/tuning/launch/LaunchRefusal.h), before they are
/// compiled. The limits are those of the device that they are modelled for, or of the most that a device of their
/// architecture has, where they are measured. Both arguments must outlive it.
[[nodiscard]] tuning::Filter launchFilter(const tuning::TunableText& tunable, const PointSettings& settings);

} // namespace kernelarium::protocol
