// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace kernelarium::ui {

/// How much of something a line carries.
struct LineHeat {
    int line = 0;           ///< 1-based
    double value = 0;       ///< 0..1; the bar's length
    QString text;           ///< said on hovering
    bool isFinding = false; ///< something is to be gained here: marked beside the bar
};

} // namespace kernelarium::ui
