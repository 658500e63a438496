// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/StepReport.h"

#include "app/cli/Output.h"
#include "core/recording/Words.h"

#include <CLI/CLI.hpp>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <sstream>

namespace kernelarium::cli {

namespace {

using recording::Recording;
using recording::Step;

std::vector<std::string> sourceLines(const std::string& source) {
    std::vector<std::string> lines;
    std::istringstream in(source);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::string shortened(std::string text, std::size_t most) {
    text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
    return text.size() > most ? text.substr(0, most - 3) + "..." : text;
}

/// "2,0,1", "2": what is left out is 0.
recording::Place placeFrom(const std::string& text) {
    recording::Place place{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::uint32_t& p : place) {
        const auto read = std::from_chars(at, end, p);
        if (read.ec != std::errc()) throw CLI::ValidationError("--block", "a block is X, X,Y or X,Y,Z");
        at = read.ptr;
        if (at == end) return place;
        if (*at++ != ',') break;
    }
    throw CLI::ValidationError("--block", "a block is X, X,Y or X,Y,Z");
}

std::string changedText(const Recording& r, const Step& s) {
    std::string out;
    for (const recording::RegisterChange& c : s.registers) {
        const recording::Register& reg = r.registers[c.reg];
        std::vector<std::uint64_t> values(std::size_t(recording::laneCount) * reg.words);
        std::size_t k = 0;
        for (std::uint32_t m = c.lanes; m; m &= m - 1)
            for (std::uint32_t word = 0; word < reg.words; ++word)
                values[std::size_t(std::countr_zero(m)) * reg.words + word] = c.after[k++];
        if (!out.empty()) out += "; ";
        out += reg.name + " = " + recording::summaryText(values, reg.words, c.lanes, reg.type);
    }
    return out;
}

std::string accessText(const Recording& r, const recording::Access& a) {
    const char* verb = a.reads && a.writes ? "updates" : a.writes ? "writes" : "reads";
    std::string out =
        fmt::format("{} {} bytes at {}", verb, a.bytes, recording::addressText(r, a.space, a.addresses.front()));
    if (a.addresses.back() != a.addresses.front())
        out += fmt::format(" to {}", recording::addressText(r, a.space, a.addresses.back()));
    if (a.wavefronts > a.idealWavefronts)
        out += fmt::format(", {} bank passes ({} needed)", a.wavefronts, a.idealWavefronts);
    return out;
}

std::string whatText(const Recording& r, const Step& s) {
    std::string out = changedText(r, s);
    const auto add = [&](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
    for (const recording::Access& a : s.accesses)
        add(accessText(r, a));
    for (const recording::StepFault& f : s.faults)
        add(fmt::format("FAULT {} (lanes {}): {}", f.kind, recording::lanesText(f.lanes), f.message));
    return out;
}

std::string headText(const Recording& r, const std::string& label) {
    std::string out =
        fmt::format("{}\n  launch      {}: {}, grid ({}, {}, {}), block of ({}, {}, {}) threads\n", label, r.launch + 1,
                    r.kernel, r.grid[0], r.grid[1], r.grid[2], r.blockSize[0], r.blockSize[1], r.blockSize[2]);
    out += fmt::format("  block       ({}, {}, {}), {}\n", r.block[0], r.block[1], r.block[2],
                       r.onlyWarp ? fmt::format("warp {} of {}", *r.onlyWarp, r.warps)
                                  : fmt::format("all {} warps", r.warps));
    if (r.skipped) out += fmt::format("  before      {} steps not shown\n", r.skipped);
    if (r.isCut) out += fmt::format("  after       the block goes on; --steps shows more than {}\n", r.steps.size());
    if (r.line > 0 && !r.lineStep)
        out += fmt::format("  line        {} was not reached{}\n", r.line, r.isCut ? " within these steps" : "");
    return out;
}

} // namespace

void addStepOptions(CLI::App& command, JobOptions& options) {
    options.record.maxSteps = 1000;
    command
        .add_option_function<std::uint32_t>(
            "--launch", [&options](std::uint32_t n) { options.record.launch = n - 1; },
            "Which of forward's launches, from 1")
        ->check(CLI::Range(1u, 1u << 30))
        ->option_text("N");
    command
        .add_option_function<std::string>(
            "--block", [&options](const std::string& text) { options.record.block = placeFrom(text); },
            "Which block of its grid; the first by default")
        ->option_text("X,Y,Z");
    command
        .add_option_function<std::uint32_t>(
            "--warp", [&options](std::uint32_t n) { options.record.warp = n; },
            "One warp of the block, from 0; all by default")
        ->option_text("N");
    command.add_option("--line", options.record.line, "Show the steps around the first at this source line")
        ->check(CLI::Range(1, 1 << 24))
        ->option_text("N");
    command.add_option("--steps", options.record.maxSteps, "Maximum number of steps shown")
        ->check(CLI::Range(std::size_t(1), recording::mostSteps))
        ->capture_default_str();
}

std::string stepText(const Recording& r, const std::string& label, const std::string& source) {
    using Align = TextTable::Align;
    const std::vector<std::string> lines = sourceLines(source);
    TextTable table({{"step", Align::right},
                     {"warp", Align::right},
                     {"line", Align::right},
                     {"source"},
                     {"PTX"},
                     {"lanes"},
                     {"what it did"}});
    int shownLine = -1;
    for (std::size_t k = 0; k < r.steps.size(); ++k) {
        const Step& s = r.steps[k];
        const recording::Instruction& i = r.instructions[s.instruction];
        const bool same = i.line == shownLine && k > 0 && r.steps[k - 1].warp == s.warp;
        shownLine = i.line;
        const std::string text =
            !same && i.line > 0 && std::size_t(i.line) <= lines.size() ? lines[std::size_t(i.line) - 1] : "";
        const std::string lanes = s.on == s.active
                                      ? recording::lanesText(s.active)
                                      : recording::lanesText(s.on) + " of " + recording::lanesText(s.active);
        table.add({fmt::format("{}{}", r.lineStep == k ? "> " : "", r.skipped + k + 1), std::to_string(s.warp),
                   same || i.line == 0 ? "" : std::to_string(i.line), shortened(text, 44), shortened(i.text, 52), lanes,
                   whatText(r, s)});
    }
    return printable(headText(r, label) + "\n" + table.text());
}

} // namespace kernelarium::cli
