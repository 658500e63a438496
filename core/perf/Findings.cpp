// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Findings.h"

#include "core/perf/WhatIf.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace kernelarium::perf {

namespace {

constexpr std::size_t shownWithoutGain = 3;

/// Launches that are told apart by nothing that findings see.
using Likeness = std::tuple<std::string, std::array<std::uint32_t, 3>, std::array<std::uint32_t, 3>, std::uint32_t,
                            double, double, double, double>;

Likeness likenessOf(const LaunchCounters& c) {
    return {c.kernel,
            c.grid,
            c.block,
            c.sharedBytes(),
            c.totals.issueSlots,
            c.totals.globalLoadSectors,
            c.totals.globalStoreSectors,
            c.uniqueBytes};
}

Findings findingsOfLaunch(const Look& look) {
    Findings found;
    findAccessPatterns(look, found);
    findLocalMemory(look, found);
    findAtomics(look, found);
    findDivergence(look, found);
    findImbalance(look, found);
    findInstructions(look, found);
    findReuse(look, found);
    findPlacing(look, found);
    return found;
}

/// A finding of several launches has the words of the one where it gains most.
class Merged {
public:
    void add(Finding f, std::uint32_t launches) {
        f.launches = launches;
        const double each = f.gainSeconds;
        f.gainSeconds *= launches;
        const auto [at, isNew] = m_byPlace.try_emplace({int(f.kind), f.kernel, f.line}, Entry{f, each});
        if (isNew) return;
        Entry& known = at->second;
        const double gain = known.finding.gainSeconds + f.gainSeconds;
        const std::uint32_t all = known.finding.launches + launches;
        if (each > known.each) known = {std::move(f), each};
        known.finding.gainSeconds = gain;
        known.finding.launches = all;
    }
    [[nodiscard]] Findings take() {
        Findings all;
        for (auto& [place, entry] : m_byPlace)
            all.push_back(std::move(entry.finding));
        return all;
    }

private:
    struct Entry {
        Finding finding;
        double each = 0;
    };
    std::map<std::tuple<int, std::string, int>, Entry> m_byPlace;
};

Finding overheadOf(std::span<const LaunchCounters> launches, const DeviceSpec& device) {
    Finding f;
    f.kind = FindingKind::launchOverhead;
    f.kernel = launches.size() > 1 && launches.front().kernel == launches.back().kernel ? launches.front().kernel : "";
    f.launches = std::uint32_t(launches.size());
    f.gainSeconds = double(launches.size() - 1) * device.launchSeconds;
    f.confidence = Confidence::medium;
    f.what = fmt::format("{} launches cost {} before any of them does any work", launches.size(),
                         quantities::seconds(double(launches.size()) * device.launchSeconds));
    f.advice = "Do the steps in one kernel (a loop in it, a grid barrier, or results kept in registers), or launch "
               "them as one CUDA graph.";
    return f;
}

const LaunchCounters& longestOf(std::span<const LaunchCounters> launches, const ModelledTime& time) {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < std::min(launches.size(), time.launches.size()); ++i)
        if (time.launches[i].seconds > time.launches[longest].seconds) longest = i;
    return launches[longest];
}

/// Sorted by gain; without those that gain next to nothing.
void rank(Findings& found, double callSeconds) {
    for (Finding& f : found) {
        const double whole = f.kind == FindingKind::imbalance ? callSeconds + f.gainSeconds : callSeconds;
        f.gainShare = whole > 0 ? std::min(1.0, f.gainSeconds / whole) : 0;
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Finding& a, const Finding& b) { return a.gainSeconds > b.gainSeconds; });
    const bool someGain = !found.empty() && found.front().gainShare >= leastGainShare;
    std::erase_if(found, [&](const Finding& f) { return f.gainShare < (someGain ? leastGainShare : 1e-3); });
    if (!someGain && found.size() > shownWithoutGain) found.resize(shownWithoutGain);
}

} // namespace

std::vector<Finding> findingsOf(std::span<const LaunchCounters> launches, const ModelledTime& time,
                                const DeviceSpec& device) {
    if (launches.empty()) return {};
    std::map<Likeness, std::pair<const LaunchCounters*, std::uint32_t>> alike;
    for (const LaunchCounters& c : launches) {
        auto& [first, count] = alike[likenessOf(c)];
        if (!first) first = &c;
        ++count;
    }
    Merged merged;
    for (const auto& [likeness, entry] : alike)
        for (Finding& f : findingsOfLaunch(Look(*entry.first, device)))
            merged.add(std::move(f), entry.second);
    Findings found = merged.take();
    if (launches.size() > 1) found.push_back(overheadOf(launches, device));
    rank(found, time.seconds);
    const bool someGain = !found.empty() && found.front().gainShare >= leastGainShare;
    found.insert(someGain ? found.end() : found.begin(), boundOf(Look(longestOf(launches, time), device)));
    return found;
}

std::string Finding::text() const {
    return line > 0 ? fmt::format("line {}: {}", line, what) : what;
}

} // namespace kernelarium::perf
