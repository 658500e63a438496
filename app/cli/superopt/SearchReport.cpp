// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/superopt/SearchReport.h"

#include "app/cli/Output.h"
#include "core/mugraph/search/Units.h"
#include "core/quantities/Quantities.h"
#include "core/text/Shortened.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

using superopt::FoundCandidate;
using superopt::FoundCounts;
using superopt::FoundTable;

/// "expression 12,345, memory 67": the most first.
std::string prunedWords(const superopt::StateCounts& counts) {
    std::vector<std::pair<std::uint64_t, std::string>> reasons;
    for (const auto& [reason, states] : counts.pruned)
        reasons.emplace_back(states, reason);
    std::sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::string words;
    for (const auto& [states, reason] : reasons)
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", reason, quantities::count(double(states)));
    return words.empty() ? "nothing" : words;
}

std::string countWords(const FoundCounts& counts) {
    std::string words =
        fmt::format("{} right, {} undecided, {} refused by a rung", counts.right, counts.undecided, counts.refused);
    if (counts.failed > 0) words += fmt::format(", {} failed", counts.failed);
    return words;
}

std::string placeWords(const FoundCandidate& candidate) {
    if (!candidate.at) return "its unit is open";
    if (candidate.at->ofAll > 0) return fmt::format("state {}", quantities::count(double(candidate.at->ofAll)));
    return fmt::format("unit {}, state {}", candidate.at->unit, quantities::count(double(candidate.at->state)));
}

std::string bestWords(const FoundCandidate& best) {
    return fmt::format("{} at least, {}", quantities::seconds(best.bound), best.hash);
}

} // namespace

std::string foundText(const superopt::GraphSearch& search, const FoundTable& table, std::uint64_t units,
                      std::size_t rows) {
    const FoundCounts& counts = table.counts();
    const std::string open = units > counts.units ? fmt::format(", {} open", units - counts.units) : "";
    std::string text =
        fmt::format("Graphs for task {}  {}  (size {}), {} operators at most, {}\n\n"
                    "  units       {}{} explored{}\n"
                    "  states      {}\n"
                    "  pruned      {}\n"
                    "  candidates  {}\n",
                    search.card.key(), search.card.name, search.size, search.limits.operators, search.limits.device,
                    counts.units, units > 0 ? fmt::format(" of {}", units) : "", open,
                    quantities::count(double(counts.counts.states)), prunedWords(counts.counts), countWords(counts));
    const std::vector<FoundCandidate> all = table.all();
    if (table.best()) text += fmt::format("  best        {}\n", bestWords(all.front()));
    if (counts.faults > 0)
        text += fmt::format("  faults      rungs disagree on {}: a fault of this program, please report it\n",
                            quantities::counted(double(counts.faults), "graph"));
    if (units == 0 && counts.units == 0)
        text += "\nNo graph of so few operators computes the task: give more --operators.\n";
    if (all.empty()) return text;
    TextTable lines({{"GRAPH"}, {"BOUND", TextTable::Align::right}, {"CHECKED"}, {"RUNG"}, {"FOUND AT"}});
    for (std::size_t i = 0; i < all.size() && (rows == 0 || i < rows); ++i) {
        const FoundCandidate& found = all[i];
        const std::string rung =
            found.rung > 0 && found.rung <= found.rungs.size() ? found.rungs[found.rung - 1].name : "-";
        lines.add({found.hash, quantities::seconds(found.bound),
                   std::string(name(found.verdict)) + (found.fault.empty() ? "" : ", rungs disagree"), rung,
                   placeWords(found)});
    }
    text += "\n" + lines.text();
    if (rows > 0 && all.size() > rows) text += fmt::format("... {} more: --rows 0\n", all.size() - rows);
    return text;
}

nlohmann::json foundJson(const superopt::GraphSearch& search, const FoundTable& table, std::uint64_t units,
                         bool withGraphs) {
    nlohmann::json j = toJson(table, withGraphs);
    j["task"] = search.card.key();
    j["card_name"] = search.card.name;
    j["size"] = search.size;
    j["limits"] = mugraph::toJson(search.limits);
    j["units_in_all"] = units > 0 ? nlohmann::json(units) : nlohmann::json();
    return j;
}

std::string foundCandidateText(const FoundCandidate& candidate) {
    std::string text = fmt::format("{}  {}, {} at least (modelled), {}\n", candidate.hash, name(candidate.verdict),
                                   quantities::seconds(candidate.bound), placeWords(candidate));
    if (!candidate.fault.empty())
        text += fmt::format("Rungs disagree, which is a fault of this program: {}\n", printable(candidate.fault));
    for (const superopt::RungVerdict& rung : candidate.rungs)
        text += fmt::format("  {:<10}  {:<9}  {}\n", rung.name,
                            rung.standing == superopt::RungVerdict::Standing::stood  ? "passed"
                            : rung.standing == superopt::RungVerdict::Standing::fell ? "refused"
                                                                                     : "undecided",
                            printable(rung.evidence));
    if (candidate.rungs.empty()) text += "  No rung of the ladder of checks has looked at it.\n";
    return text + "\n" + printable(candidate.graph) + "\n";
}

UnitProgressLine::UnitProgressLine()
    : m_terminal(::isatty(STDERR_FILENO) == 1)
    , m_last(std::chrono::steady_clock::now()) {}

void UnitProgressLine::show(const superopt::UnitProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now - m_last < (m_terminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000))) return;
    m_last = now;
    const FoundCounts& found = progress.found;
    const std::uint64_t done = progress.units.done(), all = progress.units.total.value_or(0);
    std::string line = fmt::format("{} of {} units, {} open", done, all, all > done ? all - done : 0);
    if (progress.units.secondsLeft) line += ", time left: " + quantities::timeLeft(*progress.units.secondsLeft);
    line += fmt::format("; {}; {} right, {} refused", quantities::si(progress.statesPerSecond, "states/s"), found.right,
                        found.refused);
    if (progress.best) line += fmt::format("; best {}", quantities::seconds(progress.best->bound));
    line += "; pruned: " + prunedWords(found.counts);
    if (m_terminal)
        fmt::print(stderr, "\r\033[K{}", text::shortened(printable(line), 95));
    else
        fmt::print(stderr, "{}\n", printable(line));
    std::fflush(stderr);
}

void UnitProgressLine::end() const {
    if (m_terminal) fmt::print(stderr, "\r\033[K");
}

} // namespace kernelarium::cli
