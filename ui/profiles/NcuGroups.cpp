// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/NcuGroups.h"

#include "core/perf/DeviceSpec.h"
#include "core/profile/NcuNames.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"
#include "ui/workspace/Heat.h"

#include <algorithm>
#include <set>

namespace kernelarium::ui {

namespace {

QString ofNcu(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

struct Scaled {
    double value = 0;
    QString unit;
};

/// Bytes, seconds and clocks in sizes that can be read. The archive says "byte/second", Nsight Compute today "byte/s".
Scaled scaledOf(double value, const std::string& unit) {
    if (unit == "byte/second" || unit == "byte/s") return {value / 1e9, QStringLiteral("GB/s")};
    if (unit == "hz") return {value / 1e6, QStringLiteral("MHz")};
    if (unit == "byte") return {value / 1e6, QStringLiteral("MB")};
    if (unit == "nsecond" || unit == "ns") return {value / 1e3, QStringLiteral("µs")};
    return {value, ofNcu(unit)};
}

QString figureOf(const profile::NcuMetric& metric, const QString& unitOfRow) {
    if (!metric.value) return {};
    const Scaled scaled = scaledOf(*metric.value, metric.unit);
    const QString number = numberText(scaled.value);
    return scaled.unit == unitOfRow || scaled.unit.isEmpty() ? number : number + QLatin1Char(' ') + scaled.unit;
}

struct Counted {
    const perf::LaunchCounters* counters = nullptr;
    const perf::LaunchTime* time = nullptr;
};

/// What the emulator has to say under a label of Nsight Compute, in that unit; empty where it counts nothing like it.
std::optional<double> emulatedOf(std::string_view label, const Counted& counted) {
    const auto& totals = counted.counters->totals;
    const auto share = [](double part, double whole) { return whole > 0 ? std::optional(part / whole) : std::nullopt; };
    const perf::Occupancy& occupancy = counted.time->occupancy;
    if (label == "Avg. Active Threads Per Warp") return perf::activeLanes(totals);
    if (label == "Avg. Not Predicated Off Threads Per Warp")
        return share(totals.threadInstructionsOn, totals.warpInstructions);
    if (label == "Theoretical Occupancy") return 100 * occupancy.share;
    if (label == "Theoretical Active Warps per SM") return occupancy.warps;
    if (label == "Block Limit SM") return occupancy.byBlocks;
    if (label == "Block Limit Registers" && counted.counters->registers > 0) return occupancy.byRegisters;
    if (label == "Block Limit Shared Mem" && counted.counters->sharedBytes() > 0) return occupancy.byShared;
    if (label == "Block Limit Warps") return occupancy.byWarps;
    if (label == "Registers Per Thread" && counted.counters->registers > 0) return counted.counters->registers;
    if (label == "Memory Throughput") return share(counted.time->deviceMemoryBytes, counted.time->seconds);
    if (label == "Duration") return counted.time->seconds * 1e9;
    if (label == "L1/TEX Hit Rate") {
        const auto missed = share(totals.l2LoadSectors, totals.globalLoadSectors);
        return missed ? std::optional(100 * std::max(0.0, 1 - *missed)) : std::nullopt;
    }
    return std::nullopt;
}

/// Why the emulator's figure need not be the machine's.
QString differenceOf(std::string_view label) {
    if (label == "Memory Throughput" || label == "Duration")
        return Words::tr("The emulator's is modelled: the traffic that its caches leave, over the modelled time.");
    if (label == "L1/TEX Hit Rate")
        return Words::tr(
            "The emulator models the L1 of one block alone, for loads; a multiprocessor shares its L1 among blocks, "
            "and counts stores, too.");
    if (label.starts_with("Block Limit") || label.starts_with("Theoretical"))
        return Words::tr(
            "Worked out for the chosen device; the archive's is of the publishers' GPU and their compiler's registers.");
    if (label.starts_with("Avg."))
        return Words::tr(
            "The emulator counts PTX instructions, Nsight Compute the machine's: ptxas turns branches into predicates "
            "and unrolls, so that the shares differ a little.");
    return {};
}

std::string unitOfLabel(std::string_view label) {
    if (label == "Memory Throughput") return "byte/second";
    if (label == "Duration") return "nsecond";
    if (label.ends_with("Rate") || label.ends_with("Occupancy")) return "%";
    return {};
}

NcuRow rowOf(std::string_view label, const profile::NcuMetric* archived, const profile::NcuMetric* measured,
             const Counted& counted) {
    NcuRow row;
    row.name = ofNcu(label);
    const std::string unit = archived ? archived->unit : measured ? measured->unit : unitOfLabel(label);
    row.unit = scaledOf(1, unit).unit;
    if (archived) row.archived = figureOf(*archived, row.unit);
    if (measured) row.measured = figureOf(*measured, row.unit);
    QStringList about;
    if (const auto* name = profile::findNcuName(label))
        about << QStringLiteral("%1%2 (%3).")
                     .arg(QString(ofNcu(name->meaning).at(0).toUpper()), ofNcu(name->meaning).mid(1),
                          ofNcu(name->metric));
    if (counted.counters)
        if (const auto value = emulatedOf(label, counted)) {
            row.emulator = numberText(scaledOf(*value, unit.empty() ? unitOfLabel(label) : unit).value);
            about << differenceOf(label);
        }
    if (archived && archived->value && measured && measured->value)
        about << Words::tr("Archived is the mean over the launches on the publishers' GPU, at its clock and as their "
                           "compiler made them; measured is the longest launch here, at the clock as it was.");
    if (archived && archived->samples && archived->variance)
        about << Words::tr("Archived: the mean of %1 samples, variance %2.")
                     .arg(*archived->samples)
                     .arg(numberText(*archived->variance));
    about.removeAll(QString());
    row.about = about.join(QLatin1Char(' '));
    return row;
}

NcuGroup rulesOf(const profile::NcuProfile& archived) {
    NcuGroup group{Words::tr("Rules and messages"), Words::tr("archived, in Nsight Compute's words"), {}};
    for (const auto& rule : archived.rules) {
        const QString type = rule.type == "WRN"   ? Words::tr("warning")
                             : rule.type == "INF" ? Words::tr("information")
                             : rule.type == "OPT" ? Words::tr("optimisation")
                                                  : ofNcu(rule.type);
        group.rows.push_back({ofNcu(rule.name), type, {}, {}, {}, ofNcu(rule.message)});
    }
    return group;
}

NcuGroup roofOf(const profile::NcuProfile& archived, std::optional<double> milliseconds) {
    NcuGroup group{Words::tr("Towards a roofline"), Words::tr("what the archived profile says of bytes"), {}};
    const auto inputs = profile::roofInputs(archived);
    if (!inputs.bytesPerSecond) return group;
    group.rows.push_back(
        {Words::tr("Bytes per second"),
         numberText(*inputs.bytesPerSecond / 1e9),
         {},
         {},
         QStringLiteral("GB/s"),
         Words::tr("Device memory's traffic of the profiled kernel, on a GPU that the archive does not name.")});
    if (milliseconds)
        group.rows.push_back(
            {Words::tr("Bytes moved"),
             numberText(*inputs.bytesPerSecond * *milliseconds / 1e9),
             {},
             {},
             QStringLiteral("MB"),
             Words::tr("Bytes per second times the archived time of the whole call: right where one kernel takes most "
                       "of it. Less than the task's own bytes means that the L2 cache kept data from call to call. The "
                       "roofline shows it as a point of its own.")});
    else
        group.rows.push_back({Words::tr("Bytes moved"),
                              {},
                              {},
                              {},
                              {},
                              Words::tr("Not known: the archive has no time of this kernel.")});
    return group;
}

/// The emulator's counts beside the raw counters that mean the same.
NcuGroup countsOf(const Counted& counted, const profile::NcuLaunch* measured) {
    NcuGroup group{Words::tr("Counts"), Words::tr("of the launch that takes longest"), {}};
    if (!counted.counters) return group;
    for (const perf::Metric& metric : perf::metrics()) {
        if (*metric.ncuName == '\0') continue;
        const double value = counted.counters->totals.*metric.field;
        const profile::NcuMetric* live = measured ? measured->find(metric.ncuName) : nullptr;
        if (value <= 0 && !live) continue;
        NcuRow row{QString::fromUtf8(metric.title),
                   {},
                   {},
                   siText(value),
                   {},
                   QString::fromUtf8(metric.ncuName) + QLatin1Char('.')};
        if (live && live->value) row.measured = siText(*live->value);
        row.about += QLatin1Char(' ') +
                     Words::tr("The emulator counts PTX instructions and scales its sample of blocks to the grid; the "
                               "machine's own instructions are fewer or more.");
        group.rows.push_back(std::move(row));
    }
    return group;
}

NcuGroup restOf(const profile::NcuLaunch& measured, const std::set<std::string>& shown) {
    NcuGroup group{Words::tr("All raw metrics"), Words::tr("measured, under Nsight Compute's raw names"), {}};
    for (const auto& metric : measured.metrics) {
        if (shown.contains(metric.name)) continue;
        const QString unit = scaledOf(1, metric.unit).unit;
        group.rows.push_back({ofNcu(metric.name), {}, figureOf(metric, unit), {}, unit, {}});
    }
    return group;
}

} // namespace

int longestLaunch(const protocol::ProfileSummary& counted) {
    int longest = -1;
    for (std::size_t i = 0; i < std::min(counted.counters.size(), counted.time.launches.size()); ++i)
        if (longest < 0 || counted.time.launches[i].seconds > counted.time.launches[std::size_t(longest)].seconds)
            longest = int(i);
    return longest;
}

int longestLaunch(const std::vector<profile::NcuLaunch>& measured) {
    int longest = -1;
    double most = -1;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const auto* duration = measured[i].find("gpu__time_duration.sum");
        const double takes = duration && duration->value ? *duration->value : 0;
        if (takes <= most) continue;
        most = takes;
        longest = int(i);
    }
    return longest;
}

namespace {

/// The lines at which warps were seen most first.
NcuGroup stallsOf(const NcuSources& sources) {
    NcuGroup group;
    group.title = Words::tr("Stall reasons by line");
    if (!sources.stallsProblem.isEmpty()) {
        NcuRow row;
        row.name = Words::tr("not known: %1").arg(sources.stallsProblem);
        row.about = row.name;
        group.rows.push_back(std::move(row));
    }
    if (!sources.stalls) return group;
    std::vector<const profile::LineStalls*> lines;
    double all = 0;
    for (const profile::LineStalls& line : *sources.stalls) {
        lines.push_back(&line);
        all += line.samples;
    }
    std::stable_sort(lines.begin(), lines.end(), [](const auto* a, const auto* b) { return a->samples > b->samples; });
    for (const profile::LineStalls* line : lines) {
        NcuRow row;
        row.name = Words::tr("line %1: %2")
                       .arg(line->line)
                       .arg(line->reasons.empty() ? QString() : QString::fromStdString(line->reasons.front().reason));
        row.measured = percentText(line->samples / all);
        row.unit = Words::tr("of samples");
        row.about = Words::tr("Warps at line %1 wait for\n%2").arg(line->line).arg(stallsText(*line));
        group.rows.push_back(std::move(row));
    }
    return group;
}

} // namespace

std::vector<NcuGroup> ncuGroups(const NcuSources& sources) {
    Counted counted;
    if (sources.counted)
        if (const int i = longestLaunch(*sources.counted); i >= 0)
            counted = {&sources.counted->counters[std::size_t(i)], &sources.counted->time.launches[std::size_t(i)]};
    const profile::NcuLaunch* measured = nullptr;
    if (sources.measured)
        if (const int i = longestLaunch(*sources.measured); i >= 0) measured = &(*sources.measured)[std::size_t(i)];

    std::vector<NcuGroup> groups;
    if (sources.archived) {
        groups.push_back(rulesOf(*sources.archived));
        groups.push_back(roofOf(*sources.archived, sources.archivedMilliseconds));
    }
    std::vector<NcuGroup> sections;
    for (const auto name : profile::ncuSectionNames)
        sections.push_back({ofNcu(name), {}, {}});
    std::set<std::string, std::less<>> labels;
    std::set<std::string> shown;
    const auto liveOf = [&](std::string_view label) -> const profile::NcuMetric* {
        const auto* name = profile::findNcuName(label);
        if (!name || !measured) return nullptr;
        shown.emplace(name->metric);
        return measured->find(name->metric);
    };
    if (sources.archived)
        for (const auto& metric : sources.archived->metrics) {
            labels.insert(metric.name);
            sections[std::size_t(metric.section)].rows.push_back(
                rowOf(metric.name, &metric, liveOf(metric.name), counted));
        }
    for (const auto& name : profile::ncuNames()) {
        if (labels.contains(name.label)) continue;
        const auto* live = liveOf(name.label);
        if (!live && !(counted.counters && emulatedOf(name.label, counted))) continue;
        sections[std::size_t(profile::ncuSectionOf(name.label))].rows.push_back(
            rowOf(name.label, nullptr, live, counted));
    }
    for (auto& section : sections)
        groups.push_back(std::move(section));
    groups.push_back(countsOf(counted, measured));
    groups.push_back(stallsOf(sources));
    if (measured) groups.push_back(restOf(*measured, shown));
    std::erase_if(groups, [](const NcuGroup& group) { return group.rows.empty(); });
    return groups;
}

} // namespace kernelarium::ui
