// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Formulas.h"

#include "core/kernelgen/text/KernelText.h"
#include "core/kernelgen/text/Names.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

std::string variable(std::string_view name) {
    static const std::set<std::string_view> own{
        "group",  "column", "parts", "window", "weights", "filter", "filters", "others", "element", "output",
        "places", "grid",   "norm",  "norms",  "values",  "last",   "average", "stride", "apart",   "cells",
        "s",      "p",      "v",     "all",    "input",   "stored", "packed",  "finish", "late",    "eachOutput"};
    std::string out = identifier(name);
    return own.contains(out) ? out + "_" : out;
}

std::string Formulas::body(const Chain& chain, const Step& step, std::string_view value, const Operand& held) {
    std::vector<std::string> operands;
    for (const Operand& o : step.operands)
        switch (o.kind) {
        case Operand::Kind::value: operands.emplace_back(value); break;
        case Operand::Kind::step:
            operands.push_back(o == held ? std::string(value) : variable(chain.steps[o.index].name));
            break;
        case Operand::Kind::scalar:
        case Operand::Kind::channel:
        case Operand::Kind::element:
        case Operand::Kind::last: operands.push_back(variable(m_d.parameters[o.index])); break;
        case Operand::Kind::mean: operands.emplace_back("norm.x"); break;
        case Operand::Kind::scale: operands.emplace_back("norm.y"); break;
        case Operand::Kind::average: operands.emplace_back("average"); break;
        }
    const Quantities none(1);
    KernelText text(none, m_functions);
    return text.expression(kernelgen::Each<algebra::Expression>{{&step.body}}, operands, {});
}

std::string Formulas::loads(const std::vector<const Step*>& steps, std::string_view index, std::string_view indent,
                            bool norms) {
    std::string out;
    std::set<std::size_t> done;
    bool readsNorm = false;
    for (const Step* step : steps)
        for (const Operand& o : step->operands) {
            std::string at;
            switch (o.kind) {
            case Operand::Kind::scalar: break;
            case Operand::Kind::channel: at = fmt::format(" + {}", index); break;
            case Operand::Kind::element: at = " + element"; break;
            case Operand::Kind::last: at = " + last"; break;
            case Operand::Kind::mean:
            case Operand::Kind::scale: readsNorm = true; continue;
            default: continue;
            }
            if (!done.insert(o.index).second) continue;
            const std::string name = variable(m_d.parameters[o.index]);
            out += fmt::format("{}const float {} = __ldg(p.{}{});\n", indent, name, name, at);
        }
    if (norms && readsNorm) out += fmt::format("{}const float2 norm = __ldg(p.norms + {});\n", indent, index);
    return out;
}

std::string Formulas::functions() const {
    return deviceFunctions(m_functions);
}

} // namespace kernelarium::kernelgen::convolution
