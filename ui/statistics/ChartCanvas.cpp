// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/ChartCanvas.h"

#include "ui/plots/LabelPlacer.h"
#include "ui/plots/LogTicker.h"
#include "ui/plots/Marks.h"
#include "ui/words/Quantities.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

constexpr double dotRadius = 3;

QSharedPointer<QCPAxisTicker> wordTicker(const QStringList& words) {
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (int i = 0; i < words.size(); ++i)
        ticker->addTick(i, words[i]);
    return ticker;
}

/// Of counts: there is no kernel 2.5.
class WholeTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        const double step = std::max(1.0, QCPAxisTicker::getTickStep(range));
        return step == std::floor(step) ? step : 2 * step; // 2.5
    }
    int getSubTickCount(double) override { return 0; }
};

/// Of a quantity: as many digits as tell one tick from the next.
class QuantityTicker : public QCPAxisTicker {
public:
    explicit QuantityTicker(std::function<QString(double, int)> text)
        : m_text(std::move(text)) {}

protected:
    double getTickStep(const QCPRange& range) override {
        const double step = QCPAxisTicker::getTickStep(range);
        const double largest = std::max(std::abs(range.lower), std::abs(range.upper));
        m_digits = step > 0 ? std::clamp(int(std::ceil(std::log10(largest / step))) + 1, 3, 9) : 3;
        m_zero = step * 1e-6;
        return step;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return m_text(std::abs(tick) < m_zero ? 0 : tick, m_digits);
    }

private:
    std::function<QString(double, int)> m_text;
    int m_digits = 3;
    double m_zero = 0; ///< what is left of a 0 that was added up
};

class PercentTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return numberText(100 * tick); }
};

/// Of a quantity, with air above and below; what is all but the same is not torn apart.
QCPRange around(double low, double high) {
    const double air = high > low  ? std::max(0.08 * (high - low), 0.01 * std::abs(high))
                       : high == 0 ? 1
                                   : 0.1 * std::abs(high);
    return {low >= 0 ? std::max(0.0, low - air) : low - air, high + air};
}

/// Whole pixels, so that neighbours meet, and few rows at a time: Qt shares what is not opaque and has more than 96
/// among threads, and waits longer for them than the filling takes.
void fillStep(QPainter& painter, const QRectF& step, const QColor& colour) {
    if (painter.paintEngine()->type() != QPaintEngine::Raster) return painter.fillRect(step, colour);
    constexpr double rows = 64;
    const int most = std::max(1, int(rows / painter.device()->devicePixelRatioF()));
    const QRect whole(step.topLeft().toPoint(), step.bottomRight().toPoint() - QPoint(1, 1));
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int top = whole.top(); top <= whole.bottom(); top += most)
        painter.fillRect(QRect(whole.left(), top, whole.width(), std::min(most, whole.bottom() + 1 - top)), colour);
    painter.setRenderHint(QPainter::Antialiasing);
}

} // namespace

ChartCanvas::ChartCanvas(QWidget* parent)
    : PlotCanvas(parent) {
    setAccessibleName(tr("Chart"));
    useAxes();
    resetView();
}

void ChartCanvas::useAxes() {
    const auto use = [](QCPAxis* axis, bool log) {
        axis->setScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        axis->setTicker(log ? QSharedPointer<QCPAxisTicker>(new LogTicker([](double v) { return numberText(v); }))
                            : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    };
    use(xAxis, m_data.xLog);
    use(yAxis, m_data.yLog);
    if (m_data.yText && m_data.yLog)
        yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LogTicker([this](double v) { return m_data.yText(v, 3); })));
    if (m_data.xWhole) xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new WholeTicker));
    if (!m_data.xWords.isEmpty()) xAxis->setTicker(wordTicker(m_data.xWords));
    if (!m_data.yLog)
        yAxis->setTicker(m_data.yText ? QSharedPointer<QCPAxisTicker>(new QuantityTicker(m_data.yText))
                                      : QSharedPointer<QCPAxisTicker>(new WholeTicker));
    if (m_data.yIsShare) yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new PercentTicker));
    xAxis->setLabel(m_data.xTitle);
    yAxis->setLabel(m_data.yTitle);
}

void ChartCanvas::setData(ChartData data) {
    const bool other = data.name != m_data.name;
    m_data = std::move(data);
    m_marks.clear();
    for (std::size_t s = 0; s < m_data.series.size(); ++s)
        for (std::size_t p = 0; p < m_data.series[s].points.size(); ++p)
            m_marks.push_back({s, p});
    if (!m_data.name.isEmpty()) setAccessibleName(m_data.name);
    useAxes();
    if (other) resetView();
    dataChanged();
}

