// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/Heat.h"

#include <QCoreApplication>
#include <algorithm>

namespace kernelarium::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Heat", text);
}

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

QString shareText(double part, double whole) {
    return QString::number(whole > 0 ? 100 * part / whole : 0, 'f', 1);
}

QString tipOf(const perf::LineCounters& line, const perf::LineCounters& all) {
    QString tip =
        tr("line %1: %2 % of the instructions issued").arg(line.line).arg(shareText(line.issueSlots, all.issueSlots));
    if (const auto active = perf::activeLanes(line)) tip += tr("\n%1 of 32 lanes active").arg(*active, 0, 'f', 1);
    if (line.divergentBranches > 0)
        tip += tr("\n%1 of %2 branches part their warp")
                   .arg(line.divergentBranches, 0, 'f', 0)
                   .arg(line.branches, 0, 'f', 0);
    if (const auto sectors = perf::sectorsPerRequest(line)) {
        tip += tr("\n%1 % of the sectors of global memory, %2 a request")
                   .arg(shareText(valueOf(line, HeatCounter::sectors), valueOf(all, HeatCounter::sectors)))
                   .arg(*sectors, 0, 'f', 1);
        if (const auto ideal = perf::idealSectorsPerRequest(line)) tip += tr(" (%1 would do)").arg(*ideal, 0, 'f', 1);
    }
    if (const auto degree = perf::bankConflictDegree(line); degree && *degree > 1.01)
        tip += tr("\nshared memory takes %1 times as long as without bank conflicts").arg(*degree, 0, 'f', 1);
    if (line.barrierWaits > 0) tip += tr("\nwarps wait %1 times at a barrier").arg(line.barrierWaits, 0, 'f', 0);
    return tip + tr("\n(counted by the emulator)");
}

QString findingsTip(const std::vector<perf::Finding>& findings, int line) {
    QString tip;
    for (const perf::Finding& f : findings)
        if (f.line == line && f.line > 0)
            tip += tr("\n\n%1 % could be gained: %2. %3")
                       .arg(100 * f.gainShare, 0, 'f', 0)
                       .arg(QString::fromStdString(f.what), QString::fromStdString(f.advice));
    return tip;
}

} // namespace

QString titleOf(HeatCounter counter) {
    switch (counter) {
    case HeatCounter::instructions: return tr("Instructions");
    case HeatCounter::sectors: return tr("Sectors");
    case HeatCounter::conflicts: return tr("Bank conflicts");
    case HeatCounter::divergence: return tr("Divergence");
    case HeatCounter::barriers: return tr("Barrier waits");
    }
    return {};
}

QString aboutOf(HeatCounter counter) {
    switch (counter) {
    case HeatCounter::instructions: return tr("Instructions issued, estimated for the machine");
    case HeatCounter::sectors: return tr("32-byte sectors of global memory that requests touch");
    case HeatCounter::conflicts: return tr("Passes over shared memory beyond those without bank conflicts");
    case HeatCounter::divergence: return tr("Lanes that were idle while their warp issued an instruction");
    case HeatCounter::barriers: return tr("Warps that came to a block's barrier");
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
