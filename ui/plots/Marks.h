// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/Origin.h"
#include "ui/theme/Palette.h"

#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <optional>

namespace kernelarium::ui {

constexpr double markRadius = 5;

[[nodiscard]] QColor colourOf(Origin origin, const Palette& palette);

/// Hollow, filled or dashed circle.
void drawMark(QPainter& painter, QPointF centre, Origin origin, const Palette& palette, double radius = markRadius);
/// Over a mark of a kernel that has no verdict: says nothing against it.
void drawDash(QPainter& painter, QPointF centre, const Palette& palette, double radius = markRadius);
/// Over a mark of a kernel whose verdict is not "verified".
void drawCross(QPainter& painter, QPointF centre, const Palette& palette, double radius = markRadius);
/// Behind a mark: the chosen one.
void drawHalo(QPainter& painter, QPointF centre, const Palette& palette);
/// Around a mark: the best one.
void drawRing(QPainter& painter, QPointF centre, const QColor& colour);
/// From mark to mark, leaving both free. Nothing where they touch.
void drawArrow(QPainter& painter, QPointF from, QPointF to, const QColor& colour);

/// From a mark to a label that found no room right beside it.
void drawLeader(QPainter& painter, QPointF mark, const QRectF& label, const QColor& colour);

/// The part of a segment inside a rectangle (Liang and Barsky, 1984): SVG has no clipping in Qt 6.4.
[[nodiscard]] std::optional<QLineF> clipped(const QLineF& line, const QRectF& area);

/// Draws "○ archived  ● measured" from a left end; returns where it ends.
double drawLegend(QPainter& painter, QPointF left, const QList<Origin>& origins, const Palette& palette);
/// Its width with the painter's font.
[[nodiscard]] double legendWidth(const QPainter& painter, const QList<Origin>& origins);

} // namespace kernelarium::ui
