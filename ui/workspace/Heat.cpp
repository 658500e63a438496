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
    case HeatCounter::stalls: break; // the emulator counts none
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
    case HeatCounter::stalls: return Words::tr("Stalls (sampled)");
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
    case HeatCounter::stalls:
        return Words::tr(
            "Where warps were seen, and what they wait for: sampled by Nsight Compute on this machine's GPU "
            "(measure with it first, Ctrl+Shift+M). The emulator does not know it");
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

QString stallsText(const profile::LineStalls& line) {
    constexpr std::size_t most = 4;
    QStringList words;
    for (const profile::StallSamples& reason : line.reasons) {
        if (std::size_t(words.size()) == most) break;
        const std::string_view about = profile::aboutStall(reason.reason);
        QString text =
            QStringLiteral("%1 %2").arg(QString::fromStdString(reason.reason), shareOf(reason.samples, line.samples));
        if (!about.empty())
            text += QStringLiteral(" (%1)").arg(QString::fromUtf8(about.data(), qsizetype(about.size())));
        words << text;
    }
    return words.join(QLatin1Char('\n'));
}

std::vector<LineHeat> heatOfStalls(const StalledLines& stalls) {
    double all = 0, most = 0;
    for (const profile::LineStalls& line : stalls) {
        all += line.samples;
        most = std::max(most, line.samples);
    }
    std::vector<LineHeat> heat;
    for (const profile::LineStalls& line : stalls)
        if (line.line > 0 && line.samples > 0)
            heat.push_back({line.line, line.samples / most,
                            Words::tr("line %1: %2 of the samples; warps wait for\n%3\n(sampled by Nsight Compute)")
                                .arg(line.line)
                                .arg(shareOf(line.samples, all), stallsText(line)),
                            false});
    return heat;
}

void Heat::refresh() {
    if (m_counter == HeatCounter::stalls) {
        m_lines = m_stalls ? heatOfStalls(*m_stalls) : std::vector<LineHeat>();
    } else {
        m_lines = m_profile ? heatOf(*m_profile, m_counter) : std::vector<LineHeat>();
        if (m_stalls)
            for (const LineHeat& stalled : heatOfStalls(*m_stalls))
                for (LineHeat& line : m_lines)
                    if (line.line == stalled.line) line.text += QStringLiteral("\n\n") + stalled.text;
    }
    Q_EMIT changed();
}

void Heat::show(Profile profile) {
    if (!profile && !m_profile && !m_stalls) return;
    if (!profile) m_stalls.reset();
    m_profile = std::move(profile);
    refresh();
}

void Heat::showStalls(std::shared_ptr<const StalledLines> stalls) {
    if (stalls == m_stalls) return;
    m_stalls = std::move(stalls);
    refresh();
}

void Heat::setCounter(HeatCounter counter) {
    if (counter == m_counter) return;
    m_counter = counter;
    refresh();
}

} // namespace kernelarium::ui
