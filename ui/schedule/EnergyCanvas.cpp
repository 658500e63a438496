// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/EnergyCanvas.h"

#include "ui/plots/Marks.h"

#include <QFontMetricsF>
#include <algorithm>

namespace kernelarium::ui {

namespace {

constexpr double energyRadius = 3.5;
using EnergyFate = EnergyData::Mark::Fate;

} // namespace

EnergyCanvas::EnergyCanvas(QWidget* parent)
    : PlotCanvas(parent) {
    setAccessibleName(tr("Energy over steps"));
    xAxis->setLabel(tr("Step"));
    yAxis->setLabel(tr("Time (% of the original's)"));
    resetView();
}

void EnergyCanvas::setData(EnergyData data) {
    m_data = std::move(data);
    yAxis->setLabel(m_data.isModelled ? tr("Time (% of the original's, modelled)")
                                      : tr("Time (% of the original's, measured)"));
    dataChanged();
}

QPointF EnergyCanvas::markPosition(int mark) const {
    const EnergyData::Mark& m = m_data.marks[std::size_t(mark)];
    return pixelOf(m.step, m.energy);
}

void EnergyCanvas::home(QCPRange& x, QCPRange& y) const {
    x = QCPRange(-0.02 * std::max(m_data.steps, 10.0), 1.02 * std::max(m_data.steps, 10.0));
    double low = 100, high = 100;
    for (const EnergyData::Mark& mark : m_data.marks) {
        low = std::min(low, mark.energy);
        high = std::max(high, mark.energy);
    }
    for (const EnergyData::Point& point : m_data.temperature)
        high = std::max(high, point.value);
    if (m_data.noise) {
        low = std::min(low, 100 - *m_data.noise);
        high = std::max(high, 100 + *m_data.noise);
    }
    const double margin = std::max(0.08 * (high - low), 0.1);
    y = QCPRange(low - margin, high + margin);
}

QString EnergyCanvas::widestLabel() const {
    return QStringLiteral("100.25");
}

void EnergyCanvas::paintBelow(QPainter& painter) {
    const Palette& p = look().palette;
    const QRectF area = plotArea();
    if (m_data.noise) {
        const double top = pixelOf(0, 100 + *m_data.noise).y(), bottom = pixelOf(0, 100 - *m_data.noise).y();
        QColor band = p.grid;
        band.setAlphaF(0.6F);
        painter.fillRect(QRectF(QPointF(area.left(), std::max(top, area.top())),
                                QPointF(area.right(), std::min(bottom, area.bottom()))),
                         band);
    }
    const double original = pixelOf(0, 100).y();
    if (original < area.top() || original > area.bottom()) return;
    painter.setPen(QPen(p.muted, 1, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), original), QPointF(area.right(), original));
}

void EnergyCanvas::drawLine(QPainter& painter, const std::vector<EnergyData::Point>& points, bool stairs) {
    const QRectF area = plotArea();
    const auto draw = [&](QPointF from, QPointF to) {
        if (const auto part = clipped(QLineF(from, to), area)) painter.drawLine(*part);
    };
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QPointF from = pixelOf(points[i - 1].step, points[i - 1].value),
                      to = pixelOf(points[i].step, points[i].value);
        if (!stairs) {
            draw(from, to);
            continue;
        }
        draw(from, QPointF(to.x(), from.y()));
        draw(QPointF(to.x(), from.y()), to);
    }
}

void EnergyCanvas::paintAbove(QPainter& painter) {
    drawHeader(painter);
    const Palette& p = look().palette;
    painter.setPen(QPen(p.warning, 1));
    drawLine(painter, m_data.temperature, false);
    painter.setPen(QPen(p.ok, 2));
    drawLine(painter, m_data.best, true);
    for (int i = 0; i < markCount(); ++i) {
        const EnergyData::Mark& mark = m_data.marks[std::size_t(i)];
        const QPointF at = markPosition(i);
        if (!plotArea().adjusted(-1, -1, 1, 1).contains(at)) continue;
        const double radius = i == current() ? energyRadius + 2 : energyRadius;
        const QColor colour = mark.fate == EnergyFate::faulted   ? p.wrong
                              : mark.fate == EnergyFate::refused ? p.muted
                              : mark.fate == EnergyFate::control ? p.archived
                                                                 : p.accent;
        painter.setPen(QPen(colour, 1.4, mark.fate == EnergyFate::control ? Qt::DotLine : Qt::SolidLine));
        painter.setBrush(mark.fate == EnergyFate::accepted || mark.fate == EnergyFate::start ? colour : p.field);
        if (mark.fate == EnergyFate::faulted) {
            painter.drawLine(at - QPointF(radius, radius), at + QPointF(radius, radius));
            painter.drawLine(at - QPointF(radius, -radius), at + QPointF(radius, -radius));
        } else {
            painter.drawEllipse(at, radius, radius);
        }
        if (mark.best) drawRing(painter, at, p.text);
    }
}

/// What marks and lines mean.
void EnergyCanvas::drawHeader(QPainter& painter) {
    const Palette& p = look().palette;
    const QFontMetricsF metrics(painter.font());
    const QRectF area = plotArea();
    const double baseline = 8 + metrics.height() / 2 + (metrics.ascent() - metrics.descent()) / 2;
    struct Part {
        QString text;
        QColor colour;
    };
    std::vector<Part> parts{{tr("● accepted"), p.accent},
                            {tr("○ refused"), p.muted},
                            {tr("━ best so far"), p.ok},
                            {tr("─ 100% + temperature"), p.warning}};
    if (m_data.noise) parts.insert(parts.begin(), {tr("▒ noise"), p.muted});
    double x = area.left();
    for (const Part& part : parts) {
        if (x + metrics.horizontalAdvance(part.text) > area.right()) break;
        painter.setPen(part.colour);
        painter.drawText(QPointF(x, baseline), part.text);
        x += metrics.horizontalAdvance(part.text) + 16;
    }
}

} // namespace kernelarium::ui
