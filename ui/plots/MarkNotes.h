// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/LabelPlacer.h"
#include "ui/theme/Palette.h"

#include <QPainter>
#include <QString>
#include <vector>

namespace kernelarium::ui {

// What plots of times draw at and between their marks, all in pixels. Labels keep off what was drawn before.

/// With the painter's pen: from each mark to the right as far as the next, then down to it; at last on to `end`.
void drawBestSteps(QPainter& painter, LabelPlacer& labels, const QRectF& area, const std::vector<QPointF>& marks,
                   double end);

/// Text of at most `widest` beside a mark, with a leader; none where there is no room.
void drawMarkLabel(QPainter& painter, LabelPlacer& labels, QPointF mark, const QString& text, double widest,
                   const Palette& palette);

/// Around the mark that the keyboard is at.
void drawFocusRing(QPainter& painter, QPointF mark, double radius, const Palette& palette);

} // namespace kernelarium::ui
