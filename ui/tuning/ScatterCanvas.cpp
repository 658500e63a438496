// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/ScatterCanvas.h"

#include "ui/plots/LogTicker.h"
#include "ui/plots/Marks.h"
#include "ui/tuning/PointRow.h"
#include "ui/words/Quantities.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

constexpr double scatterRadius = 3.5;

void useScatterAxis(QCPAxis* axis, const ScatterData::Axis& data) {
    axis->setLabel(data.title);
    axis->setScaleType(data.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (!data.words.isEmpty()) {
        QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
        const int stride = std::max(1, int(data.words.size() + 15) / 16);
        for (int i = 0; i < data.words.size(); i += stride)
            ticker->addTick(i, data.words[i]);
        axis->setTicker(ticker);
    } else if (data.log) {
        axis->setTicker(QSharedPointer<QCPAxisTicker>(new LogTicker([](double v) { return numberText(v); })));
    } else {
        axis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    }
}

} // namespace

ScatterCanvas::ScatterCanvas(QWidget* parent)
    : PlotCanvas(parent) {
    setAccessibleName(tr("Scatter of points"));
    resetView();
}

void ScatterCanvas::setData(ScatterData data) {
    const bool other = data.x.title != m_data.x.title || data.y.title != m_data.y.title;
    m_data = std::move(data);
    useScatterAxis(xAxis, m_data.x);
    useScatterAxis(yAxis, m_data.y);
    if (other) resetView();
    dataChanged();
}

QPointF ScatterCanvas::markPosition(int mark) const {
    const ScatterData::Mark& m = m_data.marks[std::size_t(mark)];
    return pixelOf(m.x, m.y);
}

void ScatterCanvas::home(QCPRange& x, QCPRange& y) const {
    const auto range = [&](const ScatterData::Axis& axis, double ScatterData::Mark::*value) {
        if (!axis.words.isEmpty()) return QCPRange(-0.6, double(axis.words.size()) - 0.4);
        double low = INFINITY, high = -INFINITY;
        for (const ScatterData::Mark& mark : m_data.marks) {
            low = std::min(low, mark.*value);
            high = std::max(high, mark.*value);
        }
        if (!(low <= high)) return axis.log ? QCPRange(0.1, 10) : QCPRange(0, 1);
        if (axis.log) return QCPRange(low / 1.15, high * 1.15);
        return QCPRange(0, high > 0 ? high * 1.08 : 1);
    };
    x = range(m_data.x, &ScatterData::Mark::x);
    y = range(m_data.y, &ScatterData::Mark::y);
}

QString ScatterCanvas::widestLabel() const {
    QString widest = QStringLiteral("1000");
    for (const QString& word : m_data.y.words)
        if (word.size() > widest.size()) widest = word;
    return widest;
}

void ScatterCanvas::paintBelow(QPainter&) {}

void ScatterCanvas::paintAbove(QPainter& painter) {
    drawHeader(painter);
    const Palette& p = look().palette;
    for (int i = 0; i < markCount(); ++i) {
        const ScatterData::Mark& mark = m_data.marks[std::size_t(i)];
        const QPointF at = markPosition(i);
        if (!plotArea().adjusted(-1, -1, 1, 1).contains(at)) continue;
        using Shape = ScatterData::Mark::Shape;
        QColor colour = mark.shape == Shape::cross ? p.wrong
                        : std::isnan(mark.share)   ? p.muted
                                                   : timeColour(mark.share, p);
        if (mark.faded) colour = p.grid;
        const double radius = i == current() ? scatterRadius + 2 : scatterRadius;
        painter.setPen(QPen(colour, 1.4));
        painter.setBrush(mark.shape == Shape::dot ? colour : p.field);
        if (mark.shape == Shape::cross) {
            painter.drawLine(at - QPointF(radius, radius), at + QPointF(radius, radius));
            painter.drawLine(at - QPointF(radius, -radius), at + QPointF(radius, -radius));
        } else {
            painter.drawEllipse(at, radius, radius);
        }
        if (mark.best && !mark.faded) drawRing(painter, at, p.text);
    }
}

/// What the colours and shapes mean.
void ScatterCanvas::drawHeader(QPainter& painter) {
    const Palette& p = look().palette;
    const QFontMetricsF metrics(painter.font());
    const QRectF area = plotArea();
    const double middle = 8 + metrics.height() / 2;
    const double baseline = middle + (metrics.ascent() - metrics.descent()) / 2;
    const QString fast = tr("best"), slow = tr("4× as long"), hollow = tr("○ not verified or refused"),
                  crossed = tr("✗ wrong");
    constexpr double ramp = 48, gap = 6, wide = 16;
    const double width = metrics.horizontalAdvance(fast) + gap + ramp + gap + metrics.horizontalAdvance(slow) + wide +
                         metrics.horizontalAdvance(hollow) + wide + metrics.horizontalAdvance(crossed);
    double x = area.right() - width;
    painter.setPen(p.muted);
    painter.drawText(QPointF(area.left(), baseline),
                     metrics.elidedText(m_data.note, Qt::ElideRight, std::max(0.0, x - wide - area.left())));
    painter.drawText(QPointF(x, baseline), fast);
    x += metrics.horizontalAdvance(fast) + gap;
    constexpr int pieces = 12;
    for (int i = 0; i < pieces; ++i)
        painter.fillRect(QRectF(x + ramp * i / pieces, middle - 4, ramp / pieces + 0.5, 8),
                         timeColour((i + 0.5) / pieces, p));
    x += ramp + gap;
    painter.drawText(QPointF(x, baseline), slow);
    x += metrics.horizontalAdvance(slow) + wide;
    painter.drawText(QPointF(x, baseline), hollow);
    x += metrics.horizontalAdvance(hollow) + wide;
    painter.setPen(p.wrong);
    painter.drawText(QPointF(x, baseline), crossed);
}

} // namespace kernelarium::ui
