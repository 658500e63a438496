// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/occupancy/OccupancyCharts.h"

#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

using perf::BlockNeed;
using perf::OccupancyLimit;

constexpr double kilo = 1024;
constexpr int curveColour = 0, ownColour = 1, triedColour = 2; // of the palette's series

double scaleOf(BlockNeed need) {
    return need == BlockNeed::sharedBytes ? kilo : 1;
}

QString valueText(BlockNeed need, std::uint32_t value) {
    return need == BlockNeed::sharedBytes ? Words::tr("%1 bytes").arg(wholeText(value)) : wholeText(value);
}

Record recordOf(BlockNeed need, std::uint32_t from, std::uint32_t to, std::uint32_t blocks, std::uint32_t warps,
                const perf::MultiprocessorLimits& limits) {
    Record record;
    record.title = from == to ? QStringLiteral("%1: %2").arg(titleOf(need), wholeText(to))
                              : Words::tr("%1: %2 to %3").arg(titleOf(need), wholeText(from), wholeText(to));
    record.rows = {{Words::tr("Blocks"), wholeText(blocks)},
                   {Words::tr("Warps"), Words::tr("%1 of %2").arg(wholeText(warps), wholeText(limits.warps))},
                   {Words::tr("Occupancy"), percentText(double(warps) / limits.warps)}};
    return record;
}

ChartSeries dotOf(BlockNeed need, const perf::BlockNeeds& needs, const TriedBlock& block, const QString& name,
                  int colour) {
    ChartSeries series;
    series.name = name;
    series.colour = colour;
    series.form = ChartSeries::Form::dots;
    const std::uint32_t value = perf::valueOf(needs, need);
    const perf::BlockNeeds there = perf::with(block.tried, need, value);
    const std::uint32_t blocks = perf::residentBlocks(there, block.limits);
    ChartPoint point;
    point.x = point.xEnd = value / scaleOf(need);
    const std::uint32_t warps = blocks * ((there.threads + perf::lanesOfWarp - 1) / perf::lanesOfWarp);
    point.y = warps;
    point.label = numberText(point.x, 4);
    point.record = recordOf(need, value, value, blocks, warps, block.limits);
    point.record.explanation = name;
    series.points.push_back(std::move(point));
    return series;
}

QString warpsTaken(const perf::BlockNeeds& needs) {
    const std::uint32_t warps = (needs.threads + perf::lanesOfWarp - 1) / perf::lanesOfWarp;
    return Words::tr("%1 (%2 threads)").arg(wholeText(warps), wholeText(needs.threads));
}

QString registersTaken(const perf::BlockNeeds& needs, const perf::MultiprocessorLimits& l) {
    if (needs.registers == 0) return Words::tr("unknown");
    const std::uint32_t warps = (needs.threads + perf::lanesOfWarp - 1) / perf::lanesOfWarp;
    const std::uint32_t given = l.registersOfWarp(needs.registers);
    const QString each =
        given / perf::lanesOfWarp == needs.registers
            ? wholeText(needs.registers)
            : Words::tr("%1, given as %2").arg(wholeText(needs.registers), wholeText(given / perf::lanesOfWarp));
    return Words::tr("%1 (%2 a thread)").arg(wholeText(std::int64_t(given) * warps), each);
}

QString sharedTaken(const perf::BlockNeeds& needs, const perf::MultiprocessorLimits& l) {
    const std::uint32_t asked = needs.sharedBytes + l.reservedSharedBytes;
    const std::uint32_t given = (asked + l.sharedUnit - 1) / l.sharedUnit * l.sharedUnit;
    if (given == needs.sharedBytes) return valueText(BlockNeed::sharedBytes, given);
    return Words::tr("%1 bytes (%2 of its own)").arg(wholeText(given), wholeText(needs.sharedBytes));
}

} // namespace

QString titleOf(BlockNeed need) {
    switch (need) {
    case BlockNeed::threads: return Words::tr("Threads of a block");
    case BlockNeed::registers: return Words::tr("Registers of a thread");
    case BlockNeed::sharedBytes: return Words::tr("Bytes of shared memory of a block");
    }
    return {};
}

QString nameOf(OccupancyLimit limit) {
    switch (limit) {
    case OccupancyLimit::warps: return Words::tr("warps");
    case OccupancyLimit::blocks: return Words::tr("blocks");
    case OccupancyLimit::registers: return Words::tr("registers");
    case OccupancyLimit::shared: return Words::tr("shared memory");
    case OccupancyLimit::barriers: return Words::tr("barriers");
    case OccupancyLimit::doesNotFit: break;
    }
    return Words::tr("its size");
}

