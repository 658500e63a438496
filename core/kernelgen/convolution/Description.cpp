// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Description.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace kernelarium::kernelgen::convolution {

namespace {

using algebra::Expression;
using algebra::Function;

/// Whether the formula is affine in the value, and whether it depends on it at all.
bool affineIn(const Expression& e, const std::function<bool(std::size_t)>& isValue, bool& depends) {
    if (e.kind == Expression::Kind::operand) {
        depends = isValue(e.operand);
        return true;
    }
    depends = false;
    if (e.kind == Expression::Kind::axis) return false;
    if (e.kind == Expression::Kind::literal) return true;
    std::vector<bool> parts;
    for (const Expression& a : e.arguments) {
        bool part = false;
        if (!affineIn(a, isValue, part)) return false;
        parts.push_back(part);
        depends = depends || part;
    }
    if (!depends) return true;
    switch (e.function) {
    case Function::add:
    case Function::sub:
    case Function::neg: return true;
    case Function::mul: return std::ranges::count(parts, true) == 1;
    case Function::div: return parts[0] && !parts[1];
    default: return false;
    }
}

/// Rising in the value, or free of it (`depends` says which).
bool risingIn(const Expression& e, const std::function<bool(std::size_t)>& isValue, bool& depends) {
    if (e.kind == Expression::Kind::operand) {
        depends = isValue(e.operand);
        return true;
    }
    depends = false;
    if (e.kind == Expression::Kind::axis) return false;
    if (e.kind == Expression::Kind::literal) return true;
    std::vector<bool> parts;
    for (const Expression& a : e.arguments) {
        bool part = false;
        if (!risingIn(a, isValue, part)) return false;
        parts.push_back(part);
        depends = depends || part;
    }
    if (!depends) return true;
    const bool othersPositive = [&] {
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (!parts[i] && !(e.arguments[i].isLiteral() && e.arguments[i].literal > 0)) return false;
        return true;
    }();
    switch (e.function) {
    case Function::add:
    case Function::max:
    case Function::min: return true;
    case Function::sub: return !parts[1];
    case Function::mul: return std::ranges::count(parts, true) == 1 && othersPositive;
    case Function::div: return !parts[1] && othersPositive;
    default: return std::ranges::count(parts, true) == 1 && parts[0] && algebra::isMonotone(e.function);
    }
}

using Test = bool (*)(const Expression&, const std::function<bool(std::size_t)>&, bool&);

bool holds(const Chain& chain, Test test) {
    std::vector<bool> depends;
    for (const Step& step : chain.steps) {
        const auto isValue = [&](std::size_t i) {
            const Operand& o = step.operands.at(i);
            return o.kind == Operand::Kind::value || (o.kind == Operand::Kind::step && depends.at(o.index));
        };
        bool own = false;
        if (!test(step.body, isValue, own)) return false;
        depends.push_back(own);
    }
    return !chain.reads(Operand::Kind::element) && !chain.combinesFilters();
}

} // namespace

std::optional<std::int64_t> Axis::offset(std::int64_t part, std::int64_t k) const {
    const std::int64_t place = scale * part + step * k + shift - divisor * first;
    if (place % divisor != 0) return std::nullopt;
    return place / divisor;
}

bool Axis::divide(std::int64_t outputs) {
    if (outputs <= 0 || scale * outputs % divisor != 0) return false;
    cell = outputs;
    advance = scale * outputs / divisor;
    std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = std::numeric_limits<std::int64_t>::min();
    first = 0;
    for (std::int64_t p = 0; p < outputs; ++p)
        for (std::int64_t k = 0; k < kernel; ++k)
            if (const auto at = offset(p, k)) low = std::min(low, *at), high = std::max(high, *at);
    if (low > high) return false;
    first = low;
    span = high - low + 1;
    return true;
}

std::int64_t Axis::outputs(std::int64_t inputs) const {
    if (transposed) return (inputs - 1) * divisor - 2 * shift - step * (kernel - 1) + 1 + extra;
    return (inputs - 2 * shift - step * (kernel - 1) - 1) / scale + 1;
}

bool Chain::reads(Operand::Kind kind) const {
    return std::ranges::any_of(steps, [&](const Step& s) {
        return std::ranges::any_of(s.operands, [&](const Operand& o) { return o.kind == kind; });
    });
}

