// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/LineageCanvas.h"

#include "ui/plots/LogTicker.h"
#include "ui/plots/MarkNotes.h"
#include "ui/plots/Marks.h"
#include "ui/words/Quantities.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

using Standing = LineageEntry::Standing;
constexpr double lineageRadius = 4; ///< there are many
constexpr double stripHeight = 9;   ///< of the marks without a time, from the lower edge

/// There is no kernel 2.5.
class OrderTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        return std::max(1.0, std::round(QCPAxisTicker::getTickStep(range)));
    }
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return tick < 0.5 ? QString() : QString::number(qint64(std::llround(tick)));
    }
};

bool hasTime(const LineageEntry& entry) {
    return std::isfinite(entry.milliseconds) && entry.milliseconds > 0;
}

} // namespace

LineageCanvas::LineageCanvas(QWidget* parent)
    : PlotCanvas(parent) {
    yAxis->setScaleType(QCPAxis::stLogarithmic);
    yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LogTicker([](double v) { return numberText(v); })));
    yAxis->setLabel(tr("Time (ms)"));
    xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new OrderTicker));
    xAxis->setLabel(tr("Kernels of the task in the order in which they were made"));
    resetView();
}

void LineageCanvas::setData(LineageData data) {
    const auto idsOf = [](const LineageData& of) {
        std::vector<qint64> ids;
        for (const auto& entry : of.entries)
            ids.push_back(entry.id);
        return ids;
    };
    const bool another = idsOf(data) != idsOf(m_data);
    m_data = std::move(data);
    m_records.clear();
    for (int i = 0; i < markCount(); ++i) {
        if (entry(i).standing != Standing::correct || !hasTime(entry(i))) continue;
        if (m_records.empty() || entry(i).milliseconds < entry(m_records.back()).milliseconds) m_records.push_back(i);
    }
    if (another) resetView();
    dataChanged();
}

int LineageCanvas::kernelCount() const {
    return int(std::count_if(m_data.entries.begin(), m_data.entries.end(),
                             [](const LineageEntry& e) { return !e.isAttempt(); }));
}

QPointF LineageCanvas::markPosition(int mark) const {
    const LineageEntry& e = entry(mark);
    if (hasTime(e)) return pixelOf(e.order, e.milliseconds);
    return {xAxis->coordToPixel(e.order), plotArea().bottom() - stripHeight};
}

void LineageCanvas::paintBelow(QPainter& painter) {
    m_labels = LabelPlacer(plotArea());
    for (int i = 0; i < markCount(); ++i) {
        const bool ringed =
            m_data.selected == entry(i).id || std::find(m_records.begin(), m_records.end(), i) != m_records.end();
        const double half = ringed ? 11 : 5;
        m_labels.occupy(QRectF(markPosition(i) - QPointF(half, half), QSizeF(2 * half, 2 * half)));
    }
    for (const auto& level : {m_data.nativeMilliseconds, m_data.compileMilliseconds}) // no text across either
        if (level) m_labels.occupy(QRectF(plotArea().left(), yAxis->coordToPixel(*level) - 0.5, plotArea().width(), 1));
    drawBestLine(painter); // before the labels, which keep off it
    if (m_data.nativeMilliseconds)
        drawReference(painter, *m_data.nativeMilliseconds, tr("PyTorch"), look().palette.series[1]);
    if (m_data.compileMilliseconds)
        drawReference(painter, *m_data.compileMilliseconds, tr("torch.compile"), look().palette.series[2]);
}

void LineageCanvas::drawReference(QPainter& painter, double milliseconds, const QString& label, const QColor& colour) {
    const QRectF area = plotArea();
    const double y = yAxis->coordToPixel(milliseconds);
    if (y < area.top() || y > area.bottom()) return;
    const QFontMetricsF metrics(painter.font());
    const QString text = label + QLatin1Char(' ') + axisTimeText(milliseconds);
    const auto box =
        m_labels.onLine(y - 1, area.left() + 4, area.right() - 6, {metrics.horizontalAdvance(text), metrics.height()});
    painter.setPen(QPen(colour, 1.2));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    if (!box) return;
    painter.setPen(look().palette.text);
    painter.drawText(QPointF(box->left(), box->bottom() - metrics.descent()), text);
}

void LineageCanvas::drawBestLine(QPainter& painter) {
    if (m_records.empty()) return;
    painter.setPen(QPen(look().palette.ok, 1.6, Qt::SolidLine, Qt::FlatCap));
    std::vector<QPointF> marks;
    for (const int i : m_records)
        marks.push_back(markPosition(i));
    drawBestSteps(painter, m_labels, plotArea(), marks, xAxis->coordToPixel(m_data.entries.back().order));
}

void LineageCanvas::paintAbove(QPainter& painter) {
    drawHeader(painter);
    for (int i = 0; i < markCount(); ++i)
        if (entry(i).isAttempt()) drawParents(painter, i);
    for (int i = 0; i < markCount(); ++i)
        drawEntry(painter, i);
    if (hasFocus() && current() >= 0) drawFocusRing(painter, markPosition(current()), 12, look().palette);
    drawLabels(painter);
}

