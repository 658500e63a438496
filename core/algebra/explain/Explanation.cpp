// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/explain/Explanation.h"

#include "core/algebra/lowering/Lowering.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace kernelarium::algebra {

namespace {

std::vector<std::string> assumptionsOf(const Derivation& d) {
    std::set<std::string> told;
    std::vector<std::string> out;
    for (const Rewrite& s : d.steps) {
        if (s.rule->exactness != Exactness::drawn) continue;
        for (const std::string& detail : s.details)
            if (told.insert(detail).second)
                out.push_back(detail +
                              ", as the task draws it: a kernel that relies on this is wrong for other tensors.");
    }
    return out;
}

} // namespace

Result<Explanation> explain(const task::Card& card, const std::string& size, const perf::DeviceSpec& device,
                            const SearchLimits& limits) {
    const Result<task::Symbols> symbols = card.size(size);
    if (!symbols) return symbols.error();
    const Result<Graph> graph = lower(card, *symbols);
    if (!graph) return graph.error();
    Result<Derivation> d = derive(*graph, device, limits);
    if (!d) return d.error();
    Explanation e;
    e.task = card.key();
    e.name = card.name;
    e.size = size;
    e.symbols = *symbols;
    e.device = &device;
    e.derivation = *std::move(d);
    e.before = boundOf(e.derivation.before, device);
    e.after = boundOf(e.derivation.after, device);
    e.collapses = isConstant(e.derivation.rewritten);
    e.degenerate =
        e.collapses ? "By the rewrites no input is left: all finite inputs give the same numbers." : card.degenerate;
    e.assumptions = assumptionsOf(e.derivation);
    return e;
}

std::vector<std::string> formulas(const Graph& graph) {
    std::vector<std::string> lines;
    for (TensorId id = 0; id < graph.tensors.size(); ++id)
        lines.push_back(toString(graph, id));
    return lines;
}

std::string shareLeft(double before, double after) {
    if (after >= before) return "all";
    if (after <= 0) return "none";
    if (after > 0.995 * before) return "nearly all";
    const double ratio = before / after;
    const double whole = std::round(ratio);
    if (ratio >= 10 || std::abs(ratio - whole) < 0.005) return fmt::format("1/{:.0f}", whole);
    if (ratio >= 1.95) return fmt::format("1/{:.1f}", ratio);
    return quantities::percent(after / before);
}

std::string conclusion(const Explanation& e) {
    const Work &a = e.derivation.before, &b = e.derivation.after;
    if (!e.degenerate.empty())
        return (e.collapses
                    ? "This task is degenerate: its output is constant, so that a speed says nothing about a kernel. "
                    : "This task is degenerate: a kernel that does little or nothing passes. ") +
               e.degenerate;
    const std::string flops = shareLeft(a.flops, b.flops), bytes = shareLeft(a.bytes(), b.bytes());
    if (flops == "all" && bytes == "all") return "This task needs all of its FLOPs and bytes: no rule leads to fewer.";
    std::string text = fmt::format("This task needs {} of its FLOPs", flops);
    if (bytes != "all") text += fmt::format(" and {} of its bytes", bytes);
    text += ".";
    if (e.after.seconds < 0.995 * e.before.seconds)
        text += fmt::format(" Its bound falls from {} to {} on {}.", quantities::seconds(e.before.seconds),
                            quantities::seconds(e.after.seconds), e.device->name);
    else
        text += e.after.isArithmetic() ? " Its bound stays as it is." : " Its bound stays: it is the memory's.";
    return text;
}

std::vector<std::string> remarks(const Explanation& e) {
    std::vector<std::string> out{
        "The bound is of this algorithm: bytes over bandwidth or FLOPs over the peak, whichever is more.",
        "No kernel reaches it quite, and one with a better algorithm may pass it."};
    for (const std::string& assumption : e.assumptions)
        out.push_back("Assumed: " + assumption);
    if (!e.derivation.isComplete)
        out.push_back(fmt::format("The search ended at its limit, after {} variants.", e.derivation.variants));
    return out;
}

} // namespace kernelarium::algebra
