// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/laboratory/ShapeClass.h"
#include "ui/hgemm/HgemmFigures.h"
#include "ui/hgemm/LaboratoryFigures.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace kernelarium::ui {

namespace {

using Configuration = hgemm::Configuration;

std::int64_t sizeOn(LaboratoryAxis axis, const hgemm::Shape& shape) {
    switch (axis) {
    case LaboratoryAxis::shapeClass: return int(hgemm::classOf(shape));
    case LaboratoryAxis::m: return shape.m;
    case LaboratoryAxis::n: return shape.n;
    case LaboratoryAxis::k: return shape.k;
    }
    return 0;
}

/// The axis: all classes, or the sizes that there are, side by side.
class Places {
public:
    Places(const std::vector<LaboratoryEntry>& entries, LaboratoryAxis axis)
        : m_axis(axis) {
        for (const LaboratoryEntry& e : entries)
            m_sizes.insert(sizeOn(axis, e.shape));
        if (axis == LaboratoryAxis::shapeClass)
            for (int i = 0; i < hgemm::shapeClasses; ++i)
                m_sizes.insert(i);
    }
    [[nodiscard]] double of(const hgemm::Shape& shape) const {
        return double(std::distance(m_sizes.begin(), m_sizes.find(sizeOn(m_axis, shape))));
    }
    [[nodiscard]] QStringList words() const {
        QStringList words;
        for (const std::int64_t size : m_sizes)
            words << (m_axis == LaboratoryAxis::shapeClass
                          ? QString::fromStdString(std::string(hgemm::name(hgemm::ShapeClass(size))))
                          : wholeText(size));
        return words;
    }

private:
    LaboratoryAxis m_axis;
    std::set<std::int64_t> m_sizes;
};

QString axisTitle(LaboratoryAxis axis) {
    switch (axis) {
    case LaboratoryAxis::shapeClass: return Words::tr("class of the shape");
    case LaboratoryAxis::m: return QStringLiteral("M");
    case LaboratoryAxis::n: return QStringLiteral("N");
    case LaboratoryAxis::k: return QStringLiteral("K");
    }
    return {};
}

double valueOf(LaboratoryPlot plot, const Configuration& c) {
    switch (plot) {
    case LaboratoryPlot::tile: return double(c.tileRows) * c.tileColumns;
    case LaboratoryPlot::stages: return c.stages;
    case LaboratoryPlot::splits: return c.splits;
    case LaboratoryPlot::raster: return c.rasterGroup;
    default: return std::nan("");
    }
}

QString valueTitle(LaboratoryPlot plot) {
    switch (plot) {
    case LaboratoryPlot::tile: return Words::tr("elements of a tile of C");
    case LaboratoryPlot::stages: return Words::tr("stages");
    case LaboratoryPlot::splits: return Words::tr("splits of K");
    case LaboratoryPlot::raster: return Words::tr("tiles of a raster's group");
    default: return {};
    }
}

QString labelOf(LaboratoryPlot plot, const Configuration& c) {
    return plot == LaboratoryPlot::tile ? QStringLiteral("%1 × %2").arg(c.tileRows).arg(c.tileColumns) : QString();
}

/// In which of the two series of a chosen constant it is.
bool isSecond(LaboratoryPlot plot, const Configuration& c) {
    return plot == LaboratoryPlot::raster ? c.rasterAlongRows : c.engine == hgemm::Engine::mma;
}

QString plainNumber(double value, int digits) {
    return numberText(value, digits);
}

ChartData claimsChart(const std::vector<LaboratoryEntry>& entries) {
    ChartData data;
    data.name = Words::tr("Claimed and measured speed-ups");
    data.xTitle = Words::tr("claimed over cuBLASLt autotuned, archived: H100, wall time, offline");
    data.yTitle = Words::tr("ours over cuBLASLt autotuned");
    data.xLog = data.yLog = true;
    data.oneLine = data.oneAcross = true;
    data.yText = [](double value, int) { return hgemmRatio(value); };
    ChartSeries ours{Words::tr("ours"), 0, false, ChartSeries::Form::dots, {}};
    ChartSeries fallen{Words::tr("falls back"), 1, false, ChartSeries::Form::dots, {}};
    for (const LaboratoryEntry& e : entries)
        if (const auto speedup = e.speedup(); speedup && e.claimed)
            (e.fellBack ? fallen : ours)
                .points.push_back({*e.claimed, *speedup, *e.claimed, {}, laboratoryRecord(e), {}});
    for (ChartSeries* series : {&ours, &fallen})
        if (!series->points.empty()) data.series.push_back(std::move(*series));
    return data;
}

ChartData speedupChart(const std::vector<LaboratoryEntry>& entries, const Places& places) {
    ChartData data;
    data.name = Words::tr("Speed-up over cuBLASLt autotuned");
    data.yTitle = Words::tr("ours over cuBLASLt autotuned");
    data.yLog = true;
    data.oneAcross = true;
    data.yText = [](double value, int) { return hgemmRatio(value); };
    ChartSeries ours{Words::tr("ours"), 0, false, ChartSeries::Form::dots, {}};
    ChartSeries fallen{Words::tr("falls back, counts as 1"), 1, false, ChartSeries::Form::dots, {}};
    ChartSeries means{Words::tr("geometric mean"), 2, false, ChartSeries::Form::line, {}};
    std::map<double, std::pair<double, int>> at; // logarithms, and of how many
    for (const LaboratoryEntry& e : entries)
        if (const auto speedup = e.speedup()) {
            const double x = places.of(e.shape);
            (e.fellBack ? fallen : ours).points.push_back({x, *speedup, x, {}, laboratoryRecord(e), {}});
            at[x].first += std::log(*speedup);
            ++at[x].second;
        }
    for (const auto& [x, sum] : at) {
        const double mean = std::exp(sum.first / sum.second);
        Record record;
        record.title = Words::tr("Geometric mean of %1 shapes").arg(sum.second);
        record.rows << qMakePair(Words::tr("Over autotuned"), hgemmRatio(mean));
        means.points.push_back({x, mean, x, {}, std::move(record), {}});
    }
    for (ChartSeries* series : {&means, &ours, &fallen})
        if (!series->points.empty()) data.series.push_back(std::move(*series));
    return data;
}

/// Of shapes that lie at one place.
Record recordOf(const std::vector<const LaboratoryEntry*>& entries) {
    if (entries.size() == 1) return laboratoryRecord(*entries.front());
    constexpr std::size_t most = 12;
    Record record;
    record.title = Words::tr("%1 shapes").arg(entries.size());
    for (std::size_t i = 0; i < std::min(entries.size(), most); ++i) {
        const auto speedup = entries[i]->speedup();
        record.rows << qMakePair(shapeText(entries[i]->shape), speedup ? hgemmRatio(*speedup) : QString());
    }
    if (entries.size() > most) record.explanation = Words::tr("and %1 more").arg(entries.size() - most);
    return record;
}

ChartData choiceChart(const std::vector<LaboratoryEntry>& entries, LaboratoryPlot plot, const Places& places) {
    ChartData data;
    data.name = Words::tr("Chosen kernels: %1").arg(valueTitle(plot));
    data.yTitle = valueTitle(plot);
    data.yLog = plot != LaboratoryPlot::stages;
    data.yText = plainNumber;
    const bool raster = plot == LaboratoryPlot::raster;
    constexpr auto dots = ChartSeries::Form::dots;
    // What is not called lies below.
    std::array series{ChartSeries{Words::tr("not called: cuBLASLt is faster"), 2, false, dots, {}},
                      ChartSeries{raster ? Words::tr("along columns") : QStringLiteral("wgmma"), 0, false, dots, {}},
                      ChartSeries{raster ? Words::tr("along rows") : QStringLiteral("mma"), 1, false, dots, {}}};
    std::map<std::tuple<std::size_t, double, double, QString>, std::vector<const LaboratoryEntry*>> at;
    for (const LaboratoryEntry& e : entries)
        if (e.configuration) {
            const std::size_t which = e.fellBack ? 0 : isSecond(plot, *e.configuration) ? 2 : 1;
            at[{which, places.of(e.shape), valueOf(plot, *e.configuration), labelOf(plot, *e.configuration)}].push_back(
                &e);
        }
    for (const auto& [place, there] : at) {
        const auto& [which, x, y, label] = place;
        const QString count = there.size() > 1 ? Words::tr("%1 shapes").arg(there.size()) : QString();
        const bool speaks = which > 0 && plot == LaboratoryPlot::tile; // of tiles their sides
        series[which].points.push_back({x, y, x, speaks ? label : which > 0 ? count : QString(), recordOf(there), {}});
    }
    for (ChartSeries& one : series)
        if (!one.points.empty()) data.series.push_back(std::move(one));
    return data;
}

} // namespace

ChartData laboratoryChart(const std::vector<LaboratoryEntry>& entries, LaboratoryPlot plot, LaboratoryAxis axis,
                          hgemm::Mode mode) {
    const Places places(entries, axis);
    ChartData data = plot == LaboratoryPlot::claims    ? claimsChart(entries)
                     : plot == LaboratoryPlot::speedup ? speedupChart(entries, places)
                                                       : choiceChart(entries, plot, places);
    data.note = modeText(mode);
    if (data.series.size() == 1) data.note += QStringLiteral(" · ") + data.series[0].name; // which has no legend
    if (plot == LaboratoryPlot::claims) return data;
    data.xTitle = axisTitle(axis);
    data.name = Words::tr("%1, over %2").arg(data.name, data.xTitle); // another plot: the view begins anew
    data.xWords = places.words();
    return data;
}

} // namespace kernelarium::ui
