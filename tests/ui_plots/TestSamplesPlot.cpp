// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_plots/TestSamplesPlot.h"

#include "tests/TestRegistry.h"
#include "tests/ui_plots/Samples.h"
#include "ui/plots/SamplesPlot.h"
#include "ui/widgets/EmptyState.h"

#include <QSignalSpy>
#include <cmath>

using namespace kernelarium;
using namespace kernelarium::ui;

namespace {

SampleSet sampleSet(qint64 attempt, double ms, int count) {
    auto s = std::make_shared<protocol::TimeSummary>();
    s->device = "NVIDIA H200";
    s->driver = "580.65";
    s->mode = "cold";
    s->size = "full";
    s->highestClockMHz = 1980;
    for (int i = 0; i < count; ++i)
        s->samples.push_back({ms * 1e-3 * (1 + 0.01 * std::sin(i * 1.7) + 0.004 * std::cos(i * 0.3)), 1965});
    s->samples.push_back({1, 500}); // throttled
    s->summary = perf::summarise(s->samples, s->highestClockMHz);
    s->steps.push_back({"a<b>", true, {4, 1, 1}, {256, 1, 1}, 1e-4});
    s->joulesPerCall = 0.5;
    s->peakBytes = 1000000;
    return {attempt, QStringLiteral("#%1 kernel").arg(attempt), s};
}

} // namespace

void TestSamplesPlot::init() {
    theme().setChoice(Theme::Choice::light);
}
void TestSamplesPlot::emptyStateTeachesAndAsks() {
    SamplesPlot plot(theme());
    present(plot, {600, 300});
    QVERIFY(plot.isEmpty());
    QSignalSpy asked(&plot, &PlotPanel::actionRequested);
    QTest::mouseClick(plot.emptyState().button(), Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
}

void TestSamplesPlot::binsHoldEverySampleThatCounts() {
    SamplesPlot plot(theme());
    plot.setSets({sampleSet(7, 1.5, 200)});
    present(plot, {800, 400});
    std::size_t counted = 0;
    double share = 0;
    for (int i = 0; i < plot.plot().markCount(); ++i) {
        const auto& bin = plot.plot().bin(i);
        QVERIFY(bin.from < bin.to && bin.to < 2); // none of the throttled one at a second
        counted += bin.count;
        share += bin.share;
    }
    QCOMPARE(counted, std::size_t(200));
    QVERIFY(std::abs(share - 1) < 1e-12);
    QVERIFY(plot.plot().markCount() >= 4);
}

void TestSamplesPlot::twoSetsShareBinsAndTellWhoIsFaster() {
    SamplesPlot plot(theme());
    const SampleSet slow = sampleSet(1, 1.5, 100), fast = sampleSet(2, 1.45, 60);
    plot.setSets({slow, fast});
    present(plot, {800, 400});
    QVERIFY(shareFaster(fast, slow) > 0.95);
    QVERIFY(std::abs(shareFaster(fast, slow) + shareFaster(slow, fast) - 1) < 1e-12);
    QCOMPARE(shareFaster(slow, slow), 0.5);
    const double width = plot.plot().bin(0).to - plot.plot().bin(0).from;
    for (int i = 0; i < plot.plot().markCount(); ++i)
        QVERIFY(std::abs(plot.plot().bin(i).to - plot.plot().bin(i).from - width) < 1e-9);
    for (const auto choice : {Theme::Choice::light, Theme::Choice::dark}) {
        theme().setChoice(choice);
        QTest::qWait(30); // plots are drawn when there is time
        keepPicture(plot,
                    choice == Theme::Choice::dark ? QStringLiteral("samples-dark") : QStringLiteral("samples-light"));
    }
    QVERIFY(plot.svg({800, 400}, lightPalette()).contains(QStringLiteral("median")));
}

void TestSamplesPlot::oneSampleIsDrawn() {
    SamplesPlot plot(theme());
    plot.setSets({sampleSet(1, 1.5, 1)});
    present(plot, {500, 300});
    QCOMPARE(plot.plot().markCount(), 1);
    QCOMPARE(plot.plot().bin(0).count, std::size_t(1));
}

void TestSamplesPlot::hoverTellsTheBin() {
    SamplesPlot plot(theme());
    plot.setSets({sampleSet(7, 1.5, 200)});
    present(plot, {800, 400});
    hover(plot.plot(), plot.plot().markPosition(1).toPoint());
    QVERIFY(plot.card().isVisible());
    QVERIFY2(plot.card().text().contains(QStringLiteral("#7 kernel")), qPrintable(plot.card().text()));
}

void TestSamplesPlot::numbersAreAllSamples() {
    SamplesPlot plot(theme());
    plot.setSets({sampleSet(7, 1.5, 20), sampleSet(8, 1.6, 10)});
    QCOMPARE(plot.numbers().count(QLatin1Char('\n')), 1 + 21 + 11); // the throttled ones, too
}

void TestSamplesPlot::factsNameWhatWasMeasured() {
    const QString html = factsHtml(sampleSet(7, 1.5, 20));
    for (const char* words : {"1.5", "measured", "1 more were throttled", "NVIDIA H200, driver 580.65",
                              "0.5 J per call", "1 MB", "a&lt;b&gt;", "4×1×1 / 256×1×1"})
        QVERIFY2(html.contains(QString::fromUtf8(words)), words);
}

KERNELARIUM_TEST(TestSamplesPlot);
