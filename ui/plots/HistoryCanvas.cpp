// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/HistoryCanvas.h"

#include "ui/plots/LogTicker.h"
#include "ui/words/Quantities.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

/// Whole numbers only: there is no attempt 2.5.
class AttemptTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        return std::max(1.0, std::round(QCPAxisTicker::getTickStep(range)));
    }
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return tick < 0.5 ? QString() : QString::number(qint64(std::llround(tick)));
    }
};

/// Date tickers warn about nothing and know the reader's own clock.
QSharedPointer<QCPAxisTicker> clockTicker() {
    QSharedPointer<QCPAxisTickerDateTime> ticker(new QCPAxisTickerDateTime);
    ticker->setDateTimeFormat(QStringLiteral("HH:mm\nd MMM"));
    ticker->setTickCount(6);
    return ticker;
}

} // namespace

HistoryCanvas::HistoryCanvas(QWidget* parent)
    : PlotCanvas(parent) {
    yAxis->setScaleType(QCPAxis::stLogarithmic);
    yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LogTicker([](double v) { return numberText(v); })));
    yAxis->setLabel(tr("Time (ms)"));
    useAxis(false);
    resetView();
}

void HistoryCanvas::useAxis(bool byTime) {
    xAxis->setTicker(byTime ? clockTicker() : QSharedPointer<QCPAxisTicker>(new AttemptTicker));
    xAxis->setLabel(byTime ? tr("When") : tr("Attempt"));
}

void HistoryCanvas::setData(HistoryData data) {
    const bool otherAxis = data.byTime != m_data.byTime;
    m_data = std::move(data);
    const auto drawable = [](double ms) { return std::isfinite(ms) && ms > 0; };
    std::erase_if(m_data.entries, [&](const HistoryEntry& e) { return !drawable(e.milliseconds); });
    std::erase_if(m_data.lines, [&](const ReferenceLine& l) { return !drawable(l.milliseconds); });
    std::stable_sort(m_data.entries.begin(), m_data.entries.end(),
                     [](const HistoryEntry& a, const HistoryEntry& b) { return a.attempt < b.attempt; });
    if (otherAxis) {
        useAxis(m_data.byTime);
        resetView();
    }
    dataChanged();
}

double HistoryCanvas::xOf(const HistoryEntry& entry) const {
    return m_data.byTime ? double(entry.when.toMSecsSinceEpoch()) / 1000 : double(entry.attempt);
}

QPointF HistoryCanvas::markPosition(int mark) const {
    return pixelOf(xOf(entry(mark)), entry(mark).milliseconds);
}

int HistoryCanvas::best(Origin origin) const {
    int found = -1;
    for (int i = 0; i < markCount(); ++i) {
        if (entry(i).origin != origin || entry(i).verdict != QLatin1String("verified")) continue;
        if (found < 0 || entry(i).milliseconds < entry(found).milliseconds) found = i;
    }
    return found;
}

void HistoryCanvas::home(QCPRange& x, QCPRange& y) const {
    x = QCPRange(0.5, 10.5);
    y = QCPRange(0.1, 10);
    if (m_data.entries.empty()) return;
    const auto [first, last] =
        std::minmax_element(m_data.entries.begin(), m_data.entries.end(),
                            [this](const HistoryEntry& a, const HistoryEntry& b) { return xOf(a) < xOf(b); });
    const double spread = xOf(*last) - xOf(*first);
    const double margin = m_data.byTime ? std::max(60.0, spread * 0.06) : std::max(0.5, spread * 0.06);
    x = QCPRange(xOf(*first) - margin, xOf(*last) + margin);
    double least = INFINITY, most = 0;
    const auto take = [&](double ms) {
        least = std::min(least, ms);
        most = std::max(most, ms);
    };
    for (const HistoryEntry& e : m_data.entries)
        take(e.milliseconds);
    for (const ReferenceLine& line : m_data.lines)
        take(line.milliseconds);
    const double air = std::max(1.25, std::pow(most / least, 0.1));
    y = QCPRange(least / air, most * air);
}

} // namespace kernelarium::ui