const ChartSeries& ChartCanvas::seriesOf(int mark) const {
    return m_data.series[m_marks[std::size_t(mark)].series];
}
const ChartPoint& ChartCanvas::point(int mark) const {
    return seriesOf(mark).points[m_marks[std::size_t(mark)].point];
}

QPointF ChartCanvas::markPosition(int mark) const {
    const ChartPoint& p = point(mark);
    return {(xAxis->coordToPixel(p.x) + xAxis->coordToPixel(p.xEnd)) / 2, yAxis->coordToPixel(p.y)};
}

int ChartCanvas::markAt(QPointF position) const {
    if (const int near = PlotCanvas::markAt(position); near >= 0 || !plotArea().contains(position)) return near;
    int found = -1;
    double least = INFINITY;
    const double x = xAxis->pixelToCoord(position.x());
    for (int i = 0; i < markCount(); ++i) {
        if (seriesOf(i).form != ChartSeries::Form::outline || !(x >= point(i).x && x < point(i).xEnd)) continue;
        const double distance = std::abs(markPosition(i).y() - position.y());
        if (distance >= least) continue;
        least = distance;
        found = i;
    }
    return found;
}

QString ChartCanvas::widestLabel() const {
    return m_data.yText ? QStringLiteral("888.8 µs") : QStringLiteral("10000");
}

void ChartCanvas::home(QCPRange& x, QCPRange& y) const {
    x = m_data.xLog ? QCPRange(0.1, 10) : QCPRange(0, 1);
    y = m_data.yLog ? QCPRange(0.1, 10) : QCPRange(0, 1);
    if (m_marks.empty()) return;
    double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
    for (const ChartSeries& series : m_data.series)
        for (const ChartPoint& p : series.points) {
            left = std::min(left, p.x);
            right = std::max(right, p.xEnd);
            low = std::min(low, p.y);
            high = std::max(high, p.y);
        }
    if (m_data.oneLine) left = std::min(left, 0.9), right = std::max(right, 1.1);
    if (m_data.oneAcross) low = std::min(low, 0.9), high = std::max(high, 1.1);
    const auto spread = [](double from, double to, bool log) {
        if (!log) return QCPRange(from - std::max(0.5, (to - from) * 0.03), to + std::max(0.5, (to - from) * 0.03));
        const double air = std::max(1.15, std::pow(to / from, 0.04));
        return QCPRange(from / air, to * air);
    };
    x = spread(left, right, m_data.xLog);
    if (m_data.yIsShare)
        y = QCPRange(0, std::max(0.1, high) * 1.05);
    else if (m_data.yText && !m_data.yLog)
        y = around(low, high);
    else
        y = m_data.yLog ? spread(low, high, true) : QCPRange(0, std::max({1.0, high, m_data.yTop}) * 1.08);
}

QColor ChartCanvas::colourOfSeries(const ChartSeries& series) const {
    return look().palette.series[std::size_t(series.colour) % look().palette.series.size()];
}

QPen ChartCanvas::penOf(const ChartSeries& series) const {
    return QPen(colourOfSeries(series), 1.6, series.dashed ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap);
}

void ChartCanvas::paintBelow(QPainter& painter) {
    const QRectF area = plotArea();
    painter.setPen(QPen(look().palette.muted, 1, Qt::DotLine));
    if (const double x = xAxis->coordToPixel(1); m_data.oneLine && x > area.left() && x < area.right())
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    if (const double y = yAxis->coordToPixel(1); m_data.oneAcross && y > area.top() && y < area.bottom())
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    for (const ChartSeries& series : m_data.series) {
        if (series.form == ChartSeries::Form::line) drawLine(painter, series);
        if (series.form == ChartSeries::Form::outline) drawOutline(painter, series);
    }
}

void ChartCanvas::drawLine(QPainter& painter, const ChartSeries& series) {
    painter.setPen(penOf(series));
    for (std::size_t i = 1; i < series.points.size(); ++i) {
        const ChartPoint &a = series.points[i - 1], &b = series.points[i];
        if (const auto line = clipped(QLineF(pixelOf(a.x, a.y), pixelOf(b.x, b.y)), plotArea()))
            painter.drawLine(*line);
    }
}

