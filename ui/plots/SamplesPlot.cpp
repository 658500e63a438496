// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/SamplesPlot.h"

#include "ui/plots/EmptyState.h"
#include "ui/plots/Quantities.h"

#include <QDateTime>
#include <algorithm>

namespace kernelarium::ui {

SamplesPlot::SamplesPlot(Theme& theme, QWidget* parent)
    : SamplesPlot(theme, new SamplesCanvas, parent) {}

SamplesPlot::SamplesPlot(Theme& theme, SamplesCanvas* canvas, QWidget* parent)
    : PlotPanel(theme, canvas, QStringLiteral("time"), parent)
    , m_plot(*canvas) {
    canvas->setAccessibleName(tr("Distribution of samples"));
    emptyState().setTexts(tr("No measured time yet"), tr("Every sample of a time taken on a GPU, its median "
                                                         "and how sure that is; two attempts side by side."));
    emptyState().setAction(tr("Time this kernel"),
                           tr("Times the kernel on the GPU that is the target, or models its time without one"));
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
    record.rows = {{tr("Time"), fineTimeText(bin.from / 1e3) + QStringLiteral(" – ") + fineTimeText(bin.to / 1e3)},
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
    const auto tr = [](const char* text) { return SamplesPlot::tr(text); };
    QString html = QStringLiteral("<h4>%1</h4><table cellspacing='0' cellpadding='2'>").arg(set.label.toHtmlEscaped());
    const auto row = [&html](const QString& name, const QString& value) {
        html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
    };
    row(tr("Median"), fineTimeText(m.median) + QStringLiteral(", ") +
                          (s.deviceOnly ? tr("measured") : tr("measured, host code included")));
    row(tr("Interval of the median"),
        tr("%1 – %2 (%3)").arg(fineTimeText(m.confidentFrom), fineTimeText(m.confidentTo), percentText(m.confidence)));
    row(tr("Quartiles"), fineTimeText(m.lowerQuartile) + QStringLiteral(" – ") + fineTimeText(m.upperQuartile));
    row(tr("Noise"), percentText(m.relativeNoise));
    row(tr("Samples"), m.dropped ? tr("%1, %2 more were throttled and do not count").arg(m.count).arg(m.dropped)
                                 : QString::number(m.count));
    row(tr("How"),
        tr("%1, %2 size, seed %3").arg(QString::fromStdString(s.mode), QString::fromStdString(s.size)).arg(s.seed));
    row(tr("Device"), QString::fromStdString(s.device) +
                          (s.driver.empty() ? QString() : tr(", driver %1").arg(QString::fromStdString(s.driver))));
    if (m.medianClockMHz > 0)
        row(tr("Clock"), tr("%1 MHz of %2 MHz").arg(m.medianClockMHz, 0, 'f', 0).arg(s.highestClockMHz, 0, 'f', 0));
    if (s.joulesPerCall) row(tr("Energy"), tr("%1 J a call of the whole card").arg(*s.joulesPerCall, 0, 'g', 4));
    row(tr("Memory"), tr("%1 at most").arg(siText(double(s.peakBytes), QStringLiteral("B"))));
    if (!s.serviceSeconds.empty()) {
        std::vector<double> latency, service = s.serviceSeconds;
        for (const perf::Sample& sample : s.samples)
            latency.push_back(sample.seconds);
        std::sort(latency.begin(), latency.end());
        std::sort(service.begin(), service.end());
        row(tr("Latency"),
            tr("50 %: %1, 90 %: %2, 99 %: %3")
                .arg(fineTimeText(perf::quantile(latency, 0.5)), fineTimeText(perf::quantile(latency, 0.9)),
                     fineTimeText(perf::quantile(latency, 0.99))));
        row(tr("Work of a request"), fineTimeText(perf::quantile(service, 0.5)));
    }
    if (s.dateMs > 0)
        row(tr("When"), QDateTime::fromMSecsSinceEpoch(s.dateMs).toString(QStringLiteral("d MMM yyyy HH:mm")));
    html += QStringLiteral("</table>");
    if (!s.steps.empty()) {
        html += QStringLiteral("<p>%1</p><table cellspacing='0' cellpadding='2'>").arg(tr("Each step by itself:"));
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
                        .arg(fineTimeText(step.seconds), QString::fromStdString(step.name).toHtmlEscaped(), shape);
        }
        html += QStringLiteral("</table>");
        if (s.steps.size() > most)
            html += QStringLiteral("<p>%1</p>").arg(tr("and %1 more").arg(s.steps.size() - most));
    }
    for (const std::string& remark : s.remarks)
        html += QStringLiteral("<p>%1</p>").arg(QString::fromStdString(remark).toHtmlEscaped());
    return html;
}

} // namespace kernelarium::ui
