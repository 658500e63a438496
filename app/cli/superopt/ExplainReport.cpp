// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/superopt/ExplainReport.h"

#include "core/quantities/Quantities.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

using algebra::Bound;
using algebra::Explanation;
using algebra::Rewrite;
using algebra::Work;
using nlohmann::json;

/// Formulas and details that text shows; --json has all.
constexpr std::size_t mostFormulas = 40, mostDetails = 4;

std::string formulasText(const algebra::Graph& graph) {
    const std::vector<std::string> lines = algebra::formulas(graph);
    std::string text;
    if (lines.size() <= mostFormulas) {
        for (const std::string& line : lines)
            text += "    " + line + "\n";
        return text;
    }
    std::map<std::string_view, std::size_t> forms;
    for (const algebra::Tensor& t : graph.tensors)
        ++forms[algebra::name(algebra::formOf(t))];
    text = fmt::format("    {} tensors, too many to print (--json has them):", lines.size());
    for (const auto& [form, n] : forms)
        text += fmt::format(" {} of the form {},", n, form);
    text.back() = '\n';
    return text;
}

std::string change(const std::string& before, const std::string& after) {
    return before == after ? before : before + " -> " + after;
}
std::string flopsChange(const Work& a, const Work& b) {
    return change(quantities::si(a.flops, "FLOP"), quantities::si(b.flops, "FLOP"));
}
std::string bytesChange(const Work& a, const Work& b) {
    return change(quantities::bytes(a.bytes()), quantities::bytes(b.bytes()));
}

std::string stepText(std::size_t number, const Rewrite& step, const Explanation& e) {
    std::string text =
        fmt::format("  {}. {}  ({}; {})\n     {}\n     Why: {}\n", number, step.rule->title, step.rule->name,
                    algebra::name(step.rule->exactness), step.rule->statement, step.rule->reason);
    std::size_t shown = 0, named = 0;
    for (const std::string& detail : step.details) {
        if (detail.empty()) continue;
        ++named;
        if (shown < mostDetails) text += fmt::format("     Here: {}\n", detail), ++shown;
    }
    if (named > shown) text += fmt::format("     and {} more\n", named - shown);
    const Bound a = algebra::boundOf(step.before, *e.device), b = algebra::boundOf(step.after, *e.device);
    text += fmt::format("     FLOPs {}, bytes {}, bound {}\n", flopsChange(step.before, step.after),
                        bytesChange(step.before, step.after),
                        change(quantities::seconds(a.seconds), quantities::seconds(b.seconds)));
    return text;
}

json workJson(const Work& work, const Bound& bound) {
    return {{"flops", work.flops},
            {"product_flops", work.productFlops},
            {"bytes", work.bytes()},
            {"input_bytes", work.inputBytes},
            {"output_bytes", work.outputBytes},
            {"bound_seconds", bound.seconds},
            {"memory_seconds", bound.memorySeconds},
            {"arithmetic_seconds", bound.arithmeticSeconds},
            {"limiter", bound.isArithmetic() ? "arithmetic" : "device memory"}};
}

} // namespace

std::string explanationText(const Explanation& e) {
    const Work &before = e.derivation.before, &after = e.derivation.after;
    std::string text = fmt::format("Task {}  {}  (size {}:", e.task, e.name, e.size);
    for (const auto& [symbol, value] : e.symbols)
        text += fmt::format(" {}={}", symbol, value);
    text += fmt::format(")\n{}\n\nWhat it computes\n{}", algebra::conclusion(e), formulasText(e.derivation.original));
    if (e.derivation.steps.empty())
        text += "\nRewrites: none applies.\n";
    else {
        text += fmt::format("\nRewritten\n{}\nRewrites, in their order\n", formulasText(e.derivation.rewritten));
        for (std::size_t i = 0; i < e.derivation.steps.size(); ++i)
            text += stepText(i + 1, e.derivation.steps[i], e);
    }
    text += fmt::format("\nNeeded on {}, before -> after\n", e.device->name);
    text += fmt::format("  FLOPs  {}\n", flopsChange(before, after));
    text += fmt::format("  bytes  {} (inputs read once, outputs written once)\n", bytesChange(before, after));
    text += fmt::format("  bound  {} ({})\n",
                        change(quantities::seconds(e.before.seconds), quantities::seconds(e.after.seconds)),
                        e.after.isArithmetic() ? "arithmetic, in the task's own precision" : "device memory");
    for (const std::string& remark : algebra::remarks(e))
        text += "  " + remark + "\n";
    return text;
}

std::string explanationJson(const Explanation& e) {
    json j{{"task", e.task},
           {"name", e.name},
           {"size", e.size},
           {"device", e.device->id},
           {"conclusion", algebra::conclusion(e)},
           {"degenerate", e.degenerate},
           {"collapses", e.collapses},
           {"assumptions", e.assumptions},
           {"before", workJson(e.derivation.before, e.before)},
           {"after", workJson(e.derivation.after, e.after)},
           {"formulas", algebra::formulas(e.derivation.original)},
           {"rewritten", algebra::formulas(e.derivation.rewritten)},
           {"variants", e.derivation.variants},
           {"complete", e.derivation.isComplete}};
    j["symbols"] = json::object();
    for (const auto& [symbol, value] : e.symbols)
        j["symbols"][symbol] = value;
    j["rewrites"] = json::array();
    for (const Rewrite& s : e.derivation.steps) {
        std::vector<std::string> details = s.details;
        std::erase(details, "");
        j["rewrites"].push_back({{"rule", s.rule->name},
                                 {"title", s.rule->title},
                                 {"statement", s.rule->statement},
                                 {"reason", s.rule->reason},
                                 {"exactness", algebra::name(s.rule->exactness)},
                                 {"times", s.details.size()},
                                 {"details", details},
                                 {"before", workJson(s.before, algebra::boundOf(s.before, *e.device))},
                                 {"after", workJson(s.after, algebra::boundOf(s.after, *e.device))}});
    }
    return j.dump(2) + "\n";
}

} // namespace kernelarium::cli