/// What SVG does not clip is cut by hand.
void ChartCanvas::drawOutline(QPainter& painter, const ChartSeries& series) {
    const QRectF area = plotArea();
    QColor fill = colourOfSeries(series);
    fill.setAlphaF(0.12F);
    const double base = yAxis->coordToPixel(0);
    QPointF before;
    QPainterPath lines; // stroked once: Qt shares the work for each piece among threads and waits for them
    const auto draw = [&](QPointF from, QPointF to) {
        const auto line = clipped(QLineF(from, to), area);
        if (!line) return;
        if (lines.currentPosition() != line->p1() || lines.isEmpty()) lines.moveTo(line->p1());
        lines.lineTo(line->p2());
    };
    for (std::size_t i = 0; i < series.points.size();) {
        const std::size_t first = i;
        const ChartPoint& p = series.points[i++];
        double end = p.xEnd; // neighbours of one height are one step
        for (; i < series.points.size() && series.points[i].y == p.y && series.points[i].x == end; ++i)
            end = series.points[i].xEnd;
        const QPointF left = pixelOf(p.x, p.y), right = pixelOf(end, p.y);
        if (!series.dashed) fillStep(painter, QRectF(left, QPointF(right.x(), base)).normalized() & area, fill);
        draw(first == 0 ? QPointF(left.x(), base) : before, left);
        draw(left, right);
        before = right;
    }
    if (!series.points.empty()) draw(before, QPointF(before.x(), base));
    painter.strokePath(lines, penOf(series));
}

void ChartCanvas::paintAbove(QPainter& painter) {
    drawHeader(painter);
    for (int i = 0; i < markCount(); ++i) {
        const QPointF at = markPosition(i);
        if (!plotArea().adjusted(-1, -1, 1, 1).contains(at)) continue;
        const ChartSeries& series = seriesOf(i);
        if (series.form == ChartSeries::Form::outline && i != current()) continue;
        painter.setPen(QPen(colourOfSeries(series), 1.4));
        painter.setBrush(series.dashed ? look().palette.field : colourOfSeries(series));
        const double radius = i == current() ? dotRadius + 2 : dotRadius;
        painter.drawEllipse(at, radius, radius);
    }
    drawLabels(painter);
}

void ChartCanvas::drawHeader(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    const QRectF area = plotArea();
    const double middle = 8 + metrics.height() / 2;
    const double baseline = middle + (metrics.ascent() - metrics.descent()) / 2;
    constexpr double swatch = 18, gap = 16, pad = 6;
    double width = -gap;
    for (const ChartSeries& series : m_data.series)
        width += swatch + pad + metrics.horizontalAdvance(series.name) + gap;
    const bool legend = m_data.series.size() > 1;
    double x = area.right() - (legend ? width : 0);
    painter.setPen(look().palette.muted);
    painter.drawText(QPointF(area.left(), baseline),
                     metrics.elidedText(m_data.note, Qt::ElideRight, std::max(0.0, x - gap - area.left())));
    if (!legend) return;
    for (const ChartSeries& series : m_data.series) {
        painter.setPen(penOf(series));
        if (series.form == ChartSeries::Form::dots) {
            painter.setBrush(colourOfSeries(series));
            painter.drawEllipse(QPointF(x + swatch / 2, middle), dotRadius, dotRadius);
        } else {
            painter.drawLine(QPointF(x, middle), QPointF(x + swatch, middle));
        }
        x += swatch + pad;
        painter.setPen(look().palette.muted);
        painter.drawText(QPointF(x, baseline), series.name);
        x += metrics.horizontalAdvance(series.name) + gap;
    }
}

/// The points furthest out first, and no more than a reader takes in.
void ChartCanvas::drawLabels(QPainter& painter) {
    constexpr std::size_t mostLabels = 48;
    std::vector<std::pair<double, int>> labelled;
    LabelPlacer labels(plotArea());
    const QPointF middle(xAxis->coordToPixel(xAxis->range().lower), yAxis->coordToPixel(m_data.yLog ? 1 : 0));
    for (int i = 0; i < markCount(); ++i) {
        const QPointF at = markPosition(i);
        if (point(i).label.isEmpty() || !plotArea().contains(at)) continue;
        labels.occupy(QRectF(at - QPointF(4, 4), QSizeF(8, 8)));
        const double across = (at.x() - middle.x()) / plotArea().width(),
                     up = (at.y() - middle.y()) / plotArea().height();
        labelled.emplace_back(-std::hypot(across, 2 * up), i);
    }
    std::sort(labelled.begin(), labelled.end());
    if (labelled.size() > mostLabels) labelled.resize(mostLabels);
    const QFontMetricsF metrics(painter.font());
    painter.setPen(look().palette.text);
    for (const auto& [order, i] : labelled) {
        const QString& text = point(i).label;
        const auto box = labels.beside(markPosition(i), {metrics.horizontalAdvance(text), metrics.height()});
        if (!box || QLineF(box->center(), markPosition(i)).length() > box->width() / 2 + 24) continue;
        painter.drawText(QPointF(box->left(), box->bottom() - metrics.descent()), text);
    }
}

} // namespace kernelarium::ui
