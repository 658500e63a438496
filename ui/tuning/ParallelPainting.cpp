// SPDX-License-Identifier: GPL-3.0-or-later
// How parallel coordinates look.
#include "ui/tuning/ParallelView.h"
#include "ui/tuning/PointModel.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace kernelarium::ui {

namespace {

/// More than an eye tells apart, and drawn in a moment.
constexpr std::size_t mostLines = 4000;

} // namespace

void ParallelView::paintEvent(QPaintEvent*) {
    if (m_lines.isNull()) {
        m_lines = QPixmap(size() * devicePixelRatioF());
        m_lines.setDevicePixelRatio(devicePixelRatioF());
        m_lines.fill(m_theme.colours().field);
        QPainter painter(&m_lines);
        drawLines(painter);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_lines);
    painter.setRenderHint(QPainter::Antialiasing);
    drawAxes(painter);
    if (!hasFocus()) return;
    painter.setPen(QPen(m_theme.colours().accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

/// The slowest first, so that the fastest lie on top; what a brush leaves out below all.
void ParallelView::drawLines(QPainter& painter) const {
    const auto& rows = m_model.rows();
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto rank = [&](std::size_t i) {
        const double time = rows[i].milliseconds;
        return std::pair(takes(rows[i]), rows[i].ranks ? -time : -INFINITY);
    };
    std::vector<std::pair<bool, double>> ranks(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        ranks[i] = rank(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
    if (order.size() > mostLines) order.erase(order.begin(), order.end() - std::ptrdiff_t(mostLines));
    const Palette& p = m_theme.colours();
    painter.setRenderHint(QPainter::Antialiasing, order.size() <= mostLines / 4);
    const double best = m_model.bestMilliseconds();
    const double strength = std::clamp(60.0 / double(std::max<std::size_t>(1, order.size())), 0.25, 0.9);
    for (const std::size_t i : order) {
        const PointRow& row = rows[i];
        QColor colour = row.ranks                                  ? timeColour(timeShare(row.milliseconds, best), p)
                        : row.kind == tuning::Outcome::Kind::wrong ? p.wrong
                                                                   : p.muted;
        colour.setAlphaF(float(strength));
        if (!ranks[i].first) colour = p.grid;
        const bool isBest = int(i) == m_model.best();
        QPen pen(isBest && ranks[i].first ? timeColour(0, p) : colour, isBest ? 2.4 : 1.2,
                 row.ranks ? Qt::SolidLine : Qt::DashLine);
        QPolygonF line;
        for (int axis = 0; axis < axisCount(); ++axis) {
            const double share = shareOf(row, axis);
            if (!std::isnan(share)) line << QPointF(axisX(axis), positionOf(axis, share));
        }
        painter.setPen(pen);
        painter.drawPolyline(line);
    }
}

void ParallelView::drawAxes(QPainter& painter) const {
    painter.setFont(m_theme.captionFont());
    for (int axis = 0; axis < axisCount(); ++axis)
        drawAxis(painter, axis);
}

void ParallelView::drawAxis(QPainter& painter, int axis) const {
    const Palette& p = m_theme.colours();
    const QFontMetricsF metrics(painter.font());
    const double x = axisX(axis), top = positionOf(axis, 1), bottom = positionOf(axis, 0);
    const bool chosen = hasFocus() && axis == m_axis;
    if (const auto& brush = m_brushes[std::size_t(axis)]) {
        const QRectF box(QPointF(x - 6, positionOf(axis, std::min(brush->to, 1.04))),
                         QPointF(x + 6, positionOf(axis, std::max(brush->from, -0.04))));
        QColor fill = p.accent;
        fill.setAlphaF(0.25F);
        painter.setPen(QPen(p.accent, 1.5));
        painter.setBrush(fill);
        painter.drawRoundedRect(box, 2, 2);
    }
    painter.setPen(QPen(chosen ? p.accent : p.muted, chosen ? 2 : 1));
    painter.drawLine(QPointF(x, top), QPointF(x, bottom));
    const double room = axisCount() > 1 ? (axisX(1) - axisX(0)) * 0.95 : width();
    const QString name =
        isTime(axis) ? tr("time") : QString::fromStdString(m_model.parameters()[std::size_t(axis)].name);
    painter.setPen(chosen ? p.accent : p.text);
    const QString title = metrics.elidedText(name, Qt::ElideRight, room);
    const double width = metrics.horizontalAdvance(title);
    const double left = std::clamp(x - width / 2, 4.0, std::max(4.0, this->width() - width - 4.0));
    painter.drawText(QPointF(left, metrics.ascent() + 4), title);
    // Every value where there is room for it.
    const int last = int(steps(axis));
    const int fits = std::max(1, int((bottom - top) / (metrics.height() + 1)));
    const int labels = isTime(axis) ? std::min(4, fits) : last;
    const int stride = std::max(1, (labels + fits - 1) / std::max(1, fits));
    for (int i = 0; i <= labels; i += stride) {
        const double share = labels > 0 ? double(i) / labels : 0.5;
        const QString text = isTime(axis) && m_fastest <= 0 ? QString() : valueText(axis, share);
        const QPointF at(x, positionOf(axis, share));
        painter.setPen(QPen(p.muted, 1));
        painter.drawLine(at - QPointF(3, 0), at + QPointF(3, 0));
        if (text.isEmpty()) continue;
        const QString shown = metrics.elidedText(text, Qt::ElideRight, std::max(24.0, room - 16));
        const QRectF box(at.x() + 8, at.y() - metrics.height() / 2, metrics.horizontalAdvance(shown) + 4,
                         metrics.height());
        QColor ground = p.field; // lines run below it
        ground.setAlphaF(0.8F);
        painter.fillRect(box, ground);
        painter.setPen(p.muted);
        painter.drawText(QPointF(box.left() + 2, box.top() + metrics.ascent()), shown);
    }
}

} // namespace kernelarium::ui
