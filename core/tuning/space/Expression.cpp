// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/Expression.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kernelarium::tuning {

namespace {

using StepCode = Expression::Code;

/// A value on the stack. Words are pointed to: they live in the space or among the constants.
struct Cell {
    enum class Kind : std::uint8_t { integer, real, truth, word };
    Kind kind;
    union {
        std::int64_t integer;
        double real;
        bool truth;
        const std::string* word;
    };
};

Cell cellOf(std::int64_t v) {
    Cell c;
    c.kind = Cell::Kind::integer;
    c.integer = v;
    return c;
}
Cell cellOf(double v) {
    Cell c;
    c.kind = Cell::Kind::real;
    c.real = v;
    return c;
}
Cell cellOf(bool v) {
    Cell c;
    c.kind = Cell::Kind::truth;
    c.truth = v;
    return c;
}
Cell cellOf(const Value& value) {
    switch (value.index()) {
    case 0: return cellOf(*std::get_if<std::int64_t>(&value));
    case 1: return cellOf(*std::get_if<double>(&value));
    case 2: return cellOf(*std::get_if<bool>(&value));
    default: break;
    }
    Cell c;
    c.kind = Cell::Kind::word;
    c.word = std::get_if<std::string>(&value);
    return c;
}

bool isWordCell(const Cell& c) {
    return c.kind == Cell::Kind::word;
}
bool isTrue(const Cell& c) {
    switch (c.kind) {
    case Cell::Kind::integer: return c.integer != 0;
    case Cell::Kind::real: return c.real != 0;
    case Cell::Kind::truth: return c.truth;
    case Cell::Kind::word: return !c.word->empty();
    }
    return false;
}
bool isWhole(const Cell& c) {
    return c.kind == Cell::Kind::integer || c.kind == Cell::Kind::truth;
}
std::int64_t wholeOf(const Cell& c) {
    return c.kind == Cell::Kind::truth ? std::int64_t(c.truth) : c.integer;
}
double realOf(const Cell& c) {
    return c.kind == Cell::Kind::real ? c.real : double(wholeOf(c));
}

/// -1, 0, 1, or 2 where they cannot be ordered. Integers and doubles are compared exactly: a long double holds both.
int orderOfCells(const Cell& a, const Cell& b) {
    if (isWordCell(a) || isWordCell(b)) return isWordCell(a) && isWordCell(b) && *a.word == *b.word ? 0 : 2;
    if (isWhole(a) && isWhole(b)) return wholeOf(a) < wholeOf(b) ? -1 : wholeOf(a) > wholeOf(b);
    const auto x = isWhole(a) ? static_cast<long double>(wholeOf(a)) : static_cast<long double>(a.real);
    const auto y = isWhole(b) ? static_cast<long double>(wholeOf(b)) : static_cast<long double>(b.real);
    if (std::isnan(x) || std::isnan(y)) return 2;
    return x < y ? -1 : x > y;
}

bool holdsFor(StepCode code, int order) {
    switch (code) {
    case StepCode::equal: return order == 0;
    case StepCode::unequal: return order != 0;
    case StepCode::less: return order == -1;
    case StepCode::lessEqual: return order == -1 || order == 0;
    case StepCode::greater: return order == 1;
    default: return order == 1 || order == 0;
    }
}

bool wholePower(std::int64_t base, std::int64_t exponent, std::int64_t& out) {
    out = 1;
    while (exponent > 0) {
        if ((exponent & 1) && __builtin_mul_overflow(out, base, &out)) return false;
        exponent >>= 1;
        if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return false;
    }
    return true;
}

bool wholeQuotient(StepCode code, std::int64_t a, std::int64_t b, std::int64_t& out) {
    if (b == 0 || (a == std::numeric_limits<std::int64_t>::min() && b == -1)) return false;
    const std::int64_t quotient = a / b, rest = a % b;
    const bool floors = rest != 0 && (rest < 0) != (b < 0);
    switch (code) {
    case StepCode::divide: out = quotient; break;
    case StepCode::floorDivide: out = quotient - (floors ? 1 : 0); break;
    case StepCode::remainder: out = rest; break;
    default: out = floors ? rest + b : rest; break;
    }
    return true;
}

bool wholeArithmetic(StepCode code, std::int64_t a, std::int64_t b, Cell& out) {
    std::int64_t result = 0;
    switch (code) {
    case StepCode::add:
        if (__builtin_add_overflow(a, b, &result)) return false;
        break;
    case StepCode::subtract:
        if (__builtin_sub_overflow(a, b, &result)) return false;
        break;
    case StepCode::multiply:
        if (__builtin_mul_overflow(a, b, &result)) return false;
        break;
    case StepCode::trueDivide:
        if (b == 0) return false;
        out = cellOf(double(a) / double(b));
        return true;
    case StepCode::power:
        if (b < 0) {
            if (a == 0) return false;
            out = cellOf(std::pow(double(a), double(b)));
            return true;
        }
        if (!wholePower(a, b, result)) return false;
        break;
    default:
        if (!wholeQuotient(code, a, b, result)) return false;
        break;
    }
    out = cellOf(result);
    return true;
}

bool realArithmetic(StepCode code, double a, double b, Cell& out) {
    double result = 0;
    switch (code) {
    case StepCode::add: result = a + b; break;
    case StepCode::subtract: result = a - b; break;
    case StepCode::multiply: result = a * b; break;
    case StepCode::power: result = std::pow(a, b); break;
    default:
        if (b == 0) return false;
        if (code == StepCode::divide || code == StepCode::trueDivide)
            result = a / b;
        else if (code == StepCode::floorDivide)
            result = std::floor(a / b);
        else
            result = std::fmod(a, b);
        if (code == StepCode::floorRemainder && result != 0 && (result < 0) != (b < 0)) result += b;
        break;
    }
    if (!std::isfinite(result)) return false;
    out = cellOf(result);
    return true;
}

bool binaryStep(StepCode code, const Cell& a, const Cell& b, Cell& out) {
    if (isWordCell(a) || isWordCell(b)) return false;
    return isWhole(a) && isWhole(b) ? wholeArithmetic(code, wholeOf(a), wholeOf(b), out)
                                    : realArithmetic(code, realOf(a), realOf(b), out);
}

/// Of one operand, in place.
bool unaryStep(StepCode code, Cell& a) {
    if (code == StepCode::invert || code == StepCode::truth) {
        a = cellOf(isTrue(a) != (code == StepCode::invert));
        return true;
    }
    if (code == StepCode::isNone) {
        a = cellOf(false);
        return true;
    }
    if (isWordCell(a)) return false;
    const bool whole = isWhole(a);
    switch (code) {
    case StepCode::plus: a = whole ? cellOf(wholeOf(a)) : a; return true;
    case StepCode::absolute:
        if (whole ? wholeOf(a) >= 0 : !std::signbit(a.real)) {
            a = whole ? cellOf(wholeOf(a)) : a;
            return true;
        }
        [[fallthrough]];
    case StepCode::negate:
        if (whole && wholeOf(a) == std::numeric_limits<std::int64_t>::min()) return false;
        a = whole ? cellOf(-wholeOf(a)) : cellOf(-a.real);
        return true;
    case StepCode::powerOfTwo: {
        int exponent = 0;
        const bool is = whole ? wholeOf(a) > 0 && (wholeOf(a) & (wholeOf(a) - 1)) == 0
                              : a.real >= 1 && std::frexp(a.real, &exponent) == 0.5;
        a = cellOf(is);
        return true;
    }
    case StepCode::toInteger:
        if (!whole && !(a.real > -9.2233720368547758e18 && a.real < 9.2233720368547758e18)) return false;
        a = cellOf(whole ? wholeOf(a) : std::int64_t(a.real));
        return true;
    default: a = cellOf(realOf(a)); return true; // toReal
    }
}

/// Nothing in `out` where it cannot be calculated.
bool runSteps(const std::vector<Expression::Step>& steps, const std::vector<Value>& constants,
              const Space::Values& values, Cell& out) {
    Cell stack[Expression::deepestStack + 1];
    Cell* top = stack; // the value on top; stack[0] is none
    for (std::size_t at = 0; at < steps.size(); ++at) {
        const Expression::Step& step = steps[at];
        switch (step.code) {
        case StepCode::constant: *++top = cellOf(constants[step.operand]); break;
        case StepCode::parameter: *++top = cellOf(*values[step.operand]); break;
        case StepCode::jump: at = step.operand - 1; break;
        case StepCode::jumpIfFalse:
            if (!isTrue(*top--)) at = step.operand - 1;
            break;
        case StepCode::keepIfTrue:
        case StepCode::keepIfFalse:
            if (isTrue(*top) == (step.code == StepCode::keepIfTrue))
                at = step.operand - 1;
            else
                --top;
            break;
        case StepCode::chain:
            if (holdsFor(step.extra, orderOfCells(top[-1], top[0]))) {
                top[-1] = top[0];
            } else {
                top[-1] = cellOf(false);
                at = step.operand - 1;
            }
            --top;
            break;
        case StepCode::matches:
            --top;
            if (orderOfCells(top[0], top[1]) == 0) {
                *top = cellOf(true);
                at = step.operand - 1;
            }
            break;
        case StepCode::equal:
        case StepCode::unequal:
        case StepCode::less:
        case StepCode::lessEqual:
        case StepCode::greater:
        case StepCode::greaterEqual:
            --top;
            *top = cellOf(holdsFor(step.code, orderOfCells(top[0], top[1])));
            break;
        case StepCode::smaller:
        case StepCode::larger: {
            --top;
            const int order = orderOfCells(top[0], top[1]);
            if (order == 2 || isWordCell(*top)) return false;
            if (order == (step.code == StepCode::smaller ? 1 : -1)) top[0] = top[1];
            break;
        }
        case StepCode::add:
        case StepCode::subtract:
        case StepCode::multiply:
        case StepCode::divide:
        case StepCode::trueDivide:
        case StepCode::floorDivide:
        case StepCode::remainder:
        case StepCode::floorRemainder:
        case StepCode::power:
            --top;
            if (!binaryStep(step.code, top[0], top[1], *top)) return false;
            break;
        default:
            if (!unaryStep(step.code, *top)) return false;
            break;
        }
    }
    out = *top;
    return true;
}

} // namespace

Expression::Expression(std::vector<Step> steps, std::vector<Value> constants)
    : m_steps(std::move(steps))
    , m_constants(std::move(constants)) {
    for (const Step& step : m_steps)
        if (step.code == StepCode::parameter) m_reads.push_back(step.operand);
    std::sort(m_reads.begin(), m_reads.end());
    m_reads.erase(std::unique(m_reads.begin(), m_reads.end()), m_reads.end());
}

std::optional<Value> Expression::value(const Space::Values& values) const {
    Cell cell;
    if (!runSteps(m_steps, m_constants, values, cell)) return std::nullopt;
    switch (cell.kind) {
    case Cell::Kind::integer: return Value(cell.integer);
    case Cell::Kind::real: return Value(cell.real);
    case Cell::Kind::truth: return Value(cell.truth);
    case Cell::Kind::word: return Value(*cell.word);
    }
    return std::nullopt;
}

bool Expression::holds(const Space::Values& values) const {
    Cell cell;
    return runSteps(m_steps, m_constants, values, cell) && isTrue(cell);
}

} // namespace kernelarium::tuning
