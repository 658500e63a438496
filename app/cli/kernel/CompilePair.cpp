// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/CompilePair.h"

#include "app/cli/Output.h"
#include "app/cli/kernel/CompilerOptions.h"
#include "core/diff/AssemblyDiff.h"
#include "core/quantities/Quantities.h"
#include "core/text/CompilerSettings.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

constexpr int contextLines = 3;
constexpr std::size_t widestLeft = 72;

std::string compilationName(const compile::CompiledUnit& unit) {
    std::string name = unit.arch;
    if (unit.fastMath) name += " --fast-math";
    if (!unit.settings.isEmpty()) name += " " + text::lineOf(unit.settings);
    return name;
}

std::vector<std::string> pairedLines(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        std::string line = text.substr(from, end - from);
        for (std::size_t tab = line.find('\t'); tab != std::string::npos; tab = line.find('\t', tab))
            line.replace(tab, 1, tab == 0 ? "    " : " ");
        lines.push_back(std::move(line));
        from = end + 1;
    }
    return lines;
}

const compile::KernelResources* pairedKernel(const compile::CompiledUnit& unit, const std::string& name) {
    for (const compile::KernelResources& k : unit.kernels)
        if (k.name == name) return &k;
    return nullptr;
}

void printBothResources(const compile::CompiledUnit& a, const compile::CompiledUnit& b) {
    fmt::print("A  {}\nB  {}\n", compilationName(a), compilationName(b));
    using Align = TextTable::Align;
    TextTable table({{"kernel", Align::left},
                     {"registers A", Align::right},
                     {"B", Align::right},
                     {"spills A", Align::right},
                     {"B", Align::right},
                     {"stack A", Align::right},
                     {"B", Align::right},
                     {"shared A", Align::right},
                     {"B", Align::right}});
    const auto add = [&](const std::string& name) {
        const compile::KernelResources* ka = pairedKernel(a, name);
        const compile::KernelResources* kb = pairedKernel(b, name);
        const auto of = [](const compile::KernelResources* k, int value) {
            return k ? std::to_string(value) : std::string("-");
        };
        const auto spills = [](const compile::KernelResources* k) {
            return k ? k->spillStoreBytes + k->spillLoadBytes : 0;
        };
        table.add({name, of(ka, ka ? ka->registers : 0), of(kb, kb ? kb->registers : 0), of(ka, spills(ka)),
                   of(kb, spills(kb)), of(ka, ka ? ka->stackBytes : 0), of(kb, kb ? kb->stackBytes : 0),
                   of(ka, ka ? ka->staticSharedBytes : 0), of(kb, kb ? kb->staticSharedBytes : 0)});
    };
    for (const compile::KernelResources& k : a.kernels)
        add(k.name);
    for (const compile::KernelResources& k : b.kernels)
        if (!pairedKernel(a, k.name)) add(k.name);
    fmt::print("{}", printable(table.text()));
}

/// Two listings, the changes marked between them, equal stretches cut down to what stands around a change.
std::string sideBySide(const std::vector<std::string>& a, const std::vector<std::string>& b,
                       const std::vector<diff::Change>& changes) {
    std::size_t width = 0;
    for (const std::string& line : a)
        width = std::max(width, line.size());
    width = std::min(width, widestLeft);
    std::string out;
    const auto row = [&](const std::string& left, char mark, const std::string& right) {
        out += fmt::format("{:<{}} {} {}", left, width, mark, right);
        out.erase(out.find_last_not_of(' ') + 1);
        out += '\n';
    };
    const auto equal = [&](int oldFrom, int newFrom, int count) {
        for (int i = 0; i < count; ++i)
            row(a[std::size_t(oldFrom + i)], ' ', b[std::size_t(newFrom + i)]);
    };
    int oldAt = 0, newAt = 0;
    // Equal stretches may differ in lines of comments, so both sides are counted by themselves.
    const auto between = [&](int oldEnd, int newEnd, bool first, bool last) {
        const int count = std::min(oldEnd - oldAt, newEnd - newAt);
        const int before = first ? 0 : std::min(contextLines, count);
        const int behind = last ? 0 : std::min(contextLines, count - before);
        equal(oldAt, newAt, before);
        if (count > before + behind) out += fmt::format("... {} equal lines\n", count - before - behind);
        equal(oldEnd - behind, newEnd - behind, behind);
        oldAt = oldEnd;
        newAt = newEnd;
    };
    for (std::size_t c = 0; c < changes.size(); ++c) {
        const diff::Change& change = changes[c];
        between(change.oldFirst, change.newFirst, c == 0, false);
        for (int i = 0; i < std::max(change.oldCount, change.newCount); ++i) {
            const bool left = i < change.oldCount, right = i < change.newCount;
            row(left ? a[std::size_t(change.oldFirst + i)] : std::string(),
                left && right ? '|'
                : left        ? '<'
                              : '>',
                right ? b[std::size_t(change.newFirst + i)] : std::string());
        }
        oldAt = change.oldFirst + change.oldCount;
        newAt = change.newFirst + change.newCount;
    }
    if (!changes.empty()) between(int(a.size()), int(b.size()), false, true);
    return out;
}

} // namespace

