// SPDX-License-Identifier: GPL-3.0-or-later
// What follows the convolution, as functions.
#include "core/kernelgen/convolution/Pieces.h"
#include "core/kernelgen/convolution/Scalars.h"

#include <cctype>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

std::string afterName(const std::string& step) {
    std::string id;
    for (const char c : step)
        id += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    id = identifier(id);
    id[0] = char(std::toupper(static_cast<unsigned char>(id[0])));
    return "after" + id;
}

/// Text of a step's body; `value` is what the chain is given.
std::string bodyText(const Description& d, const Chain& chain, const Step& step, Scalars& scalars) {
    std::string text = scalars.text(step.body, [&](std::size_t number) -> std::string {
        const Operand& o = step.operands.at(number);
        switch (o.kind) {
        case Operand::Kind::value: return "v";
        case Operand::Kind::step: return afterName(chain.steps[o.index].name);
        case Operand::Kind::scalar: return "__ldg(p." + identifier(d.parameters[o.index]) + ")";
        case Operand::Kind::channel: return "__ldg(p." + identifier(d.parameters[o.index]) + " + filter)";
        case Operand::Kind::element: return "p." + identifier(d.parameters[o.index]) + "[element]";
        case Operand::Kind::mean: return "__ldg(p.norms + filter).x";
        case Operand::Kind::scale: return "__ldg(p.norms + filter).y";
        }
        return {};
    });
    if (text.starts_with('(') && text.find('(', 1) == text.npos) text = text.substr(1, text.size() - 2);
    return text;
}

/// A function of the value, the filter and the element, with a line for each step.
std::string chainText(const Description& d, const Chain& chain, std::string_view name, std::string_view what,
                      Scalars& scalars) {
    if (chain.steps.empty()) return {};
    std::string out = fmt::format(
        "/// {}\n__device__ float {}(float v, int filter, int64_t element, const Parameters& p) {{\n", what, name);
    for (std::size_t i = 0; i < chain.steps.size(); ++i) {
        const Step& step = chain.steps[i];
        const std::string text = bodyText(d, chain, step, scalars);
        out += i + 1 == chain.steps.size() ? fmt::format("    return {};\n}}\n\n", text)
                                           : fmt::format("    const float {} = {};\n", afterName(step.name), text);
    }
    return out;
}

/// Which steps this one needs, itself among them, that have a value for each filter.
void needed(const Chain& chain, std::size_t step, std::vector<bool>& out) {
    if (out[step]) return;
    out[step] = true;
    for (const Operand& o : chain.steps[step].operands)
        if (o.kind == Operand::Kind::step && chain.steps[o.index].perFilter) needed(chain, o.index, out);
}

/// A loop over the filters: what `step` needs of each, then `last`.
std::string filterLoop(const Description& d, const Chain& chain, std::size_t step, Scalars& scalars,
                       const std::string& last) {
    std::vector<bool> needs(chain.steps.size(), false);
    for (const Operand& o : chain.steps[step].operands)
        if (o.kind == Operand::Kind::step && chain.steps[o.index].perFilter) needed(chain, o.index, needs);
    std::string out =
        "    for (int filter = 0; filter < filters; ++filter) {\n        const float v = rows[filter * stride];\n";
    for (std::size_t i = 0; i < step; ++i)
        if (needs[i])
            out += fmt::format("        const float {} = {};\n", afterName(chain.steps[i].name),
                               bodyText(d, chain, chain.steps[i], scalars));
    return out + last + "    }\n";
}

/// What follows for all filters of a place together, whose values are rows[filter * stride].
std::string overFiltersText(const Description& d, const Chain& chain, Scalars& scalars) {
    std::string out =
        "/// What follows, for all filters together: their values are rows[filter * stride], the results output[filter * apart].\n"
        "__device__ void finish(const float* rows, int stride, float* output, int apart, int filters, const Parameters& p) {\n";
    for (std::size_t i = 0; i < chain.steps.size(); ++i) {
        const Step& step = chain.steps[i];
        const std::string body = bodyText(d, chain, step, scalars), name = afterName(step.name);
        const bool last = i + 1 == chain.steps.size();
        if (step.overFilters != algebra::Combine::none) {
            const bool sum = step.overFilters == algebra::Combine::sum,
                       most = step.overFilters == algebra::Combine::maximum;
            out += fmt::format("    float {} = {};\n", name, sum ? "0.0f" : most ? "-INFINITY" : "INFINITY");
            out +=
                filterLoop(d, chain, i, scalars,
                           sum ? fmt::format("        {} += {};\n", name, body)
                               : fmt::format("        {0} = {1}({0}, {2});\n", name, most ? "fmaxf" : "fminf", body));
        } else if (!step.perFilter) {
            out += fmt::format("    const float {} = {};\n", name, body);
        } else if (last) {
            out += filterLoop(d, chain, i, scalars, fmt::format("        output[filter * apart] = {};\n", body));
        }
        if (last && !step.perFilter) out += fmt::format("    *output = {};\n", name);
    }
    return out + "}\n\n";
}

} // namespace

std::string called(const Chain& chain, std::string_view name, std::string_view value) {
    if (chain.steps.empty()) return std::string(value);
    return fmt::format("{}({}, filter, {}, p)", name, value,
                       chain.reads(Operand::Kind::element) ? "first + place" : "0");
}

std::string chainsText(const Description& d) {
    Scalars scalars;
    std::string chains;
    if (d.last().combinesFilters()) {
        if (d.pool != Pool::none)
            chains = chainText(d, d.before, "eachOutput",
                               "What stands between the convolution and the pool, for one output.", scalars);
        chains += overFiltersText(d, d.last(), scalars);
    } else if (d.pool == Pool::none) {
        chains = chainText(d, d.before, "finish", "What follows the convolution, for one output.", scalars);
    } else {
        chains = chainText(d, d.before, "eachOutput",
                           "What stands between the convolution and the pool, for one output.", scalars);
        chains += chainText(d, d.after, "finish", "What follows the pool.", scalars);
    }
    if (d.space == Space::sum || d.space == Space::mean)
        chains += d.summary.combinesFilters()
                      ? overFiltersText(d, d.summary, scalars)
                      : chainText(d, d.summary, "summarise",
                                  "What follows the sum over space, for an image and a filter.", scalars);
    std::string parameters = "/// What the formulas after the convolution read.\nstruct Parameters {\n";
    for (const std::string& name : d.parameters)
        parameters += fmt::format("    const float* {};\n", identifier(name));
    if (d.norm) parameters += "    const float2* norms; ///< mean and scale, by image and filter\n";
    if (d.parameters.empty() && !d.norm) parameters += "    int none;\n";
    return parameters + "};\n\n" + scalars.functions() + chains;
}

} // namespace kernelarium::kernelgen::convolution
