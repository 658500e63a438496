// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/CompilerSettings.h"
#include "core/tuning/space/TunableText.h"

#include <string>

namespace kernelarium::tuning {

/// What is compiled at a point.
struct PointText {
    std::string text;
    text::CompilerSettings settings;
    bool fastMath = false;
};

/// The text with the point's values put in place, and nothing else of it changed: the same lines, the same line ends,
/// the same marks, so that it is itself a tunable text whose own values are the point's. (A value that would run
/// into what stands before it gets a blank before it, or parentheses around its sign.) The start gives the text byte
/// for byte. Settings are the given ones with the space's and the point's on top: a macro of a parameter's name, the
/// register cap and fast math are the point's where it sets them.
[[nodiscard]] PointText pointText(const TunableText& tunable, const Point& point,
                                  const text::CompilerSettings& settings = {}, bool fastMath = false);

} // namespace kernelarium::tuning