void addSecondCompilation(CLI::App& command, SecondCompilation& second) {
    command
        .add_option("--beside-arch", second.arch,
                    "Compile for this architecture, too, and show the two side by side: resources, or with --emit ptx "
                    "or sass the instructions that differ")
        ->option_text("SM");
    command
        .add_option_function<std::string>(
            "--beside-options",
            [&second](const std::string& line) {
                second.options = line;
                second.given = true;
            },
            "Likewise with these compiler options in place of the first's: one line, in quotes, of --fast-math, "
            "--max-registers=N, -DNAME=VALUE, -UNAME, -IFOLDER")
        ->option_text("LINE");
}

Result<protocol::CompileParameters> parametersOfSecond(const SecondCompilation& second,
                                                       protocol::CompileParameters first) {
    if (!second.arch.empty()) first.arch = second.arch;
    if (!second.given) return first;
    Result<text::CompileLine> line = text::compileFromLine(second.options);
    if (!line) return line.error();
    Result<text::CompilerSettings> settings = compilerSettings(text::wordsOf(line->settings));
    if (!settings) return settings.error();
    first.fastMath = line->fastMath;
    first.settings = std::move(*settings);
    return first;
}

int printPair(Context& context, const compile::CompiledUnit& a, const compile::CompiledUnit& b, Emit emit,
              const compile::Toolkit& toolkit) {
    const Result<std::string> textA = emitted(a, emit, toolkit), textB = emitted(b, emit, toolkit);
    for (const Result<std::string>* text : {&textA, &textB})
        if (!*text) return report(context, text->error());
    const std::vector<std::string> linesA = pairedLines(*textA), linesB = pairedLines(*textB);
    const std::vector<diff::Change> changes = diff::assemblyDiff(linesA, linesB);
    const bool listed = emit == Emit::ptx || emit == Emit::sass;
    if (context.json) {
        const auto side = [&](const compile::CompiledUnit& unit, const std::string& text) {
            nlohmann::json j = protocol::unitToJson(unit, {});
            if (listed) j[emit == Emit::ptx ? "ptx" : "sass"] = text;
            return j;
        };
        nlohmann::json out = {{"a", side(a, *textA)}, {"b", side(b, *textB)}};
        if (listed) {
            out["changes"] = nlohmann::json::array();
            for (const diff::Change& c : changes) // lines from 1
                out["changes"].push_back({{"a", {{"line", c.oldFirst + 1}, {"count", c.oldCount}}},
                                          {"b", {{"line", c.newFirst + 1}, {"count", c.newCount}}}});
        }
        printJson(out);
    } else {
        printBothResources(a, b);
        if (listed)
            fmt::print("{}\n{}",
                       changes.empty() ? "The instructions are the same but for numbers of registers and labels."
                                       : quantities::counted(double(changes.size()), "difference"),
                       sideBySide(linesA, linesB, changes));
    }
    return exitSuccess;
}

} // namespace kernelarium::cli
