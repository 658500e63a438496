// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/Marks.h"

#include "ui/plots/LabelPlacer.h"

#include <QFontMetricsF>
#include <cmath>

namespace kernelarium::ui {

namespace {
constexpr double legendGap = 16;
constexpr double legendText = 6; ///< between mark and word
} // namespace

QColor colourOf(Origin origin, const Palette& palette) {
    switch (origin) {
    case Origin::archived: return palette.archived;
    case Origin::measured: return palette.measured;
    case Origin::modelled: break;
    }
    return palette.modelled;
}

void drawMark(QPainter& painter, QPointF centre, Origin origin, const Palette& palette, double radius) {
    const QColor colour = colourOf(origin, palette);
    QPen pen(colour, 1.6);
    if (origin == Origin::modelled) {
        pen.setCapStyle(Qt::FlatCap);
        // Whole dashes around the circle.
        const double dash = 2 * M_PI * radius / 12 / pen.widthF();
        pen.setDashPattern({dash * 1.2, dash * 0.8});
    }
    painter.setPen(pen);
    painter.setBrush(origin == Origin::measured ? colour : palette.field);
    painter.drawEllipse(centre, radius, radius);
}

void drawDash(QPainter& painter, QPointF centre, const Palette& palette, double radius) {
    const double r = radius * 1.5;
    for (const QPen& pen : {QPen(palette.field, 3.4, Qt::SolidLine, Qt::RoundCap),
                            QPen(palette.muted, 1.6, Qt::SolidLine, Qt::RoundCap)}) {
        painter.setPen(pen);
        painter.drawLine(centre + QPointF(-r, 0), centre + QPointF(r, 0));
    }
}

void drawCross(QPainter& painter, QPointF centre, const Palette& palette, double radius) {
    const double r = radius * 1.3; // beyond the mark, which stays to be seen
    for (const QPen& pen : {QPen(palette.field, 3.4, Qt::SolidLine, Qt::RoundCap),
                            QPen(palette.wrong, 1.6, Qt::SolidLine, Qt::RoundCap)}) {
        painter.setPen(pen);
        painter.drawLine(centre + QPointF(-r, -r), centre + QPointF(r, r));
        painter.drawLine(centre + QPointF(-r, r), centre + QPointF(r, -r));
    }
}

void drawHalo(QPainter& painter, QPointF centre, const Palette& palette) {
    painter.setPen(QPen(palette.accent, 1.2));
    painter.setBrush(palette.selection);
    painter.drawRoundedRect(QRectF(centre - QPointF(10, 10), QSizeF(20, 20)), 4, 4);
}

void drawRing(QPainter& painter, QPointF centre, const QColor& colour) {
    painter.setPen(QPen(colour, 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(centre, markRadius + 3.5, markRadius + 3.5);
}

void drawArrow(QPainter& painter, QPointF from, QPointF to, const QColor& colour) {
    const QPointF way = to - from;
    const double length = std::hypot(way.x(), way.y());
    const double gap = markRadius + 4;
    if (length < 2 * gap + 6) return;
    const QPointF along = way / length;
    const QPointF across(-along.y(), along.x());
    const QPointF tip = to - along * gap;
    painter.setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QLineF(from + along * gap, tip - along * 5));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({tip, tip - along * 7 + across * 3.2, tip - along * 7 - across * 3.2}));
}

void drawLeader(QPainter& painter, QPointF mark, const QRectF& label, const QColor& colour) {
    const auto line = LabelPlacer::leader(mark, label);
    if (!line) return;
    painter.setPen(QPen(colour, 0.8));
    painter.drawLine(*line);
}

std::optional<QLineF> clipped(const QLineF& line, const QRectF& area) {
    double first = 0, last = 1;
    const double p[] = {-line.dx(), line.dx(), -line.dy(), line.dy()};
    const double q[] = {line.x1() - area.left(), area.right() - line.x1(), line.y1() - area.top(),
                        area.bottom() - line.y1()};
    for (int side = 0; side < 4; ++side) {
        if (p[side] == 0) {
            if (q[side] < 0) return std::nullopt;
            continue;
        }
        const double t = q[side] / p[side];
        (p[side] < 0 ? first : last) = p[side] < 0 ? std::max(first, t) : std::min(last, t);
    }
    if (first >= last) return std::nullopt;
    return QLineF(line.pointAt(first), line.pointAt(last));
}

double drawLegend(QPainter& painter, QPointF left, const QList<Origin>& origins, const Palette& palette) {
    const QFontMetricsF metrics(painter.font());
    double x = left.x();
    for (const Origin origin : origins) {
        drawMark(painter, QPointF(x + 4, left.y()), origin, palette, 4);
        x += 8 + legendText;
        painter.setPen(palette.muted);
        painter.drawText(QPointF(x, left.y() + (metrics.ascent() - metrics.descent()) / 2), word(origin));
        x += metrics.horizontalAdvance(word(origin)) + legendGap;
    }
    return x - legendGap;
}

double legendWidth(const QPainter& painter, const QList<Origin>& origins) {
    const QFontMetricsF metrics(painter.font());
    double width = -legendGap;
    for (const Origin origin : origins)
        width += 8 + legendText + metrics.horizontalAdvance(word(origin)) + legendGap;
    return std::max(0.0, width);
}

} // namespace kernelarium::ui
