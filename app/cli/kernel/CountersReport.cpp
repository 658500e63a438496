// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/CountersReport.h"

#include "app/cli/Output.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>
#include <vector>

namespace kernelarium::cli {

namespace {

constexpr std::size_t shownLaunches = 12;
constexpr std::size_t shownLines = 12;

std::vector<std::string> linesOf(const std::string& source) {
    std::vector<std::string> lines;
    std::istringstream in(source);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

/// Counts in full while they are short, then "12.35 M".
std::string brief(double value) {
    if (value == 0) return "-";
    return value < 9999.5 ? quantities::number(value, 4) : quantities::si(value, "", 4);
}

std::string ratioText(const std::optional<double>& value) {
    return value ? quantities::number(*value) : "-";
}

/// "4 of 4": what a request takes, and what its bytes need.
std::string sectorsText(const perf::LineCounters& c) {
    const auto actual = perf::sectorsPerRequest(c);
    return actual ? fmt::format("{} / {}", quantities::number(*actual),
                                quantities::number(*perf::idealSectorsPerRequest(c)))
                  : "-";
}

std::vector<std::string> cells(const perf::LineCounters& c) {
    return {brief(c.warpInstructions),
            ratioText(perf::activeLanes(c)),
            brief(perf::totalFlops(c)),
            brief(c.globalLoadSectors + c.globalStoreSectors),
            sectorsText(c),
            ratioText(perf::bankConflictDegree(c)),
            brief(c.globalAtomicLanes),
            brief(c.divergentBranches),
            brief(c.barrierWaits)};
}

std::string shareText(const perf::LaunchCounters& l) {
    return l.sampling.share() < 1 ? quantities::percent(l.sampling.share()) : "all";
}

TextTable counterTable(const char* first, const char* second) {
    using Align = TextTable::Align;
    return TextTable({{first, Align::right},
                      {second},
                      {"warp instr.", Align::right},
                      {"lanes", Align::right},
                      {"FLOP", Align::right},
                      {"sectors", Align::right},
                      {"per request / ideal", Align::right},
                      {"conflicts", Align::right},
                      {"atomics", Align::right},
                      {"divergent", Align::right},
                      {"barriers", Align::right}});
}

void addCounters(TextTable& table, std::string first, std::string second, const perf::LineCounters& c) {
    std::vector<std::string> row{std::move(first), std::move(second)};
    for (std::string& cell : cells(c))
        row.push_back(std::move(cell));
    table.add(std::move(row));
}

} // namespace

std::string countersText(std::span<const perf::LaunchCounters> launches, const std::string& source) {
    if (launches.empty()) return {};
    std::string out = "\nCounters by launch\n";
    TextTable byLaunch = counterTable("#", "kernel");
    for (std::size_t i = 0; i < std::min(launches.size(), shownLaunches); ++i) {
        const perf::LaunchCounters& l = launches[i];
        const std::string blocks = l.sampling.share() < 1 ? fmt::format(" ({} of the blocks)", shareText(l)) : "";
        addCounters(byLaunch, std::to_string(i + 1), l.kernel + blocks, l.totals);
    }
    out += byLaunch.text();
    if (launches.size() > shownLaunches) out += fmt::format("and {} more\n", launches.size() - shownLaunches);
    for (std::size_t i = 0; i < std::min(launches.size(), shownLaunches); ++i) {
        out += fmt::format(
            "launch {}: {} read, {} written, each byte counted once; {}, {} of shared memory\n", i + 1,
            quantities::bytes(launches[i].uniqueReadBytes), quantities::bytes(launches[i].uniqueWrittenBytes),
            quantities::counted(launches[i].registers, "register"), quantities::bytes(launches[i].sharedBytes()));
        if (const std::string copies = perf::copiesInFlightText(launches[i]); !copies.empty())
            out += fmt::format("launch {}: {}\n", i + 1, copies);
    }

    std::vector<perf::LineCounters> lines = perf::mergedLines(launches);
    std::stable_sort(lines.begin(), lines.end(), [](const perf::LineCounters& a, const perf::LineCounters& b) {
        return a.warpInstructions > b.warpInstructions;
    });
    lines.resize(std::min(lines.size(), shownLines));
    std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
    const std::vector<std::string> text = linesOf(source);
    out += "\nCounters by source line\n";
    TextTable byLine = counterTable("line", "source");
    for (const perf::LineCounters& l : lines) {
        std::string shown = l.line > 0 && std::size_t(l.line) <= text.size() ? text[std::size_t(l.line) - 1] : "";
        shown.erase(0, std::min(shown.find_first_not_of(" \t"), shown.size()));
        if (shown.size() > 50) shown = shown.substr(0, 47) + "...";
        addCounters(byLine, l.line ? std::to_string(l.line) : "-", shown, l);
    }
    return printable(out + byLine.text());
}

namespace {

std::string findingsText(std::span<const perf::Finding> findings) {
    if (findings.empty()) return {};
    std::string out = "\nWhat costs time (with the modelled gain of doing it ideally)\n";
    for (const perf::Finding& f : findings) {
        const std::string gain = f.gainShare > 0 ? quantities::percent(f.gainShare) : "";
        out += fmt::format("  {:>4}  {}\n", gain, f.text());
        const std::string where = f.launches > 1 ? fmt::format("{}, {} launches", f.kernel, f.launches) : f.kernel;
        out += fmt::format("        [{}{}{}]", where, where.empty() ? "" : "; ", perf::name(f.kind));
        if (f.gainSeconds > 0)
            out += fmt::format(" {}, confidence {}", quantities::seconds(f.gainSeconds), perf::name(f.confidence));
        out += "\n";
        if (!f.advice.empty()) out += fmt::format("        Try: {}\n", f.advice);
    }
    return out;
}

} // namespace

std::string profileText(const protocol::ProfileSummary& p, const std::string& label, const std::string& source) {
    std::string out = fmt::format("{}  {}\n", p.end, label);
    if (!p.reason.empty()) out += fmt::format("  why         {}\n", p.reason);
    out +=
        fmt::format("  modelled    {} on {}, {} size", quantities::seconds(p.time.seconds, 4), p.time.device, p.size);
    if (p.time.librarySeconds > 0)
        out += fmt::format(" ({} of it in library calls)", quantities::seconds(p.time.librarySeconds, 4));
    out += fmt::format("\n  limiter     {}\n", p.time.why);
    out += fmt::format("  memory      {} at most\n", quantities::bytes(double(p.peakBytes)));
    for (const std::string& note : p.notes)
        out += fmt::format("  note        {}\n", note);
    for (std::size_t i = 0; i < std::min(p.time.launches.size(), shownLaunches); ++i) {
        const perf::LaunchTime& t = p.time.launches[i];
        out += fmt::format("  launch {:<4} {} {}:", i + 1, quantities::seconds(t.seconds, 4), t.kernel);
        for (std::size_t k = 0; k < std::min<std::size_t>(t.terms.size(), 4); ++k)
            out += fmt::format(" {} {}", t.terms[k].name, quantities::seconds(t.terms[k].seconds, 4));
        out += fmt::format("; occupancy {} (limited by {})\n", quantities::percent(t.occupancy.share),
                           perf::name(t.occupancy.limit));
        if (!t.occupancy.oneMore.empty()) out += fmt::format("              {}\n", t.occupancy.oneMore);
    }
    return printable(out + findingsText(p.findings)) + countersText(p.counters, source);
}

} // namespace kernelarium::cli
