// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/MarkTracker.h"
#include "ui/theme/Theme.h"

#include <QPainter>
#include <QPainterPath>

namespace kernelarium::ui {

namespace {

void drawError(QPainter& painter, const QColor& colour, const QColor& paper) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(QRectF(1.5, 1.5, 13, 13));
    painter.setPen(QPen(paper, 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(5.6, 5.6), QPointF(10.4, 10.4));
    painter.drawLine(QPointF(10.4, 5.6), QPointF(5.6, 10.4));
}

void drawWarning(QPainter& painter, const QColor& colour, const QColor& paper) {
    painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({{8, 2}, {14.5, 13.5}, {1.5, 13.5}}));
    painter.setPen(QPen(paper, 1.8, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(8, 6), QPointF(8, 9.4));
    painter.drawPoint(QPointF(8, 11.8));
}

void drawNote(QPainter& painter, const QColor& colour) {
    painter.setPen(QPen(colour, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(QRectF(2, 2, 12, 12));
    painter.setPen(QPen(colour, 1.8, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(8, 7.8), QPointF(8, 11));
    painter.drawPoint(QPointF(8, 5));
}

void drawFault(QPainter& painter, const QColor& colour, const QColor& paper) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(
        QPolygonF({{5.3, 1}, {10.7, 1}, {15, 5.3}, {15, 10.7}, {10.7, 15}, {5.3, 15}, {1, 10.7}, {1, 5.3}}));
    painter.setBrush(paper);
    painter.drawPolygon(QPolygonF({{9.2, 3}, {4.8, 8.8}, {7.6, 8.8}, {6.8, 13}, {11.2, 7.2}, {8.4, 7.2}}));
}

void drawAdvice(QPainter& painter, const QColor& colour) {
    painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.setBrush(Qt::NoBrush);
    painter.drawArc(QRectF(4, 2, 8, 8), -50 * 16, 280 * 16);
    painter.drawLine(QPointF(6.4, 11.5), QPointF(9.6, 11.5));
    painter.drawLine(QPointF(7, 14), QPointF(9, 14));
}

} // namespace

QImage markImage(EditorMark::Severity severity, const Theme& theme, int size, double scale) {
    QImage image(int(size * scale), int(size * scale), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size * scale / 16.0, size * scale / 16.0);
    const Palette& p = theme.colours();
    switch (severity) {
    case EditorMark::Severity::error: drawError(painter, p.wrong, p.field); break;
    case EditorMark::Severity::warning: drawWarning(painter, p.warning, p.field); break;
    case EditorMark::Severity::note: drawNote(painter, p.accent); break;
    case EditorMark::Severity::fault: drawFault(painter, p.suspicious, p.field); break;
    case EditorMark::Severity::advice: drawAdvice(painter, p.muted); break;
    }
    return image;
}

} // namespace kernelarium::ui
