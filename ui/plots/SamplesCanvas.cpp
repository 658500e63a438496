// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/SamplesCanvas.h"

#include "ui/plots/Quantities.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

constexpr int fewestBins = 6, mostBins = 60;

/// Freedman and Diaconis 1981: twice the interquartile range over the cube root of the count.
double binWidth(const protocol::TimeSummary& summary) {
    const auto& s = summary.summary;
    return s.count > 1 ? 2e3 * (s.upperQuartile - s.lowerQuartile) / std::cbrt(double(s.count)) : 0;
}

} // namespace

SamplesCanvas::SamplesCanvas(QWidget* parent)
    : PlotCanvas(parent) {
    xAxis->setLabel(tr("Time (ms)"));
    yAxis->setLabel(tr("Samples (%)"));
    resetView();
}

std::vector<double> SamplesCanvas::counted(const protocol::TimeSummary& summary) {
    std::vector<double> times;
    for (const perf::Sample& sample : summary.samples)
        if (summary.highestClockMHz <= 0 || sample.clockMHz <= 0 ||
            sample.clockMHz >= perf::leastClockShare * summary.highestClockMHz)
            times.push_back(sample.seconds * 1e3);
    return times;
}

void SamplesCanvas::setSets(std::vector<SampleSet> sets) {
    m_sets = std::move(sets);
    fillBins();
    dataChanged();
}

void SamplesCanvas::fillBins() {
    m_bins.clear();
    std::vector<std::vector<double>> times;
    double least = INFINITY, most = -INFINITY, width = INFINITY;
    for (const SampleSet& set : m_sets) {
        times.push_back(counted(*set.summary));
        for (const double ms : times.back())
            least = std::min(least, ms), most = std::max(most, ms);
        if (const double own = binWidth(*set.summary); own > 0) width = std::min(width, own);
    }
    if (!(least <= most)) return;
    const double spread = most > least ? most - least : std::max(least * 1e-3, 1e-9);
    const int bins = std::isfinite(width)
                         ? int(std::clamp(std::ceil(spread / width), double(fewestBins), double(mostBins)))
                         : fewestBins;
    for (std::size_t set = 0; set < times.size(); ++set) {
        std::vector<std::size_t> counts(std::size_t(bins), 0);
        for (const double ms : times[set])
            ++counts[std::size_t(std::min(double(bins - 1), (ms - least) / spread * bins))];
        for (int i = 0; i < bins; ++i)
            if (const std::size_t count = counts[std::size_t(i)]; count > 0)
                m_bins.push_back({int(set), least + spread * i / bins, least + spread * (i + 1) / bins, count,
                                  double(count) / double(times[set].size())});
    }
}

QPointF SamplesCanvas::markPosition(int mark) const {
    const Bin& b = bin(mark);
    return pixelOf((b.from + b.to) / 2, b.share * 100);
}

void SamplesCanvas::home(QCPRange& x, QCPRange& y) const {
    x = QCPRange(0, 1);
    y = QCPRange(0, 100);
    if (m_bins.empty()) return;
    double least = INFINITY, most = 0, highest = 0;
    for (const Bin& b : m_bins) {
        least = std::min(least, b.from);
        most = std::max(most, b.to);
        highest = std::max(highest, b.share);
    }
    const double air = (most - least) * 0.06;
    x = QCPRange(least - air, most + air);
    y = QCPRange(0, std::min(130.0, highest * 135)); // room for the medians' labels
}

void SamplesCanvas::paintBelow(QPainter& painter) {
    m_labels = LabelPlacer(plotArea());
    painter.save();
    painter.setClipRect(plotArea());
    for (int set = 0; set < int(m_sets.size()); ++set)
        drawInterval(painter, set);
    for (const Bin& b : m_bins) {
        const QRectF bar(pixelOf(b.from, b.share * 100), pixelOf(b.to, 0));
        QColor fill = colour(b.set);
        fill.setAlphaF(b.set == 0 ? 0.55 : 0.25);
        painter.setPen(QPen(colour(b.set), b.set == 0 ? 1 : 1.6));
        painter.setBrush(fill);
        painter.drawRect(bar.normalized());
    }
    painter.restore();
}

void SamplesCanvas::drawInterval(QPainter& painter, int set) {
    const auto& s = m_sets[std::size_t(set)].summary->summary;
    QColor band = colour(set);
    band.setAlphaF(0.18);
    QRectF area(pixelOf(s.confidentFrom * 1e3, 0), pixelOf(s.confidentTo * 1e3, 0));
    area.setTop(plotArea().top());
    area.setBottom(plotArea().bottom());
    painter.fillRect(area.normalized().adjusted(-0.5, 0, 0.5, 0), band);
}

void SamplesCanvas::drawMedian(QPainter& painter, int set) {
    const auto& s = m_sets[std::size_t(set)].summary->summary;
    const QRectF area = plotArea();
    const auto line = [&](double seconds, Qt::PenStyle style, double width) {
        const double x = pixelOf(seconds * 1e3, 0).x();
        if (x < area.left() || x > area.right()) return;
        painter.setPen(QPen(colour(set), width, style));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    };
    line(s.lowerQuartile, Qt::DotLine, 1);
    line(s.upperQuartile, Qt::DotLine, 1);
    line(s.median, set == 0 ? Qt::SolidLine : Qt::DashLine, 2);
    const QPointF top(pixelOf(s.median * 1e3, 0).x(), area.top() + 12 + 20 * set);
    const QFontMetricsF metrics(painter.font());
    const QString text = tr("median %1").arg(fineTimeText(s.median));
    const auto box =
        area.contains(top) ? m_labels.beside(top, {metrics.horizontalAdvance(text), metrics.height()}) : std::nullopt;
    if (!box) return;
    painter.setPen(look().palette.text);
    painter.drawText(QPointF(box->left(), box->bottom() - metrics.descent()), text);
}

void SamplesCanvas::paintAbove(QPainter& painter) {
    drawHeader(painter);
    for (int set = 0; set < int(m_sets.size()); ++set)
        drawMedian(painter, set);
    if (current() < 0 || current() >= markCount()) return;
    const Bin& b = bin(current());
    painter.setPen(QPen(look().palette.accent, 1.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(pixelOf(b.from, b.share * 100), pixelOf(b.to, 0)).normalized());
}

/// Whose the colours are: a filled square, an outlined one.
void SamplesCanvas::drawHeader(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    const double middle = 8 + metrics.height() / 2;
    const double baseline = middle + (metrics.ascent() - metrics.descent()) / 2;
    double x = plotArea().left();
    const double room = plotArea().width() / std::max<std::size_t>(1, m_sets.size()) - 24;
    for (int set = 0; set < int(m_sets.size()); ++set) {
        QColor fill = colour(set);
        if (set == 1) fill.setAlphaF(0.25);
        painter.setPen(QPen(colour(set), 1.6));
        painter.setBrush(fill);
        painter.drawRect(QRectF(x, middle - 4, 8, 8));
        painter.setPen(look().palette.text);
        const QString text = metrics.elidedText(m_sets[std::size_t(set)].label, Qt::ElideMiddle, room);
        painter.drawText(QPointF(x + 14, baseline), text);
        x += 14 + metrics.horizontalAdvance(text) + 24;
    }
}

} // namespace kernelarium::ui
