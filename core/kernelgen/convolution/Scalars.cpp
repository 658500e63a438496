// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Scalars.h"

#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

using algebra::Expression;
using algebra::Function;

/// Functions that a kernel file has to define, by what they need of one another.
struct Own {
    std::string_view name, text;
    std::vector<Function> needs = {};
};
const std::map<Function, Own>& owns() {
    static const std::map<Function, Own> table{
        {Function::relu, {"relu", "__device__ float relu(float x) { return x < 0.0f ? 0.0f : x; }\n"}},
        {Function::clamp,
         {"clamp",
          "__device__ float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }\n"}},
        {Function::leakyRelu,
         {"leakyRelu", "__device__ float leakyRelu(float x, float slope) { return x > 0.0f ? x : slope * x; }\n"}},
        {Function::sigmoid,
         {"sigmoid", "__device__ float sigmoid(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }\n"}},
        {Function::silu, {"silu", "__device__ float silu(float x) { return x * sigmoid(x); }\n", {Function::sigmoid}}},
        {Function::gelu,
         {"gelu", "__device__ float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }\n"}},
        {Function::geluTanh,
         {"geluTanh",
          "__device__ float geluTanh(float x) { return 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x))); }\n"}},
        {Function::softplus,
         {"softplus", "__device__ float softplus(float x, float beta, float threshold) {\n"
                      "    return beta * x > threshold ? x : log1pf(expf(beta * x)) / beta;\n}\n"}},
        {Function::mish,
         {"mish", "__device__ float mish(float x) { return x * tanhf(x > 20.0f ? x : log1pf(expf(x))); }\n"}},
        {Function::elu,
         {"elu", "__device__ float elu(float x, float alpha) { return x > 0.0f ? x : alpha * expm1f(x); }\n"}},
        {Function::hardsigmoid,
         {"hardsigmoid",
          "__device__ float hardsigmoid(float x) { return clamp(x + 3.0f, 0.0f, 6.0f) * (1.0f / 6.0f); }\n",
          {Function::clamp}}},
        {Function::hardswish,
         {"hardswish",
          "__device__ float hardswish(float x) { return x * hardsigmoid(x); }\n",
          {Function::hardsigmoid}}},
        {Function::softsign, {"softsign", "__device__ float softsign(float x) { return x / (1.0f + fabsf(x)); }\n"}},
    };
    return table;
}

constexpr std::pair<Function, std::string_view> library[] = {
    {Function::abs, "fabsf"},  {Function::sqrt, "sqrtf"}, {Function::exp, "expf"}, {Function::log, "logf"},
    {Function::tanh, "tanhf"}, {Function::erf, "erff"},   {Function::pow, "powf"}};

} // namespace

std::string literalText(double value) {
    if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
    std::string text = fmt::format("{:.9g}", float(value));
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text + "f";
}

std::string Scalars::text(const Expression& e, const std::function<std::string(std::size_t)>& operand) {
    if (e.kind == Expression::Kind::operand) return operand(e.operand);
    if (e.kind == Expression::Kind::literal) return literalText(e.literal);
    std::vector<std::string> parts;
    for (const Expression& a : e.arguments)
        parts.push_back(text(a, operand));
    const auto folded = [&](std::string_view function) { // f(f(a, b), c)
        std::string all = parts.front();
        for (std::size_t i = 1; i < parts.size(); ++i)
            all = fmt::format("{}({}, {})", function, all, parts[i]);
        return all;
    };
    switch (e.function) {
    case Function::add:
    case Function::join: return fmt::format("({})", fmt::join(parts, " + "));
    case Function::mul: return fmt::format("({})", fmt::join(parts, " * "));
    case Function::sub: return fmt::format("({} - {})", parts[0], parts[1]);
    case Function::div: return fmt::format("({} / {})", parts[0], parts[1]);
    case Function::neg: return fmt::format("(-{})", parts[0]);
    case Function::square: return fmt::format("({0} * {0})", parts[0]);
    case Function::max: return folded("fmaxf");
    case Function::min: return folded("fminf");
    case Function::equal: return fmt::format("({} == {} ? 1.0f : 0.0f)", parts[0], parts[1]);
    case Function::less: return fmt::format("({} < {} ? 1.0f : 0.0f)", parts[0], parts[1]);
    case Function::logicalNot: return fmt::format("({} == 0.0f ? 1.0f : 0.0f)", parts[0]);
    case Function::select: return fmt::format("({} != 0.0f ? {} : {})", parts[0], parts[1], parts[2]);
    case Function::xlogy: return fmt::format("({0} == 0.0f ? 0.0f : {0} * logf({1}))", parts[0], parts[1]);
    case Function::selu:
        m_used.insert(Function::elu);
        return fmt::format("(1.05070099f * elu({}, 1.67326324f))", parts[0]);
    default: break;
    }
    for (const auto& [function, name] : library)
        if (function == e.function) return fmt::format("{}({})", name, fmt::join(parts, ", "));
    m_used.insert(e.function);
    return fmt::format("{}({})", owns().at(e.function).name, fmt::join(parts, ", "));
}

std::string Scalars::functions() const {
    std::string out;
    std::set<Function> done;
    const std::function<void(Function)> define = [&](Function f) {
        if (!done.insert(f).second) return;
        for (const Function need : owns().at(f).needs)
            define(need);
        out += owns().at(f).text;
    };
    for (const Function f : m_used)
        define(f);
    return out.empty() ? out : out + "\n";
}

} // namespace kernelarium::kernelgen::convolution
