// SPDX-License-Identifier: GPL-3.0-or-later
// How HistoryCanvas draws.
#include "ui/plots/HistoryCanvas.h"

#include "core/audit/AuditSummary.h"
#include "ui/plots/MarkNotes.h"
#include "ui/plots/Marks.h"
#include "ui/words/Quantities.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

bool HistoryEntry::isUndecided() const {
    return audit::bearingOf(verdict.toStdString()) == audit::Bearing::undecided;
}
bool HistoryEntry::isRefuted() const {
    return audit::bearingOf(verdict.toStdString()) == audit::Bearing::refutes;
}

void HistoryCanvas::paintBelow(QPainter& painter) {
    m_labels = LabelPlacer(plotArea());
    for (int i = 0; i < markCount(); ++i)
        m_labels.occupy(QRectF(markPosition(i) - QPointF(8, 8), QSizeF(16, 16)));
    for (const Origin origin : {Origin::modelled, Origin::measured})
        drawBestLine(painter, origin);
    drawReferences(painter);
}

void HistoryCanvas::drawReferences(QPainter& painter) {
    const QRectF area = plotArea();
    const QFontMetricsF metrics(painter.font());
    for (const ReferenceLine& line : m_data.lines) // no text across any of them
        m_labels.occupy(QRectF(area.left(), yAxis->coordToPixel(line.milliseconds) - 0.5, area.width(), 1));
    for (const ReferenceLine& line : m_data.lines) {
        const double y = yAxis->coordToPixel(line.milliseconds);
        if (y < area.top() || y > area.bottom()) continue;
        const QColor colour = colourOf(line.origin, look().palette);
        const QString text = line.label + QLatin1Char(' ') + axisTimeText(line.milliseconds);
        constexpr double mark = 16; ///< room for the origin's mark before the text
        const auto box = m_labels.onLine(y - 1, area.left() + 4, area.right() - 6,
                                         {mark + metrics.horizontalAdvance(text), metrics.height()});
        painter.setPen(QPen(colour, 1, line.origin == Origin::modelled ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        if (!box) continue;
        drawMark(painter, QPointF(box->left() + 5, box->center().y()), line.origin, look().palette, 4);
        painter.setPen(look().palette.text);
        painter.drawText(QPointF(box->left() + mark, box->bottom() - metrics.descent()), text);
    }
}

/// A step down at each verified attempt that is faster than all before it.
void HistoryCanvas::drawBestLine(QPainter& painter, Origin origin) {
    std::vector<int> order;
    for (int i = 0; i < markCount(); ++i)
        if (entry(i).origin == origin && entry(i).verdict == QLatin1String("verified")) order.push_back(i);
    if (order.size() < 2) return;
    std::stable_sort(order.begin(), order.end(), [this](int a, int b) { return xOf(entry(a)) < xOf(entry(b)); });
    QColor colour = colourOf(origin, look().palette);
    painter.setPen(QPen(colour, 1.4, origin == Origin::modelled ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap));
    std::vector<QPointF> faster;
    for (const int i : order)
        if (const QPointF at = markPosition(i); faster.empty() || at.y() > faster.back().y())
            faster.push_back(at); // lower is faster
    drawBestSteps(painter, m_labels, plotArea(), faster, markPosition(order.back()).x());
}

void HistoryCanvas::paintAbove(QPainter& painter) {
    drawHeader(painter);
    for (int i = 0; i < markCount(); ++i)
        drawNoise(painter, i);
    for (int i = 0; i < markCount(); ++i)
        drawEntry(painter, i);
    if (hasFocus() && current() >= 0) drawFocusRing(painter, markPosition(current()), 13, look().palette);
    drawLabels(painter);
}

void HistoryCanvas::drawHeader(QPainter& painter) {
    if (m_data.entries.empty()) return;
    const QFontMetricsF metrics(painter.font());
    const QRectF area = plotArea();
    const double middle = 8 + metrics.height() / 2;
    QList<Origin> origins;
    for (const Origin origin : {Origin::archived, Origin::measured, Origin::modelled}) {
        const bool seen = std::any_of(m_data.entries.begin(), m_data.entries.end(),
                                      [&](const HistoryEntry& e) { return e.origin == origin; }) ||
                          std::any_of(m_data.lines.begin(), m_data.lines.end(),
                                      [&](const ReferenceLine& l) { return l.origin == origin; });
        if (seen) origins << origin;
    }
    struct Sign {
        void (*draw)(QPainter&, QPointF, const Palette&, double);
        QString word;
    };
    std::vector<Sign> signs;
    const auto any = [this](auto is) { return std::any_of(m_data.entries.begin(), m_data.entries.end(), is); };
    if (any([](const HistoryEntry& e) { return e.isUndecided(); })) signs.push_back({drawDash, tr("undecided")});
    if (any([](const HistoryEntry& e) { return e.isRefuted(); }))
        signs.push_back({drawCross, tr("failed verification")});
    double keyWidth = legendWidth(painter, origins);
    for (const Sign& sign : signs)
        keyWidth += 16 + 14 + metrics.horizontalAdvance(sign.word);
    double end = drawLegend(painter, QPointF(area.right() - keyWidth, middle), origins, look().palette);
    const double baseline = middle + (metrics.ascent() - metrics.descent()) / 2;
    for (const Sign& sign : signs) {
        sign.draw(painter, QPointF(end + 20, middle), look().palette, 3);
        painter.setPen(look().palette.muted);
        painter.drawText(QPointF(end + 30, baseline), sign.word);
        end += 30 + metrics.horizontalAdvance(sign.word);
    }
    painter.setPen(look().palette.muted);
    const HistoryEntry& first = m_data.entries.front();
    painter.drawText(QPointF(area.left(), baseline), metrics.elidedText(tr("%1, size %2").arg(first.device, first.size),
                                                                        Qt::ElideRight, area.width() - keyWidth - 16));
}

void HistoryCanvas::drawNoise(QPainter& painter, int mark) {
    const HistoryEntry& e = entry(mark);
    const bool quartiles = e.lower > 0 && e.upper >= e.lower;
    if (!quartiles && (!std::isfinite(e.noise) || e.noise <= 0)) return;
    const double share = std::min(e.noise, 0.95);
    const QPointF low = pixelOf(xOf(e), quartiles ? e.lower : e.milliseconds * (1 - share));
    const QPointF high = pixelOf(xOf(e), quartiles ? e.upper : e.milliseconds * (1 + share));
    if (low.y() - high.y() < 2 * markRadius + 6) return; // inside the mark
    painter.setPen(QPen(colourOf(e.origin, look().palette), 1.2));
    const auto line = clipped(QLineF(low, high), plotArea());
    if (!line) return;
    painter.drawLine(*line);
    for (const QPointF end : {low, high})
        if (plotArea().contains(end)) painter.drawLine(end - QPointF(3, 0), end + QPointF(3, 0));
}

void HistoryCanvas::drawEntry(QPainter& painter, int mark) {
    const QPointF at = markPosition(mark);
    if (!plotArea().adjusted(-1, -1, 1, 1).contains(at)) return;
    const HistoryEntry& e = entry(mark);
    if (m_data.selected == e.attempt) drawHalo(painter, at, look().palette);
    if (mark == best(e.origin)) drawRing(painter, at, look().palette.ok);
    drawMark(painter, at, e.origin, look().palette, mark == current() ? markRadius + 1.5 : markRadius);
    if (e.isUndecided()) drawDash(painter, at, look().palette);
    if (e.isRefuted()) drawCross(painter, at, look().palette);
}

void HistoryCanvas::drawLabels(QPainter& painter) {
    const auto label = [&](int mark, const QString& text) {
        drawMarkLabel(painter, m_labels, markPosition(mark), text, 160, look().palette);
    };
    // An attempt that was timed more than once is named at its newest time.
    for (int i = markCount() - 1; i >= 0; --i)
        if (m_data.selected == entry(i).attempt) {
            label(i, entry(i).label);
            break;
        }
    for (const Origin origin : {Origin::measured, Origin::modelled})
        if (const int i = best(origin); i >= 0 && m_data.selected != entry(i).attempt)
            label(i, tr("best: %1").arg(axisTimeText(entry(i).milliseconds)));
}

} // namespace kernelarium::ui
