// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/Heat.h"

#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

double idleLanes(const perf::LineCounters& line) {
    return std::max(0.0, 32 * line.warpInstructions - line.threadInstructionsOn);
}

double valueOf(const perf::LineCounters& l, HeatCounter counter) {
    switch (counter) {
    case HeatCounter::instructions: return l.issueSlots;
    case HeatCounter::sectors: return l.globalLoadSectors + l.globalStoreSectors + l.globalAtomicSectors;
    case HeatCounter::conflicts:
        return std::max(0.0, l.sharedLoadWavefronts + l.sharedStoreWavefronts - l.sharedIdealWavefronts);
    case HeatCounter::divergence: return idleLanes(l);
    case HeatCounter::barriers: return l.barrierWaits;
    }
    return 0;
}

QString shareOf(double part, double whole) {
    return percentText(whole > 0 ? part / whole : 0);
}

QString tipOf(const perf::LineCounters& line, const perf::LineCounters& all) {
    QString tip = Words::tr("line %1: %2 of the instructions issued")
                      .arg(line.line)
                      .arg(shareOf(line.issueSlots, all.issueSlots));
    if (const auto active = perf::activeLanes(line))
        tip += Words::tr("\n%1 of 32 lanes active").arg(numberText(*active));
    if (line.divergentBranches > 0)
        tip += Words::tr("\n%1 of %2 branches diverge")
                   .arg(wholeText(std::int64_t(line.divergentBranches)), wholeText(std::int64_t(line.branches)));
    if (const auto sectors = perf::sectorsPerRequest(line)) {
        tip += Words::tr("\n%1 of the sectors of global memory, %2 per request")
                   .arg(shareOf(valueOf(line, HeatCounter::sectors), valueOf(all, HeatCounter::sectors)))
                   .arg(numberText(*sectors));
        if (const auto ideal = perf::idealSectorsPerRequest(line))
            tip += Words::tr(" (%1 needed)").arg(numberText(*ideal));
    }
    if (const auto degree = perf::bankConflictDegree(line); degree && *degree > 1.01)
        tip += Words::tr("\nshared memory takes %1 times as long as without bank conflicts").arg(numberText(*degree));
    if (line.barrierWaits > 0)
        tip += Words::tr("\nwarps wait %1 times at a barrier").arg(wholeText(std::int64_t(line.barrierWaits)));
    return tip + Words::tr("\n(counted by the emulator)");
}

QString findingsTip(const std::vector<perf::Finding>& findings, int line) {
    QString tip;
    for (const perf::Finding& f : findings)
        if (f.line == line && f.line > 0)
            tip += Words::tr("\n\n%1 could be gained: %2. %3")
                       .arg(percentText(f.gainShare), QString::fromStdString(f.what), QString::fromStdString(f.advice));
    return tip;
}

} // namespace

QString titleOf(HeatCounter counter) {
    switch (counter) {
    case HeatCounter::instructions: return Words::tr("Instructions");
    case HeatCounter::sectors: return Words::tr("Sectors");
    case HeatCounter::conflicts: return Words::tr("Bank conflicts");
    case HeatCounter::divergence: return Words::tr("Divergence");
    case HeatCounter::barriers: return Words::tr("Barrier waits");
    }
    return {};
}

QString aboutOf(HeatCounter counter) {
    switch (counter) {
    case HeatCounter::instructions: return Words::tr("Instructions issued, estimated for the machine");
    case HeatCounter::sectors: return Words::tr("32-byte sectors of global memory that requests touch");
    case HeatCounter::conflicts: return Words::tr("Passes over shared memory beyond those without bank conflicts");
    case HeatCounter::divergence: return Words::tr("Lanes that were idle while their warp issued an instruction");
    case HeatCounter::barriers: return Words::tr("Warps that reached a block's barrier");
    }
    return {};
}

std::vector<LineHeat> heatOf(const protocol::ProfileSummary& profile, HeatCounter counter) {
    const auto lines = perf::mergedLines(profile.counters);
    perf::LineCounters all;
    double most = 0;
    for (const auto& line : lines) {
        all += line;
        if (line.line > 0) most = std::max(most, valueOf(line, counter));
    }
    std::vector<LineHeat> heat;
    for (const auto& line : lines) {
        const QString found = findingsTip(profile.findings, line.line);
        const double value = valueOf(line, counter);
        if (line.line > 0 && (value > 0 || !found.isEmpty()))
            heat.push_back({line.line, most > 0 ? value / most : 0, tipOf(line, all) + found, !found.isEmpty()});
    }
    return heat;
}

void Heat::show(Profile profile) {
    if (!m_profile && !profile) return;
    m_profile = std::move(profile);
    m_lines = m_profile ? heatOf(*m_profile, m_counter) : std::vector<LineHeat>();
    Q_EMIT changed();
}

void Heat::setCounter(HeatCounter counter) {
    if (counter == m_counter) return;
    m_counter = counter;
    show(m_profile);
}

} // namespace kernelarium::ui
