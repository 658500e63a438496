// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/ChartData.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <cmath>

namespace kernelarium::ui {

namespace {

using statistics::Baseline;
using statistics::FastPoint;

QString baselineName(Baseline baseline) {
    return baseline == Baseline::native ? QStringLiteral("PyTorch native") : QStringLiteral("torch.compile");
}

QString seriesName(Baseline baseline, bool standing) {
    return standing ? Words::tr("%1, without those that fail here").arg(baselineName(baseline))
                    : baselineName(baseline);
}

std::int64_t countOf(const FastPoint& point, Baseline baseline, bool ofTasks) {
    if (ofTasks) return baseline == Baseline::native ? point.tasksNative : point.tasksCompile;
    return baseline == Baseline::native ? point.kernelsNative : point.kernelsCompile;
}

ChartSeries fastSeries(const FigureSource& source, bool ofTasks, Baseline baseline, bool standing) {
    const auto& described = standing ? source.findings->standing : source.findings->archived;
    ChartSeries series{
        seriesName(baseline, standing), baseline == Baseline::native ? 0 : 1, standing, ChartSeries::Form::line, {}};
    const std::int64_t whole = ofTasks ? described.fast.tasks : described.fast.kernels;
    for (std::size_t i = 0; whole > 0 && i < described.fast.points.size(); ++i) {
        const FastPoint& fast = described.fast.points[i];
        const std::int64_t part = countOf(fast, baseline, ofTasks);
        ChartPoint point;
        point.x = point.xEnd = double(i);
        point.y = double(part) / double(whole);
        point.record.title = Words::tr("More than %1× %2").arg(fast.p).arg(baselineName(baseline));
        point.record.rows = {{Words::tr("share"), percentText(point.y)},
                             {ofTasks ? Words::tr("tasks") : Words::tr("kernels"),
                              Words::tr("%1 of %2").arg(wholeText(part), wholeText(whole))}};
        if (standing)
            point.record.rows << qMakePair(Words::tr("counted"), Words::tr("without the kernels that fail our checks"));
        std::optional<QString> search;
        const QString field = baseline == Baseline::native ? QStringLiteral("speedup") : QStringLiteral("compile");
        if (!ofTasks && !standing) search = QStringLiteral("correct:yes %1>%2").arg(field).arg(fast.p);
        point.drill = drillTo(source, point.record.title, search, [source, baseline, ofTasks, standing, p = fast.p] {
            const auto& rows = standing ? source.findings->standing.rows : source.findings->archived.rows;
            if (ofTasks) return statistics::tasksOver(*source.table, rows, baseline, p);
            return statistics::rowsBetween(*source.table, rows, baseline, std::nextafter(p, INFINITY), INFINITY);
        });
        series.points.push_back(std::move(point));
    }
    return series;
}

ChartSeries binSeries(const FigureSource& source, Baseline baseline, bool standing) {
    using Bins = statistics::SpeedupBins;
    const auto& described = standing ? source.findings->standing : source.findings->archived;
    const auto& counts = baseline == Baseline::native ? described.bins.native : described.bins.compile;
    ChartSeries series{
        seriesName(baseline, standing), baseline == Baseline::native ? 0 : 1, standing, ChartSeries::Form::outline, {}};
    int first = Bins::count, last = -1;
    for (int bin = 0; bin < Bins::count; ++bin)
        if (counts[std::size_t(bin)] > 0) {
            first = std::min(first, bin);
            last = bin;
        }
    for (int bin = first; bin <= last; ++bin) {
        ChartPoint point;
        point.x = Bins::lowerEdge(bin);
        point.xEnd = Bins::lowerEdge(bin + 1);
        point.y = double(counts[std::size_t(bin)]);
        const auto edge = [](double value) { return QString::number(value, 'g', 17); };
        point.record.title =
            Words::tr("%1× to %2× over %3").arg(numberText(point.x), numberText(point.xEnd), baselineName(baseline));
        point.record.rows = {{Words::tr("kernels"), wholeText(counts[std::size_t(bin)])}};
        if (standing)
            point.record.rows << qMakePair(Words::tr("counted"), Words::tr("without the kernels that fail our checks"));
        const QString field = baseline == Baseline::native ? QStringLiteral("speedup") : QStringLiteral("compile");
        std::optional<QString> search;
        if (!standing) search = QStringLiteral("correct:yes %1>=%2 %1<%3").arg(field, edge(point.x), edge(point.xEnd));
        if (point.y > 0)
            point.drill = drillTo(
                source, point.record.title, search, [source, baseline, standing, least = point.x, limit = point.xEnd] {
                    const auto& rows = standing ? source.findings->standing.rows : source.findings->archived.rows;
                    return statistics::rowsBetween(*source.table, rows, baseline, least, limit);
                });
        series.points.push_back(std::move(point));
    }
    return series;
}

/// Both baselines, as archived and, where that differs, without the kernels that fail.
template <class Make> void addAll(ChartData& chart, const FigureSource& source, Make make) {
    for (const bool standing : {false, true}) {
        if (standing && source.findings->bothSame()) continue;
        for (const Baseline baseline : {Baseline::native, Baseline::compile})
            if (ChartSeries series = make(baseline, standing); !series.points.empty())
                chart.series.push_back(std::move(series));
    }
}

} // namespace

ChartData fastChart(const FigureSource& source, bool ofTasks) {
    ChartData chart;
    chart.name = ofTasks ? Words::tr("fast_p of tasks") : Words::tr("fast_p of kernels");
    chart.xTitle = Words::tr("p (times as fast as the baseline)");
    chart.yTitle = ofTasks ? Words::tr("Tasks whose best kernel is faster (%)")
                           : Words::tr("Kernels that are correct and faster (%)");
    chart.yIsShare = true;
    for (const FastPoint& point : source.findings->archived.fast.points)
        chart.xWords << QString::number(point.p);
    chart.note = Words::tr("archived");
    const auto& fast = source.findings->archived.fast;
    if (const std::int64_t left = ofTasks ? fast.tasksUnclaimed : fast.kernelsUnclaimed; left > 0)
        chart.note +=
            (ofTasks
                 ? Words::tr("; %1 tasks of which the archive does not say whether a kernel is correct are not counted")
                 : Words::tr("; %1 kernels of which the archive does not say whether they are correct are not counted"))
                .arg(wholeText(left));
    addAll(chart, source,
           [&](Baseline baseline, bool standing) { return fastSeries(source, ofTasks, baseline, standing); });
    return chart;
}

ChartData speedupChart(const FigureSource& source) {
    ChartData chart;
    chart.name = Words::tr("Distribution of speed-ups");
    chart.xTitle = Words::tr("Speed-up (times as fast as the baseline)");
    chart.yTitle = Words::tr("Correct kernels (count)");
    chart.xLog = true;
    chart.oneLine = true;
    chart.note = Words::tr("archived, ten bins a decade");
    const auto& bins = source.findings->archived.bins;
    if (const std::int64_t beside = bins.belowNative + bins.aboveNative + bins.belowCompile + bins.aboveCompile;
        beside > 0)
        chart.note += Words::tr("; %1 values below 0.001× or above 1000× are not shown").arg(wholeText(beside));
    addAll(chart, source, [&](Baseline baseline, bool standing) { return binSeries(source, baseline, standing); });
    return chart;
}

ChartData wordChart(const FigureSource& source) {
    ChartData chart;
    chart.name = Words::tr("Words in names against speed-up");
    chart.xTitle = Words::tr("Correct kernels with the word (count)");
    chart.yTitle = Words::tr("Median speed-up in its task (ratio)");
    chart.xLog = chart.yLog = true;
    chart.oneAcross = true;
    chart.note = Words::tr("archived");
    ChartSeries series{Words::tr("words"), 0, false, ChartSeries::Form::dots, {}};
    for (const auto& word : source.findings->archived.words) {
        if (!(word.medianRelative > 0)) continue;
        ChartPoint point;
        point.x = point.xEnd = double(word.kernels);
        point.y = word.medianRelative;
        point.label = QString::fromStdString(word.word);
        point.record = {point.label,
                        {{Words::tr("kernels"), wholeText(word.kernels)},
                         {Words::tr("tasks"), wholeText(word.tasks)},
                         {Words::tr("median in its task"), speedupText(word.medianRelative)},
                         {Words::tr("median over native"), speedupText(word.medianSpeedup)}},
                        {}};
        point.drill =
            drillTo(source, Words::tr("Word: %1").arg(point.label),
                    QStringLiteral("word:%1 correct:yes speedup>=0").arg(point.label), [source, name = word.word] {
                        return statistics::rowsOfWord(*source.table, source.findings->archived.rows, name);
                    });
        series.points.push_back(std::move(point));
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
    return chart;
}

} // namespace kernelarium::ui
