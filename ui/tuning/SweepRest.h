// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/tuning/TuneDesk.h"

namespace kernelarium::ui {

/// Why another run would look at nothing, and what to do instead; empty: there is something left for it.
/// "every point has been looked at: open the best, or mark more values"
[[nodiscard]] QString nothingLeft(const TuneDesk& desk, const TuneOrder& order);

} // namespace kernelarium::ui
