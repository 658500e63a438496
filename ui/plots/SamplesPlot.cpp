// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/SamplesPlot.h"

#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"

#include <QDateTime>
#include <algorithm>

namespace kernelarium::ui {

SamplesPlot::SamplesPlot(Theme& theme, QWidget* parent)
    : SamplesPlot(theme, new SamplesCanvas, parent) {}

SamplesPlot::SamplesPlot(Theme& theme, SamplesCanvas* canvas, QWidget* parent)
    : PlotPanel(theme, canvas, QStringLiteral("time"), parent)
    , m_plot(*canvas) {
    canvas->setAccessibleName(tr("Distribution of samples"));
    emptyState().setTexts(tr("No measured time yet"), tr("Every sample of a time measured on a GPU, the median and its "
                                                         "confidence interval; two attempts side by side."));
    emptyState().setAction(tr("Time this kernel"),
                           tr("Times the kernel on the target GPU, or models its time without one"));
    setEmpty(true);
}

void SamplesPlot::setSets(std::vector<SampleSet> sets) {
    m_plot.setSets(std::move(sets));
    setEmpty(m_plot.sets().empty());
}

Record SamplesPlot::recordOf(int mark) const {
    const SamplesCanvas::Bin& bin = m_plot.bin(mark);
    Record record;
    record.title = m_plot.sets()[std::size_t(bin.set)].label;
    record.rows = {{tr("Time"), secondsText(bin.from / 1e3, 5) + QStringLiteral(" – ") + secondsText(bin.to / 1e3, 5)},
                   {tr("Samples"), tr("%1 (%2)").arg(bin.count).arg(percentText(bin.share))}};
    return record;
}

QString SamplesPlot::svg(QSize size, const Palette& palette) const {
    SamplesCanvas fresh;
    fresh.setSets(m_plot.sets());
    return svgOf(fresh, size, palette);
}

QString SamplesPlot::numbers() const {
    QString text = QStringLiteral("attempt\tsample\tmilliseconds\tclock_mhz\n");
    for (const SampleSet& set : m_plot.sets()) {
        std::size_t number = 0;
        for (const perf::Sample& sample : set.summary->samples)
            text += QStringLiteral("%1\t%2\t%3\t%4\n")
                        .arg(set.attempt)
                        .arg(++number)
                        .arg(sample.seconds * 1e3, 0, 'g', 10)
                        .arg(sample.clockMHz);
    }
    return text;
}

double shareFaster(const SampleSet& first, const SampleSet& second) {
    const std::vector<double> a = SamplesCanvas::counted(*first.summary);
    std::vector<double> b = SamplesCanvas::counted(*second.summary);
    if (a.empty() || b.empty()) return 0.5;
    std::sort(b.begin(), b.end());
    double wins = 0;
    for (const double ms : a) {
        const auto [from, to] = std::equal_range(b.begin(), b.end(), ms);
        wins += double(b.end() - to) + double(to - from) / 2;
    }
    return wins / (double(a.size()) * double(b.size()));
}

QString factsHtml(const SampleSet& set) {
    const protocol::TimeSummary& s = *set.summary;
    const perf::SampleSummary& m = s.summary;
    QString html = QStringLiteral("<h4>%1</h4><table cellspacing='0' cellpadding='2'>").arg(set.label.toHtmlEscaped());
    const auto row = [&html](const QString& name, const QString& value) {
        html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
    };
    row(SamplesPlot::tr("Median"),
        secondsText(m.median, 5) + QStringLiteral(", ") +
            (s.deviceOnly ? SamplesPlot::tr("measured") : SamplesPlot::tr("measured, host code included")));
    row(SamplesPlot::tr("Interval of the median"),
        SamplesPlot::tr("%1 – %2 (%3)")
            .arg(secondsText(m.confidentFrom, 5), secondsText(m.confidentTo, 5), percentText(m.confidence)));
    row(SamplesPlot::tr("Quartiles"),
        secondsText(m.lowerQuartile, 5) + QStringLiteral(" – ") + secondsText(m.upperQuartile, 5));
    row(SamplesPlot::tr("Noise"), percentText(m.relativeNoise));
    row(SamplesPlot::tr("Samples"),
        m.dropped ? SamplesPlot::tr("%1, %2 more were throttled and do not count").arg(m.count).arg(m.dropped)
                  : QString::number(m.count));
    row(SamplesPlot::tr("How"), SamplesPlot::tr("%1, %2 size, seed %3")
                                    .arg(QString::fromStdString(s.mode), QString::fromStdString(s.size))
                                    .arg(s.seed));
    row(SamplesPlot::tr("Device"),
        QString::fromStdString(s.device) +
            (s.driver.empty() ? QString() : SamplesPlot::tr(", driver %1").arg(QString::fromStdString(s.driver))));
    if (m.medianClockMHz > 0)
        row(SamplesPlot::tr("Clock"),
            SamplesPlot::tr("%1 MHz of %2 MHz").arg(m.medianClockMHz, 0, 'f', 0).arg(s.highestClockMHz, 0, 'f', 0));
    if (s.joulesPerCall)
        row(SamplesPlot::tr("Energy"),
            SamplesPlot::tr("%1 J per call of the whole card").arg(numberText(*s.joulesPerCall, 4)));
    row(SamplesPlot::tr("Memory"), SamplesPlot::tr("%1 at most").arg(bytesText(double(s.peakBytes))));
    if (!s.serviceSeconds.empty()) {
        std::vector<double> latency, service = s.serviceSeconds;
        for (const perf::Sample& sample : s.samples)
            latency.push_back(sample.seconds);
        std::sort(latency.begin(), latency.end());
        std::sort(service.begin(), service.end());
        row(SamplesPlot::tr("Latency"),
            SamplesPlot::tr("50%: %1, 90%: %2, 99%: %3")
                .arg(secondsText(perf::quantile(latency, 0.5), 5), secondsText(perf::quantile(latency, 0.9), 5),
                     secondsText(perf::quantile(latency, 0.99), 5)));
        row(SamplesPlot::tr("Work per request"), secondsText(perf::quantile(service, 0.5), 5));
    }
    if (s.dateMs > 0)
        row(SamplesPlot::tr("When"),
            QDateTime::fromMSecsSinceEpoch(s.dateMs).toString(QStringLiteral("d MMM yyyy HH:mm")));
    html += QStringLiteral("</table>");
    if (!s.steps.empty()) {
        html += QStringLiteral("<p>%1</p><table cellspacing='0' cellpadding='2'>")
                    .arg(SamplesPlot::tr("Each step by itself:"));
        constexpr std::size_t most = 40;
        for (std::size_t i = 0; i < std::min(most, s.steps.size()); ++i) {
            const protocol::TimedStep& step = s.steps[i];
            const QString shape = step.isKernel ? QStringLiteral("%1×%2×%3 / %4×%5×%6")
                                                      .arg(step.grid[0])
                                                      .arg(step.grid[1])
                                                      .arg(step.grid[2])
                                                      .arg(step.block[0])
                                                      .arg(step.block[1])
                                                      .arg(step.block[2])
                                                : QString();
            html += QStringLiteral("<tr><td align='right'>%1&nbsp;</td><td>%2&nbsp;</td><td>%3</td></tr>")
                        .arg(secondsText(step.seconds, 5), QString::fromStdString(step.name).toHtmlEscaped(), shape);
        }
        html += QStringLiteral("</table>");
        if (s.steps.size() > most)
            html += QStringLiteral("<p>%1</p>").arg(SamplesPlot::tr("and %1 more").arg(s.steps.size() - most));
    }
    for (const std::string& remark : s.remarks)
        html += QStringLiteral("<p>%1</p>").arg(QString::fromStdString(remark).toHtmlEscaped());
    return html;
}

} // namespace kernelarium::ui