QString stepText(const perf::OccupancyStep& step) {
    if (step.blocksTo == step.blocksFrom)
        return Words::tr("%1 instead of %2: %3 warps instead of %4")
            .arg(wholeText(step.to), wholeText(step.from), wholeText(step.warpsTo), wholeText(step.warpsFrom));
    return Words::tr("%1 instead of %2: %3 blocks instead of %4 (%5 warps)")
        .arg(wholeText(step.to), wholeText(step.from), wholeText(step.blocksTo), wholeText(step.blocksFrom),
             wholeText(step.warpsTo));
}

QString gridText(const std::array<std::uint32_t, 3>& grid) {
    return QStringLiteral("%1 × %2 × %3").arg(wholeText(grid[0]), wholeText(grid[1]), wholeText(grid[2]));
}

std::uint32_t valueOfPoint(BlockNeed need, const ChartPoint& point) {
    return std::uint32_t(std::lround(point.xEnd * scaleOf(need)));
}

ChartData occupancyChart(BlockNeed need, const TriedBlock& block) {
    ChartData data;
    data.name = Words::tr("Resident warps over %1").arg(titleOf(need).toLower());
    data.xTitle = need == BlockNeed::sharedBytes ? Words::tr("Shared memory of a block (KiB)") : titleOf(need);
    data.yTitle = Words::tr("Resident warps");
    data.yTop = block.limits.warps;
    ChartSeries curve;
    curve.name = Words::tr("warps");
    curve.colour = curveColour;
    curve.form = ChartSeries::Form::outline;
    for (const perf::OccupancyRun& run : perf::curveOver(need, block.tried, block.limits)) {
        ChartPoint point;
        point.x = run.from / scaleOf(need);
        point.xEnd = run.to / scaleOf(need);
        point.y = run.warps;
        point.record = recordOf(need, run.from, run.to, run.blocks, run.warps, block.limits);
        point.record.explanation = Words::tr("Click or Return: try %1").arg(valueText(need, run.to));
        curve.points.push_back(std::move(point));
    }
    data.series.push_back(std::move(curve));
    const bool hasOwn = block.own.threads > 0 && (need != BlockNeed::registers || block.own.registers > 0);
    const bool isTried = !hasOwn || perf::valueOf(block.own, need) != perf::valueOf(block.tried, need);
    if (hasOwn) data.series.push_back(dotOf(need, block.own, block, Words::tr("the kernel"), ownColour));
    if (isTried && (need != BlockNeed::registers || block.tried.registers > 0))
        data.series.push_back(dotOf(need, block.tried, block, Words::tr("tried"), triedColour));
    return data;
}

std::vector<ResourceRow> resourceRows(const perf::BlockNeeds& needs, const perf::MultiprocessorLimits& l) {
    const perf::Occupancy o = perf::occupancyOf(needs, l);
    const auto bytes = [](std::uint32_t value) { return valueText(BlockNeed::sharedBytes, value); };
    std::vector<ResourceRow> rows{
        {OccupancyLimit::warps,
         Words::tr("Warps"),
         warpsTaken(needs),
         wholeText(l.warps),
         wholeText(o.byWarps),
         {},
         {}},
        {OccupancyLimit::blocks, Words::tr("Blocks"), wholeText(1), wholeText(l.blocks), wholeText(o.byBlocks), {}, {}},
        {OccupancyLimit::registers,
         Words::tr("Registers"),
         registersTaken(needs, l),
         wholeText(l.registers),
         needs.registers > 0 ? wholeText(o.byRegisters) : Words::tr("unknown"),
         {},
         {}},
        {OccupancyLimit::shared,
         Words::tr("Shared memory"),
         sharedTaken(needs, l),
         bytes(l.sharedBytes),
         wholeText(o.byShared),
         {},
         {}}};
    if (l.barriers > 0 && needs.barriers > 0)
        rows.push_back({OccupancyLimit::barriers,
                        Words::tr("Barriers"),
                        wholeText(needs.barriers),
                        wholeText(l.barriers),
                        wholeText(o.byBarriers),
                        {},
                        {}});
    const auto rowOf = [&](BlockNeed need) -> ResourceRow& {
        return rows[need == BlockNeed::threads ? 0 : need == BlockNeed::registers ? 2 : 3];
    };
    for (const perf::OccupancyStep& step : perf::gainsOf(needs, l)) {
        QString& next = rowOf(step.need).next;
        if (!next.isEmpty()) next += QStringLiteral("; ");
        next += stepText(step);
    }
    for (const perf::OccupancyStep& step : perf::lossesOf(needs, l))
        rowOf(step.need).room = Words::tr("up to %1").arg(wholeText(step.to - 1));
    const auto limits = o.limits();
    for (ResourceRow& row : rows)
        row.limits = std::find(limits.begin(), limits.end(), row.limit) != limits.end();
    return rows;
}

} // namespace kernelarium::ui
