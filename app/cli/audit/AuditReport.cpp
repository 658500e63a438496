// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/audit/AuditReport.h"

#include "app/cli/Output.h"
#include "core/quantities/Quantities.h"

#include <cstdio>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace kernelarium::cli {

namespace {

using Align = TextTable::Align;

std::string claimSentence(const audit::ClaimCount& claims) {
    if (claims.claimed == 0) return "None of these kernels is archived as correct.";
    std::string text =
        fmt::format("Archived as correct: {}; tried {}, of which {} stand ({}), {} do not", claims.claimed,
                    claims.tried, claims.standing, shareCell(claims.shareStanding()), claims.refuted);
    if (claims.undecided > 0) text += fmt::format(", {} are undecided", claims.undecided);
    return text + ".";
}

/// Our verdicts against the archive's claims.
std::string matrix(const audit::AuditSummary& summary) {
    std::vector<TextTable::Column> columns = {{"OUR VERDICT"}};
    for (const auto& [claim, counts] : summary.claimByVerdict)
        columns.push_back({"ARCHIVED " + claim, Align::right});
    columns.push_back({"ALL", Align::right});
    TextTable table(columns);
    for (const auto& [verdict, count] : summary.verdicts) {
        std::vector<std::string> cells = {verdict};
        for (const auto& [claim, counts] : summary.claimByVerdict) {
            const auto found = counts.find(verdict);
            cells.push_back(found == counts.end() ? "-" : std::to_string(found->second));
        }
        cells.push_back(std::to_string(count));
        table.add(std::move(cells));
    }
    return table.text();
}

std::string levelTable(const audit::AuditSummary& summary) {
    TextTable table({{"LEVEL"},
                     {"KERNELS", Align::right},
                     {"TRIED", Align::right},
                     {"ARCHIVED CORRECT", Align::right},
                     {"STAND", Align::right},
                     {"DO NOT", Align::right},
                     {"UNDECIDED", Align::right},
                     {"SHARE", Align::right}});
    for (const audit::LevelSummary& level : summary.levels) {
        const audit::ClaimCount& c = level.claims;
        table.add({std::to_string(level.level), std::to_string(level.kernels), std::to_string(level.tried),
                   std::to_string(c.claimed), std::to_string(c.standing), std::to_string(c.refuted),
                   std::to_string(c.undecided), shareCell(c.shareStanding())});
    }
    return table.text();
}

std::string countsLine(const char* title, const audit::Counts& counts) {
    if (counts.empty()) return {};
    std::vector<std::pair<std::int64_t, std::string>> sorted;
    for (const auto& [word, count] : counts)
        sorted.emplace_back(-count, word);
    std::sort(sorted.begin(), sorted.end());
    std::string text;
    for (const auto& [count, word] : sorted)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", word, -count);
    return fmt::format("{}  {}\n", title, text);
}

} // namespace

std::string auditText(const audit::AuditSummary& summary) {
    std::string text =
        fmt::format("{}, {} with a verdict", quantities::counted(double(summary.kernels), "kernel"), summary.tried);
    if (summary.stale > 0) text += fmt::format(" ({} of them stale)", summary.stale);
    text += ".\n" + claimSentence(summary.claims) + "\n";
    if (summary.tried == 0) return text;
    text += "\n" + matrix(summary) + "\n" + levelTable(summary) + "\n";
    text += countsLine("reasons", summary.reasons) + countsLine("remarks", summary.remarks);
    return printable(text);
}

AuditProgressLine::AuditProgressLine()
    : m_terminal(::isatty(STDERR_FILENO) != 0)
    , m_last(std::chrono::steady_clock::now()) {}

void AuditProgressLine::show(const audit::Candidate& candidate, const audit::JudgedKernel& kernel,
                             const audit::AuditProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    constexpr auto pause = std::chrono::seconds(10);
    if (!m_terminal && now - m_last < pause) return;
    m_last = now;
    fmt::print(stderr, "{}{} of {} ({}), {}/s, time left: {}; {} {}{}{}", m_terminal ? "\r" : "", progress.done,
               progress.total,
               quantities::percent(double(progress.done) / double(std::max<std::int64_t>(progress.total, 1))),
               quantities::number(progress.perSecond()), quantities::timeLeft(progress.secondsLeft()),
               printable(candidate.key.label()), kernel.verdict.verdict,
               audit::smallSizeOnly(kernel.verdict) ? " (small size only)" : "", m_terminal ? "\033[K" : "\n");
    std::fflush(stderr);
}

void AuditProgressLine::end() const {
    if (m_terminal) fmt::print(stderr, "\r\033[K");
}

} // namespace kernelarium::cli
