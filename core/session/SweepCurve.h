// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"

#include <string>
#include <vector>

namespace kernelarium::session {

/// An SVG document: each point's value in the order of the looks, and the best so far as a line. Times on a logarithmic
/// axis. Empty where fewer than two points rank.
[[nodiscard]] std::string sweepCurveSvg(const std::vector<tuning::Judged>& points);

} // namespace kernelarium::session
