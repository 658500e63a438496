// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/VerdictReport.h"

#include "app/cli/Output.h"
#include "core/quantities/Quantities.h"
#include "core/verify/BothSizes.h"
#include "core/verify/Explanation.h"
#include "core/verify/LastWriter.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <sstream>

namespace kernelarium::cli {

namespace {

using verify::CheckState;
using verify::Verdict;

constexpr std::size_t mostLaunches = 12;
constexpr std::size_t mostFaults = 8;

std::string sourceLine(const std::string& source, int line) {
    std::istringstream lines(source);
    std::string text;
    for (int i = 0; i < line; ++i)
        if (!std::getline(lines, text)) return {};
    const std::size_t start = text.find_first_not_of(" \t");
    return line > 0 && start != std::string::npos ? text.substr(start) : std::string();
}

std::string triple(const std::array<std::uint32_t, 3>& t) {
    return fmt::format("({}, {}, {})", t[0], t[1], t[2]);
}

const char* mark(CheckState state) {
    switch (state) {
    case CheckState::passed: return "ok  ";
    case CheckState::failed: return "FAIL";
    case CheckState::remarked: return "note";
    case CheckState::skipped: return "-   ";
    }
    return "?   ";
}

void addHead(std::string& out, const Verdict& v, const std::string& label) {
    std::string word(verify::name(v.kind));
    std::replace(word.begin(), word.end(), '_', ' ');
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    if (verify::smallSizeOnly(v)) word += " (small size only)";
    out += fmt::format("{}  {}\n", word, label);
    out += fmt::format("  on          {}, {}, seed {}{}\n", v.backend,
                       v.size == "both" ? "both sizes" : v.size + " size", v.seed, v.fastMath ? ", fast math" : "");
    if (!v.compilerOptions.empty()) out += fmt::format("  compiled    with {}\n", v.compilerOptions);
    if (!v.reference.empty()) out += fmt::format("  against     {}\n", v.reference);
    if (!v.stage.empty()) out += fmt::format("  stage       {}\n", v.stage);
    if (!v.reasons.empty()) out += fmt::format("  reasons     {}\n", fmt::join(v.reasons, ", "));
    if (!v.remarks.empty()) out += fmt::format("  remarks     {}\n", fmt::join(v.remarks, ", "));
    if (v.share) out += fmt::format("  share       {}\n", verify::describe(*v.share));
    for (const std::string& note : v.notes)
        out += fmt::format("  note        {}\n", note);
    if (v.checks.empty() && !v.message.empty()) out += fmt::format("\n{}\n", v.message);
}

void addErrors(std::string& out, const Verdict& v, const std::string& source) {
    if (v.maxAbsoluteError)
        out +=
            fmt::format("  error       largest {}, relative {}, RMS {} of {}; {} of elements beyond {:g}\n",
                        quantities::number(*v.maxAbsoluteError), quantities::number(v.maxRelativeError.value_or(0)),
                        quantities::number(v.rmsError.value_or(0)), quantities::number(v.referenceRms.value_or(0), 4),
                        quantities::percent(v.mismatchShare.value_or(0)), v.tolerance.legacy);
    if (v.firstMismatch)
        out += fmt::format("  mismatch    first in output {} at {}: expected {:.9g}, got {:.9g}\n",
                           v.firstMismatch->output, tensor::toString(v.firstMismatch->index), v.firstMismatch->expected,
                           v.firstMismatch->got);
    if (!v.lastWriter) return;
    out += fmt::format("  written by  {}\n", verify::describe(*v.lastWriter));
    if (const std::string text = sourceLine(source, v.lastWriter->line); !text.empty())
        out += fmt::format("              {}\n", text);
}

void addChecks(std::string& out, const Verdict& v, bool explain) {
    if (v.checks.empty()) return;
    out += "\nChecks\n";
    for (const verify::CheckReport& check : v.checks) {
        const bool made = check.state != CheckState::skipped;
        out += fmt::format("  {}  {:<18}{:>9}{:>8}  {}\n", verify::leftOpen(v, check) ? "?   " : mark(check.state),
                           check.name, made ? quantities::seconds(check.seconds) : "",
                           made && check.runs > 0 ? quantities::counted(check.runs, "run") : "", check.detail);
        if (explain) out += fmt::format("        {}\n", verify::explanationOf(check.name));
    }
}

void addFaults(std::string& out, const std::vector<verify::Fault>& faults, const std::string& source) {
    if (faults.empty()) return;
    out += "\nFaults\n";
    for (std::size_t i = 0; i < std::min(faults.size(), mostFaults); ++i) {
        const verify::Fault& f = faults[i];
        out += fmt::format("  {}, {}, first in block {} thread {}{}\n", f.kind,
                           quantities::counted(double(f.count), "time"), triple(f.block), triple(f.thread),
                           f.kernel.empty() ? "" : " of " + f.kernel);
        out += fmt::format("      {}\n", f.message);
        if (const std::string text = sourceLine(source, f.line); !text.empty())
            out += fmt::format("      line {}: {}\n", f.line, text);
        if (!f.other) continue;
        out += fmt::format("      against block {} thread {} at line {}{}\n", triple(f.other->block),
                           triple(f.other->thread), f.other->line,
                           f.other->line == f.line ? "" : ": " + sourceLine(source, f.other->line));
    }
    if (faults.size() > mostFaults) out += fmt::format("  and {} more\n", faults.size() - mostFaults);
}

void addLaunches(std::string& out, const std::vector<verify::Launch>& launches, std::uint64_t unsaid) {
    if (launches.empty()) return;
    out += "\nLaunches\n";
    TextTable table({{"#", TextTable::Align::right},
                     {"kernel"},
                     {"grid", TextTable::Align::right},
                     {"block", TextTable::Align::right},
                     {"shared", TextTable::Align::right},
                     {"thread instr.", TextTable::Align::right},
                     {"time", TextTable::Align::right}});
    for (std::size_t i = 0; i < std::min(launches.size(), mostLaunches); ++i) {
        const verify::Launch& l = launches[i];
        table.add({std::to_string(i + 1), l.kernel, triple(l.grid), triple(l.block),
                   quantities::bytes(l.dynamicSharedBytes),
                   l.threadInstructions ? quantities::si(double(l.threadInstructions), "") : "-",
                   quantities::seconds(l.seconds)});
    }
    out += table.text();
    const std::uint64_t more = launches.size() - std::min(launches.size(), mostLaunches) + unsaid;
    if (more > 0) out += fmt::format("and {} more\n", more);
}

void addPrinted(std::string& out, const std::string& printed, std::uint64_t unsaidBytes) {
    if (!printed.empty()) out += "\nPrinted\n" + printed + (printed.back() == '\n' ? "" : "\n");
    if (unsaidBytes > 0) out += fmt::format("and {} more bytes\n", unsaidBytes);
}

} // namespace

std::string verdictText(const Verdict& v, const std::string& label, const std::string& source, bool explain) {
    std::string out;
    addHead(out, v, label);
    addErrors(out, v, source);
    addChecks(out, v, explain);
    addFaults(out, v.faults, source);
    addLaunches(out, v.launches, v.unsaid.launches);
    addPrinted(out, v.printed, v.unsaid.printedBytes);
    out += "\nTimes";
    for (const char* stage : {"compile", "inputs", "run", "reference", "compare", "total"})
        if (const auto found = v.seconds.find(stage); found != v.seconds.end())
            out += fmt::format("  {} {}", stage, quantities::seconds(found->second));
    return printable(out + "\n");
}

std::string runText(const protocol::RunSummary& r, const std::string& label, const std::string& source) {
    std::string out = fmt::format("{}  {}\n", r.end, label);
    const std::string what = r.size.empty() ? "" : fmt::format("{} size, seed {}, ", r.size, r.seed);
    out += fmt::format("  on          {}, {}{}, {}\n", r.backend, what, quantities::seconds(r.seconds),
                       quantities::bytes(double(r.peakBytes)));
    if (r.exitCode) out += fmt::format("  exit code   {}\n", *r.exitCode);
    if (!r.reason.empty()) out += fmt::format("  why         {}\n", r.reason);
    for (std::size_t i = 0; i < r.outputs.size(); ++i) {
        const protocol::TensorSummary& t = r.outputs[i];
        out += fmt::format("  output {:<4} {} {}: from {:.6g} to {:.6g}, mean {:.6g}, RMS {:.6g}", i, t.dtype,
                           tensor::toString(t.shape), t.smallest, t.largest, t.mean, t.rms);
        if (t.nans) out += fmt::format(", {} NaN", t.nans);
        if (t.infinities) out += fmt::format(", {} infinite", t.infinities);
        out += fmt::format("\n              {:.6g}{}\n", fmt::join(t.first, ", "), t.first.size() == 8 ? ", ..." : "");
        if (i < r.firstUnwritten.size() && r.firstUnwritten[i])
            out += fmt::format("              element {} was never written\n", *r.firstUnwritten[i]);
    }
    for (const std::string& violation : r.guardViolations)
        out += "  guard       " + violation + "\n";
    if (!r.libraryCalls.empty()) out += fmt::format("  calls       {}\n", fmt::join(r.libraryCalls, ", "));
    for (const std::string& note : r.notes)
        out += fmt::format("  note        {}\n", note);
    addFaults(out, r.faults, source);
    addLaunches(out, r.launches, r.unsaid.launches);
    addPrinted(out, r.printed, r.unsaid.printedBytes);
    return printable(out);
}

} // namespace kernelarium::cli