bool Chain::combinesFilters() const {
    return std::ranges::any_of(steps, [](const Step& s) { return s.combine != algebra::Combine::none; });
}

Chain joined(Chain a, const Chain& b) {
    const std::size_t before = a.steps.size();
    for (Step step : b.steps) {
        for (Operand& o : step.operands)
            if (o.kind == Operand::Kind::step)
                o.index += before;
            else if (o.kind == Operand::Kind::value && before > 0)
                o = {Operand::Kind::step, before - 1};
        a.steps.push_back(std::move(step));
    }
    return a;
}

bool isAffine(const Chain& chain) {
    return holds(chain, affineIn);
}
bool isRising(const Chain& chain) {
    return holds(chain, risingIn);
}

std::int64_t Description::cellOutputs() const {
    std::int64_t n = 1;
    for (const Axis& a : axes)
        n *= a.cell;
    return n;
}

std::int64_t Description::repeats() const {
    std::int64_t n = 1;
    for (const Axis& a : axes)
        n *= a.repeat;
    return n;
}

std::optional<LogSum> logSumOf(const Chain& chain) {
    const auto isStep = [](const Operand& o, std::size_t i) { return o.kind == Operand::Kind::step && o.index == i; };
    LogSum found;
    bool has = false;
    for (std::size_t i = 0; i < chain.steps.size() && !has; ++i) {
        const Step& sum = chain.steps[i];
        if (sum.combine != algebra::Combine::sum || sum.over != Each::filter || sum.mean ||
            !sum.body.is(Function::exp) || !sum.body.arguments[0].is(Function::sub))
            continue;
        const Expression& difference = sum.body.arguments[0];
        if (!difference.arguments[0].isRead() || !difference.arguments[1].isRead()) continue;
        const Operand of = sum.operands[difference.arguments[0].operand],
                      most = sum.operands[difference.arguments[1].operand];
        if (most.kind != Operand::Kind::step) continue;
        const Step& maximum = chain.steps[most.index];
        has = maximum.combine == algebra::Combine::maximum && maximum.body.isRead() &&
              maximum.operands[maximum.body.operand] == of;
        found = {most.index, i, 0, of};
    }
    if (!has) return std::nullopt;
    std::size_t readers = 0;
    for (std::size_t i = found.maximum + 1; i < chain.steps.size(); ++i) {
        const Step& s = chain.steps[i];
        const auto reads = [&](std::size_t step) {
            return std::ranges::any_of(s.operands, [&](const Operand& o) { return isStep(o, step); });
        };
        if (i == found.sum || !(reads(found.maximum) || reads(found.sum))) continue;
        ++readers;
        found.result = i;
        const auto isLog = [&](const Expression& e) {
            return e.is(Function::log) && e.arguments[0].isRead() &&
                   isStep(s.operands[e.arguments[0].operand], found.sum);
        };
        const auto isMost = [&](const Expression& e) {
            return e.isRead() && isStep(s.operands[e.operand], found.maximum);
        };
        if (s.combine != algebra::Combine::none || !s.body.is(Function::add) || s.body.arguments.size() != 2 ||
            !((isLog(s.body.arguments[0]) && isMost(s.body.arguments[1])) ||
              (isLog(s.body.arguments[1]) && isMost(s.body.arguments[0]))))
            return std::nullopt;
    }
    return readers == 1 ? std::optional(found) : std::nullopt;
}

bool isStream(const Chain& chain) {
    if (!chain.combinesFilters()) return false;
    const std::optional<LogSum> log = logSumOf(chain);
    bool combined = false;
    for (std::size_t i = 0; i < chain.steps.size(); ++i) {
        const Step& s = chain.steps[i];
        const bool ofFilters = s.combine != algebra::Combine::none ? s.over == Each::filter : s.each == Each::filter;
        if (!ofFilters) continue;
        combined = combined || s.combine != algebra::Combine::none;
        for (const Operand& o : s.operands) {
            if (o.kind == Operand::Kind::element) return false;
            if (o.kind == Operand::Kind::step && chain.steps[o.index].each != Each::filter && !(log && i == log->sum))
                return false;
        }
    }
    return combined && chain.steps.back().each != Each::filter;
}

std::int64_t windowOf(const Description& d) {
    std::int64_t n = 1;
    for (const Axis& a : d.axes)
        n *= d.combined ? a.span : a.kernel;
    return n;
}

} // namespace kernelarium::kernelgen::convolution
