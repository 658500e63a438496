// SPDX-License-Identifier: GPL-3.0-or-later
// What follows the convolution, as functions.
#include "core/kernelgen/convolution/Pieces.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

std::string called(const Chain& chain, std::string_view name, std::string_view value, const Given& given) {
    if (chain.steps.empty()) return std::string(value);
    std::string out = fmt::format("{}({}", name, value);
    if (given.norm) out += ", norm";
    if (chain.reads(Operand::Kind::average)) out += ", average";
    out += ", filter";
    if (chain.reads(Operand::Kind::element)) out += fmt::format(", {}", given.index);
    if (chain.reads(Operand::Kind::last)) out += ", last";
    return out + ", p)";
}

std::string chainText(const Chain& chain, std::string_view name, std::string_view what, Formulas& formulas,
                      bool givenNorm) {
    if (chain.steps.empty()) return {};
    std::string out = fmt::format("/// {}\n__device__ float {}(float v", what, name);
    if (givenNorm) out += ", float2 norm";
    if (chain.reads(Operand::Kind::average)) out += ", float average";
    out += ", int filter";
    if (chain.reads(Operand::Kind::element)) out += ", int64_t element";
    if (chain.reads(Operand::Kind::last)) out += ", int last";
    out += ", const Parameters& p) {\n";
    std::vector<const Step*> steps;
    for (const Step& s : chain.steps)
        steps.push_back(&s);
    out += formulas.loads(steps, "filter", "    ", !givenNorm);
    for (std::size_t i = 0; i < chain.steps.size(); ++i) {
        const Step& step = chain.steps[i];
        const std::string text = formulas.body(chain, step, "v");
        out += i + 1 == chain.steps.size() ? fmt::format("    return {};\n}}\n\n", text)
                                           : fmt::format("    const float {} = {};\n", variable(step.name), text);
    }
    return out;
}

std::string chainsText(const Description& d, const Tiles& tiles) {
    Formulas formulas(d);
    std::string chains;
    const bool before = d.before.combinesFilters();
    const bool isLast = d.pool == Pool::none;
    const char* between = "What stands between the convolution and the pool, for one output.";
    if (before)
        chains += acrossText(d, d.before, formulas, tiles.across, Each::filter);
    else
        chains += chainText(d.before, isLast ? "finish" : "eachOutput",
                            isLast ? "What follows the convolution, for one output." : between, formulas);
    if (d.pool != Pool::none)
        chains += d.after.combinesFilters() ? acrossText(d, d.after, formulas, tiles.across, Each::filter)
                                            : chainText(d.after, "finish", "What follows the pool.", formulas);
    if (d.space == Space::sum || d.space == Space::mean || d.space == Space::line) {
        const bool one = before && d.before.steps.back().each == Each::one;
        const bool together = d.summary.combinesFilters() || d.result == Description::Result::perOther;
        const char* what = d.space == Space::line ? "What follows the combination along the slowest axis."
                                                  : "What follows the sum over space, for an image and a filter.";
        chains += together ? acrossText(d, d.summary, formulas, Across::rows, one ? Each::one : Each::filter)
                           : chainText(d.summary, "summarise", what, formulas);
    }
    const bool rows = d.late.kind == Late::Kind::lastAxis;
    if (d.late.kind == Late::Kind::filters) {
        chains += acrossText(d, d.late.chain, formulas, Across::rows, Each::filter);
    } else if (d.late.kind != Late::Kind::none) {
        if (d.late.chain.reads(Operand::Kind::average)) {
            Chain part;
            for (const Step& s : d.late.chain.steps)
                for (const Operand& o : s.operands)
                    if (o.kind == Operand::Kind::average)
                        part.steps.assign(d.late.chain.steps.begin(),
                                          d.late.chain.steps.begin() + std::ptrdiff_t(o.index) + 1);
            chains += chainText(part, "averaged", "The mean over space of what is normalised, from that of the values.",
                                formulas, true);
        }
        chains += chainText(d.late.chain, "normalised",
                            rows ? "The norm and what follows it, for one value of a row."
                                 : "The norm and what follows it, for one value.",
                            formulas, true);
        chains += chainText(d.late.after, "afterPool", "What follows the pool.", formulas);
    }
    std::string parameters = "/// What the formulas after the convolution read.\nstruct Parameters {\n";
    for (const std::string& name : d.parameters)
        parameters += fmt::format("    const float* {};\n", variable(name));
    if (d.norm) parameters += "    const float2* norms; ///< mean and scale, by image and filter\n";
    if (d.parameters.empty() && !d.norm) parameters += "    int none;\n";
    return parameters + "};\n\n" + formulas.functions() + chains;
}

} // namespace kernelarium::kernelgen::convolution
