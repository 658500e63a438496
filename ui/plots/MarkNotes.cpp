// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/MarkNotes.h"

#include "ui/plots/Marks.h"

#include <QFontMetricsF>

namespace kernelarium::ui {

void drawBestSteps(QPainter& painter, LabelPlacer& labels, const QRectF& area, const std::vector<QPointF>& marks,
                   double end) {
    if (marks.empty()) return;
    const auto draw = [&](QPointF from, QPointF to) {
        const auto line = clipped(QLineF(from, to), area);
        if (!line) return;
        painter.drawLine(*line);
        labels.occupy(QRectF(line->p1(), line->p2()).normalized().adjusted(-1, -1, 1, 1));
    };
    QPointF at = marks.front();
    for (const QPointF next : marks) {
        draw(at, QPointF(next.x(), at.y()));
        draw(QPointF(next.x(), at.y()), next);
        at = next;
    }
    draw(at, QPointF(end, at.y()));
}

void drawMarkLabel(QPainter& painter, LabelPlacer& labels, QPointF mark, const QString& text, double widest,
                   const Palette& palette) {
    const QFontMetricsF metrics(painter.font());
    const QString shown = metrics.elidedText(text, Qt::ElideMiddle, widest);
    const auto box = labels.beside(mark, {metrics.horizontalAdvance(shown), metrics.height()});
    if (!box) return;
    drawLeader(painter, mark, *box, palette.muted);
    painter.setPen(palette.text);
    painter.drawText(QPointF(box->left(), box->bottom() - metrics.descent()), shown);
}

void drawFocusRing(QPainter& painter, QPointF mark, double radius, const Palette& palette) {
    painter.setPen(QPen(palette.accent, 1.2, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(mark, radius, radius);
}

} // namespace kernelarium::ui
