// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/superopt/CandidatesReport.h"

#include "app/cli/Output.h"
#include "core/quantities/Quantities.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::cli {

namespace {

using superopt::Candidate;
using superopt::Candidates;
using superopt::Verified;

std::string proofWord(const Candidate& c) {
    return c.proof ? std::string(proof::name(c.proof->verdict)) : "-";
}
std::string verifiedWord(const Candidate& c) {
    std::string text;
    for (const Verified& v : c.verified)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", v.size, v.passed ? "verified" : v.verdict);
    return text.empty() ? "-" : text;
}

std::string headText(const Candidates& all) {
    const algebra::Explanation& e = all.explanation;
    return fmt::format("Task {}  {}  (size {}), {}\n{}\nBound {} ({}), after {} rewrites\n", all.task, all.name,
                       all.size, all.device->name, algebra::conclusion(e), quantities::seconds(e.after.seconds),
                       e.after.isArithmetic() ? "arithmetic, in the task's own precision" : "device memory",
                       e.derivation.steps.size());
}

} // namespace

std::string candidatesText(const Candidates& all) {
    using Align = TextTable::Align;
    const bool proved = std::any_of(all.all.begin(), all.all.end(), [](const Candidate& c) { return c.proof; });
    const bool verified =
        std::any_of(all.all.begin(), all.all.end(), [](const Candidate& c) { return !c.verified.empty(); });
    std::vector<TextTable::Column> columns{
        {"candidate", Align::left}, {"launches", Align::right},   {"bytes", Align::right},    {"FLOPs", Align::right},
        {"modelled", Align::right}, {"over bound", Align::right}, {"limited by", Align::left}};
    if (proved) columns.push_back({"proof", Align::left});
    if (verified) columns.push_back({"emulator", Align::left});
    columns.push_back({"what it does", Align::left});
    TextTable table(columns);
    for (const Candidate& c : all.all) {
        std::vector<std::string> cells{c.name,
                                       quantities::count(double(c.launches)),
                                       quantities::bytes(c.bytes),
                                       quantities::si(c.flops, "FLOP"),
                                       quantities::seconds(c.seconds()),
                                       c.overBound > 0 ? quantities::times(c.overBound) : "-",
                                       c.modelled.limiter};
        if (proved) cells.push_back(proofWord(c));
        if (verified) cells.push_back(verifiedWord(c));
        cells.push_back(c.file.why);
        table.add(std::move(cells));
    }
    std::string text = headText(all) + "\n";
    text += all.all.empty() ? "There is no file for it.\n" : table.text();
    if (!all.refused.empty()) text += "\nRefused\n";
    for (const superopt::Refused& r : all.refused)
        text += fmt::format("  {}: {}\n", r.name, r.reason.message);
    for (const Candidate& c : all.all)
        if (c.file.levels.size != all.size) {
            text += fmt::format("\nThe formulas have another form at size {}: what is modelled is {}.\n", all.size,
                                c.file.levels.size);
            break;
        }
    text += "\nTimes are modelled from analytic counters: they rank files, and measure nothing. +N: after the first N "
            "rewrites.\n";
    return text;
}

std::string candidateText(const Candidates& all, const Candidate& c) {
    std::string text = headText(all);
    text += fmt::format("\n{}: {}; {}\n", c.name, c.file.skeleton, c.file.why);
    if (!c.rewrites.empty()) text += fmt::format("Rewrites: {}\n", fmt::join(c.rewrites, ", "));
    text += fmt::format("{} of device memory, {}, {}: modelled {}{}\n", quantities::bytes(c.bytes),
                        quantities::si(c.flops, "FLOP"), quantities::counted(double(c.launches), "launch", "launches"),
                        quantities::seconds(c.seconds()),
                        c.overBound > 0 ? ", " + quantities::times(c.overBound) + " the bound" : "");
    for (std::size_t i = 0; i < c.modelled.launches.size(); ++i)
        text += fmt::format("  {}  {}  {}\n", c.file.levels.launches[i].kernel,
                            quantities::seconds(c.modelled.launches[i].seconds), c.modelled.launches[i].why);
    text += "\n" + kernelgen::toText(c.file.levels);
    if (c.proof) {
        text += "\nProof: " + c.proof->summary() + "\n";
        for (const proof::Evidence& e : c.proof->rungs)
            text += fmt::format("  {:8} {}: {}\n", proof::name(e.rung), proof::name(e.outcome),
                                e.outcome == proof::Outcome::passed ? e.drawn : e.reason);
    }
    for (const Verified& v : c.verified)
        text += fmt::format("\nVerified on {}, size {}: {}{}\n", v.backend, v.size, v.verdict,
                            v.summary.empty() ? "" : ", " + v.summary);
    return text;
}

} // namespace kernelarium::cli
