// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tensors/HistogramPlot.h"

#include "core/tensorview/ValueText.h"
#include "ui/tensors/TensorWords.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace kernelarium::ui {

namespace {

double heightOf(std::int64_t count) {
    return std::sqrt(double(count));
}

/// The axis is of roots; its labels are of counts.
class RootTicker : public QCPAxisTicker {
protected:
    QVector<double> createTickVector(double, const QCPRange& range) override {
        const double most = std::max(1.0, range.upper * range.upper);
        const double step = std::pow(10.0, std::floor(std::log10(most)));
        const double top = most / step >= 5 ? 5 * step : most / step >= 2 ? 2 * step : step;
        QVector<double> ticks{0};
        for (const double share : {0.04, 0.25, 1.0})
            if (const double count = std::round(top * share); count >= 1) ticks << std::sqrt(count);
        return ticks;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return wholeText(std::int64_t(std::llround(tick * tick)));
    }
    QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }
};

} // namespace

HistogramCanvas::HistogramCanvas(QWidget* parent)
    : PlotCanvas(parent) {
    xAxis->setLabel(tr("Value"));
    yAxis->setLabel(tr("Elements (root scale)"));
    yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new RootTicker));
    resetView();
}

void HistogramCanvas::setHistogram(tensorview::Histogram histogram, const QString& title) {
    m_histogram = std::move(histogram);
    m_title = title;
    resetView(); // another tensor: another range
    dataChanged();
}

double HistogramCanvas::edge(int bin) const {
    const double share = double(bin) / double(std::max(1, markCount()));
    return m_histogram.low * (1 - share) + m_histogram.high * share;
}

QPointF HistogramCanvas::markPosition(int mark) const {
    return QPointF(bar(mark).center().x(), bar(mark).top());
}

QRectF HistogramCanvas::bar(int bin) const {
    double from = edge(bin), to = edge(bin + 1);
    if (from == to) from -= 0.5, to += 0.5;
    return QRectF(pixelOf(from, heightOf(m_histogram.counts[std::size_t(bin)])), pixelOf(to, 0)).normalized();
}

int HistogramCanvas::markAt(QPointF position) const {
    if (!plotArea().contains(position)) return -1;
    for (int bin = 0; bin < markCount(); ++bin)
        if (const QRectF box = bar(bin); position.x() >= box.left() && position.x() < box.right()) return bin;
    return -1;
}

void HistogramCanvas::home(QCPRange& x, QCPRange& y) const {
    x = QCPRange(0, 1);
    y = QCPRange(0, 1);
    if (m_histogram.counts.empty()) return;
    const double air = m_histogram.low == m_histogram.high ? 1 : (m_histogram.high / 50 - m_histogram.low / 50);
    x = QCPRange(m_histogram.low - air, m_histogram.high + air);
    y = QCPRange(0, 1.08 * heightOf(std::max<std::int64_t>(
                               1, *std::max_element(m_histogram.counts.begin(), m_histogram.counts.end()))));
}

void HistogramCanvas::paintBelow(QPainter& painter) {
    painter.save();
    painter.setClipRect(plotArea());
    const QColor colour = look().palette.series[0];
    QColor fill = colour;
    fill.setAlphaF(0.55F);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(fill);
    for (int bin = 0; bin < markCount(); ++bin)
        if (m_histogram.counts[std::size_t(bin)] > 0) painter.drawRect(bar(bin));
    painter.restore();
}

void HistogramCanvas::paintAbove(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    QString text = m_title;
    if (m_histogram.notFinite) text += tr(" · %1 not finite").arg(wholeText(m_histogram.notFinite));
    painter.setPen(look().palette.muted);
    painter.drawText(QPointF(plotArea().left(), 8 + metrics.ascent()),
                     metrics.elidedText(text, Qt::ElideRight, plotArea().width()));
    if (current() < 0 || current() >= markCount()) return;
    painter.setPen(QPen(look().palette.accent, 1.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar(current()));
}

HistogramPlot::HistogramPlot(Theme& theme, QWidget* parent)
    : HistogramPlot(theme, new HistogramCanvas, parent) {}

HistogramPlot::HistogramPlot(Theme& theme, HistogramCanvas* canvas, QWidget* parent)
    : PlotPanel(theme, canvas, QStringLiteral("statistics"), parent)
    , m_plot(*canvas) {
    canvas->setAccessibleName(tr("Histogram of the tensor"));
    setHistogram(std::nullopt);
}

void HistogramPlot::setHistogram(std::optional<tensorview::Histogram> histogram, const QString& title) {
    const bool none = !histogram || histogram->counts.empty();
    emptyState().setTexts(tr("No histogram"), histogram && histogram->notFinite
                                                  ? tr("None of the tensor's elements is finite.")
                                                  : tr("The tensor has no elements, or none were read yet."));
    m_plot.setHistogram(none ? tensorview::Histogram() : std::move(*histogram), title);
    setEmpty(none);
}

Record HistogramPlot::recordOf(int mark) const {
    const auto& counts = m_plot.histogram().counts;
    const auto all = std::accumulate(counts.begin(), counts.end(), std::int64_t(0));
    const std::int64_t count = counts[std::size_t(mark)];
    Record record;
    const int digits = tensorview::digitsOfEdges(m_plot.histogram());
    const auto edge = [&](int bin) { return elementText(m_plot.edge(bin), tensor::DType::Float64, digits); };
    record.title = tr("%1 to %2").arg(edge(mark), edge(mark + 1));
    const double share = double(count) / double(std::max<std::int64_t>(1, all));
    record.rows.append({tr("Elements"), tr("%1 (%2)").arg(wholeText(count), percentText(share))});
    return record;
}

QString HistogramPlot::svg(QSize size, const Palette& palette) const {
    HistogramCanvas fresh;
    fresh.setHistogram(m_plot.histogram(), m_plot.title());
    return svgOf(fresh, size, palette);
}

QString HistogramPlot::numbers() const {
    QString text = QStringLiteral("from\tto\telements\n");
    for (int bin = 0; bin < m_plot.markCount(); ++bin)
        text += QStringLiteral("%1\t%2\t%3\n")
                    .arg(m_plot.edge(bin), 0, 'g', 10)
                    .arg(m_plot.edge(bin + 1), 0, 'g', 10)
                    .arg(m_plot.histogram().counts[std::size_t(bin)]);
    return text;
}

} // namespace kernelarium::ui
