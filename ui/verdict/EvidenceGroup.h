// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QString>
#include <vector>

namespace kernelarium::ui {

/// What the panels of a verdict, a run and a profile list.
struct EvidenceRow {
    QString item;
    QString result;
    QString detail;
    QString icon = {};                 ///< of resources/icons
    QColor Palette::*colour = nullptr; ///< of icon and result
    int line = 0;                      ///< of the source; 0: none
    QString about = {};                ///< what the row is about, for a reader who has not met it
    int fault = -1;                    ///< number of the fault that the row tells; -1: none
};
struct EvidenceGroup {
    QString title;
    QString summary;
    std::vector<EvidenceRow> rows;
};

} // namespace kernelarium::ui
