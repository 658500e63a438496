// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/TorchCanvas.h"

#include "ui/plots/Marks.h"
#include "ui/words/Quantities.h"

#include <QFontMetricsF>
#include <algorithm>

namespace kernelarium::ui {

namespace {

constexpr int longestName = 44;   ///< characters; the record has the whole name
constexpr double barShare = 0.62; ///< of the distance between two bars

QString shortName(const QString& name) {
    if (name.size() <= longestName) return name;
    return name.left(longestName / 2 - 1) + QStringLiteral("…") + name.right(longestName / 2);
}

} // namespace

TorchCanvas::TorchCanvas(QWidget* parent)
    : PlotCanvas(parent) {
    xAxis->setLabel(tr("Time (µs)"));
    yAxis->setRangeReversed(true);
    yAxis->grid()->setVisible(false);
    resetView();
}

void TorchCanvas::setBars(std::vector<TimeBar> bars) {
    m_bars = std::move(bars);
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (int i = 0; i < markCount(); ++i)
        ticker->addTick(i, shortName(m_bars[std::size_t(i)].name));
    yAxis->setTicker(ticker);
    setLook(look()); // the labels' width
    resetView();
    dataChanged();
}

QString TorchCanvas::widestLabel() const {
    const QFontMetricsF metrics(look().caption);
    QString widest;
    for (const TimeBar& bar : m_bars)
        if (const QString name = shortName(bar.name);
            metrics.horizontalAdvance(name) > metrics.horizontalAdvance(widest))
            widest = name;
    return widest;
}

QPointF TorchCanvas::markPosition(int mark) const {
    return pixelOf(m_bars[std::size_t(mark)].microseconds, mark);
}

QRectF TorchCanvas::rectOf(int mark) const {
    const QPointF end = markPosition(mark), begin = pixelOf(0, mark);
    const double half = std::abs(pixelOf(0, 1).y() - pixelOf(0, 0).y()) * barShare / 2;
    return QRectF(QPointF(begin.x(), end.y() - half), QPointF(end.x(), end.y() + half)).normalized();
}

void TorchCanvas::paintBelow(QPainter& painter) {
    const QRectF area = plotArea();
    for (int i = 0; i < markCount(); ++i) {
        const QRectF bar = rectOf(i).intersected(area);
        if (bar.width() <= 0 || bar.height() <= 0) continue;
        QColor fill = m_bars[std::size_t(i)].isRest ? look().palette.muted : look().palette.archived;
        painter.setPen(QPen(fill, i == current() ? 2.2 : 1.2));
        fill.setAlphaF(i == current() ? 0.55F : 0.35F);
        painter.setBrush(fill);
        painter.drawRect(bar);
    }
}

void TorchCanvas::paintAbove(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    const QRectF area = plotArea();
    drawLegend(painter, QPointF(area.right() - legendWidth(painter, {Origin::archived}), 8 + metrics.height() / 2),
               {Origin::archived}, look().palette);
    for (int i = 0; i < markCount(); ++i) {
        const QPointF at = markPosition(i);
        if (!area.contains(QPointF(std::clamp(at.x(), area.left(), area.right()), at.y()))) continue;
        const QString text = secondsText(m_bars[std::size_t(i)].microseconds / 1e6);
        const double x = std::min(at.x() + 6, area.right() - metrics.horizontalAdvance(text) - 2);
        if (x < area.left()) continue;
        painter.setPen(look().palette.text);
        painter.drawText(QPointF(x, at.y() + (metrics.ascent() - metrics.descent()) / 2), text);
    }
}

void TorchCanvas::home(QCPRange& x, QCPRange& y) const {
    double most = 0;
    for (const TimeBar& bar : m_bars)
        most = std::max(most, bar.microseconds);
    x = QCPRange(0, most > 0 ? most * 1.12 : 1);
    y = QCPRange(-0.6, std::max(1.0, double(m_bars.size())) - 0.4);
}

} // namespace kernelarium::ui