void LineageCanvas::drawHeader(QPainter& painter) {
    if (m_data.entries.empty()) return;
    const QFontMetricsF metrics(painter.font());
    const QRectF area = plotArea();
    const double middle = 8 + metrics.height() / 2;
    const double baseline = middle + (metrics.ascent() - metrics.descent()) / 2;
    const auto count = [this](Standing standing) {
        return std::count_if(m_data.entries.begin(), m_data.entries.end(),
                             [=](const auto& e) { return e.standing == standing; });
    };
    painter.setPen(look().palette.muted);
    const int attempts = markCount() - kernelCount();
    QString text = tr("%1 kernels: %2 archived as correct")
                       .arg(kernelCount())
                       .arg(count(Standing::correct) + count(Standing::refuted));
    if (count(Standing::refuted) > 0) text += tr(", %1 of these refuted here").arg(count(Standing::refuted));
    if (attempts > 0) text += tr("; ◇ your attempts with a second parent: %1").arg(attempts);
    const QString wrongWord = tr("not correct");
    const double keyWidth = legendWidth(painter, {Origin::archived}) + 30 + metrics.horizontalAdvance(wrongWord);
    const double end =
        drawLegend(painter, QPointF(area.right() - keyWidth, middle), {Origin::archived}, look().palette);
    drawCross(painter, QPointF(end + 20, middle), look().palette, 3);
    painter.setPen(look().palette.muted);
    painter.drawText(QPointF(end + 30, baseline), wrongWord);
    painter.drawText(QPointF(area.left(), baseline),
                     metrics.elidedText(text, Qt::ElideRight, area.width() - keyWidth - 16));
}

void LineageCanvas::drawEntry(QPainter& painter, int mark) {
    const QPointF at = markPosition(mark);
    if (!plotArea().adjusted(-1, -1, 1, 1).contains(at)) return;
    const LineageEntry& e = entry(mark);
    if (m_data.selected == e.id) drawHalo(painter, at, look().palette);
    const double radius = mark == current() ? lineageRadius + 1.5 : lineageRadius;
    if (e.isAttempt()) {
        const double half = radius + 0.5;
        painter.setPen(QPen(look().palette.accent, 1.5));
        painter.setBrush(look().palette.field);
        painter.drawPolygon(
            QPolygonF({at + QPointF(0, -half), at + QPointF(half, 0), at + QPointF(0, half), at + QPointF(-half, 0)}));
        painter.setBrush(Qt::NoBrush);
        return;
    }
    if (std::find(m_records.begin(), m_records.end(), mark) != m_records.end())
        drawRing(painter, at, look().palette.ok);
    if (hasTime(e)) drawMark(painter, at, Origin::archived, look().palette, radius);
    if (e.standing != Standing::correct && e.standing != Standing::unknown)
        drawCross(painter, at, look().palette, hasTime(e) ? radius : 3);
    if (e.standing == Standing::unknown && !hasTime(e)) drawMark(painter, at, Origin::archived, look().palette, 2);
}

void LineageCanvas::drawParents(QPainter& painter, int mark) {
    painter.setPen(QPen(look().palette.accent, 1, Qt::DashLine));
    for (int i = 0; i < markCount(); ++i)
        if (std::find(entry(mark).parentIds.begin(), entry(mark).parentIds.end(), entry(i).id) !=
            entry(mark).parentIds.end())
            painter.drawLine(markPosition(mark), markPosition(i));
}

void LineageCanvas::drawLabels(QPainter& painter) {
    const auto label = [&](int mark, const QString& text) {
        drawMarkLabel(painter, m_labels, markPosition(mark), text, 220, look().palette);
    };
    for (int i = 0; i < markCount(); ++i)
        if (m_data.selected == entry(i).id && plotArea().contains(markPosition(i))) label(i, entry(i).name);
    if (!m_records.empty() && m_data.selected != entry(m_records.back()).id &&
        plotArea().contains(markPosition(m_records.back())))
        label(m_records.back(), tr("best: %1").arg(axisTimeText(entry(m_records.back()).milliseconds)));
}

void LineageCanvas::home(QCPRange& x, QCPRange& y) const {
    x = QCPRange(0.5, 10.5);
    y = QCPRange(0.1, 10);
    if (m_data.entries.empty()) return;
    const double last = m_data.entries.back().order;
    const double margin = std::max(0.5, last * 0.03);
    x = QCPRange(1 - margin, last + margin);
    double least = INFINITY, most = 0;
    const auto take = [&](double ms) {
        if (!std::isfinite(ms) || ms <= 0) return;
        least = std::min(least, ms);
        most = std::max(most, ms);
    };
    for (const LineageEntry& e : m_data.entries)
        take(e.milliseconds);
    take(m_data.nativeMilliseconds.value_or(0));
    take(m_data.compileMilliseconds.value_or(0));
    if (most <= 0) return;
    const double air = std::max(1.3, std::pow(most / least, 0.12)); // below, room for those without a time
    y = QCPRange(least / air / air, most * air);
}

} // namespace kernelarium::ui
