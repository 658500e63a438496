// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Palette.h"

#include <QString>

namespace kernelarium::ui {

/// What Fusion does not do by palette alone: hairlines instead of frames, flat tabs and headers, visible focus.
[[nodiscard]] QString styleSheet(const Palette& palette);

} // namespace kernelarium::ui
