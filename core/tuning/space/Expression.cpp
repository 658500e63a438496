// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/Expression.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kernelarium::tuning {

namespace {

using Code = Expression::Code;

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
int compared(const Cell& a, const Cell& b) {
    if (isWordCell(a) || isWordCell(b)) return isWordCell(a) && isWordCell(b) && *a.word == *b.word ? 0 : 2;
    if (isWhole(a) && isWhole(b)) return wholeOf(a) < wholeOf(b) ? -1 : wholeOf(a) > wholeOf(b);
    const auto x = isWhole(a) ? static_cast<long double>(wholeOf(a)) : static_cast<long double>(a.real);
    const auto y = isWhole(b) ? static_cast<long double>(wholeOf(b)) : static_cast<long double>(b.real);
    if (std::isnan(x) || std::isnan(y)) return 2;
    return x < y ? -1 : x > y;
}

bool holdsFor(Code code, int order) {
    switch (code) {
    case Code::equal: return order == 0;
    case Code::unequal: return order != 0;
    case Code::less: return order == -1;
    case Code::lessEqual: return order == -1 || order == 0;
    case Code::greater: return order == 1;
    default: return order == 1 || order == 0;
    }
}

bool powerOf(std::int64_t base, std::int64_t exponent, std::int64_t& out) {
    out = 1;
    while (exponent > 0) {
        if ((exponent & 1) && __builtin_mul_overflow(out, base, &out)) return false;
        exponent >>= 1;
        if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return false;
    }
    return true;
}

bool divided(Code code, std::int64_t a, std::int64_t b, std::int64_t& out) {
    if (b == 0 || (a == std::numeric_limits<std::int64_t>::min() && b == -1)) return false;
    const std::int64_t quotient = a / b, rest = a % b;
    const bool floors = rest != 0 && (rest < 0) != (b < 0);
    switch (code) {
    case Code::divide: out = quotient; break;
    case Code::floorDivide: out = quotient - (floors ? 1 : 0); break;
    case Code::remainder: out = rest; break;
    default: out = floors ? rest + b : rest; break;
    }
    return true;
}

bool wholeArithmetic(Code code, std::int64_t a, std::int64_t b, Cell& out) {
    std::int64_t result = 0;
    switch (code) {
    case Code::add:
        if (__builtin_add_overflow(a, b, &result)) return false;
        break;
    case Code::subtract:
        if (__builtin_sub_overflow(a, b, &result)) return false;
        break;
    case Code::multiply:
        if (__builtin_mul_overflow(a, b, &result)) return false;
        break;
    case Code::trueDivide:
        if (b == 0) return false;
        out = cellOf(double(a) / double(b));
        return true;
    case Code::power:
        if (b < 0) {
            if (a == 0) return false;
            out = cellOf(std::pow(double(a), double(b)));
            return true;
        }
        if (!powerOf(a, b, result)) return false;
        break;
    default:
        if (!divided(code, a, b, result)) return false;
        break;
    }
    out = cellOf(result);
    return true;
}

bool realArithmetic(Code code, double a, double b, Cell& out) {
    double result = 0;
    switch (code) {
    case Code::add: result = a + b; break;
    case Code::subtract: result = a - b; break;
    case Code::multiply: result = a * b; break;
    case Code::power: result = std::pow(a, b); break;
    default:
        if (b == 0) return false;
        if (code == Code::divide || code == Code::trueDivide)
            result = a / b;
        else if (code == Code::floorDivide)
            result = std::floor(a / b);
        else
            result = std::fmod(a, b);
        if (code == Code::floorRemainder && result != 0 && (result < 0) != (b < 0)) result += b;
        break;
    }
    if (!std::isfinite(result)) return false;
    out = cellOf(result);
    return true;
}

bool arithmetic(Code code, const Cell& a, const Cell& b, Cell& out) {
    if (isWordCell(a) || isWordCell(b)) return false;
    return isWhole(a) && isWhole(b) ? wholeArithmetic(code, wholeOf(a), wholeOf(b), out)
                                    : realArithmetic(code, realOf(a), realOf(b), out);
}

/// Of one operand, in place.
bool unary(Code code, Cell& a) {
    if (code == Code::invert || code == Code::truth) {
        a = cellOf(isTrue(a) != (code == Code::invert));
        return true;
    }
    if (code == Code::isNone) {
        a = cellOf(false);
        return true;
    }
    if (isWordCell(a)) return false;
    const bool whole = isWhole(a);
    switch (code) {
    case Code::plus: a = whole ? cellOf(wholeOf(a)) : a; return true;
    case Code::absolute:
        if (whole ? wholeOf(a) >= 0 : !std::signbit(a.real)) {
            a = whole ? cellOf(wholeOf(a)) : a;
            return true;
        }
        [[fallthrough]];
    case Code::negate:
        if (whole && wholeOf(a) == std::numeric_limits<std::int64_t>::min()) return false;
        a = whole ? cellOf(-wholeOf(a)) : cellOf(-a.real);
        return true;
    case Code::powerOfTwo: {
        int exponent = 0;
        const bool is = whole ? wholeOf(a) > 0 && (wholeOf(a) & (wholeOf(a) - 1)) == 0
                              : a.real >= 1 && std::frexp(a.real, &exponent) == 0.5;
        a = cellOf(is);
        return true;
    }
    case Code::toInteger:
        if (!whole && !(a.real > -9.2233720368547758e18 && a.real < 9.2233720368547758e18)) return false;
        a = cellOf(whole ? wholeOf(a) : std::int64_t(a.real));
        return true;
    default: a = cellOf(realOf(a)); return true; // toReal
    }
}

/// Nothing in `out` where it cannot be calculated.
bool run(const std::vector<Expression::Step>& steps, const std::vector<Value>& constants, const Space::Values& values,
         Cell& out) {
    Cell stack[Expression::deepestStack + 1];
    Cell* top = stack; // the value on top; stack[0] is none
    for (std::size_t at = 0; at < steps.size(); ++at) {
        const Expression::Step& step = steps[at];
        switch (step.code) {
        case Code::constant: *++top = cellOf(constants[step.operand]); break;
        case Code::parameter: *++top = cellOf(*values[step.operand]); break;
        case Code::jump: at = step.operand - 1; break;
        case Code::jumpIfFalse:
            if (!isTrue(*top--)) at = step.operand - 1;
            break;
        case Code::keepIfTrue:
        case Code::keepIfFalse:
            if (isTrue(*top) == (step.code == Code::keepIfTrue))
                at = step.operand - 1;
            else
                --top;
            break;
        case Code::chain:
            if (holdsFor(step.extra, compared(top[-1], top[0]))) {
                top[-1] = top[0];
            } else {
                top[-1] = cellOf(false);
                at = step.operand - 1;
            }
            --top;
            break;
        case Code::matches:
            --top;
            if (compared(top[0], top[1]) == 0) {
                *top = cellOf(true);
                at = step.operand - 1;
            }
            break;
        case Code::equal:
        case Code::unequal:
        case Code::less:
        case Code::lessEqual:
        case Code::greater:
        case Code::greaterEqual:
            --top;
            *top = cellOf(holdsFor(step.code, compared(top[0], top[1])));
            break;
        case Code::smaller:
        case Code::larger: {
            --top;
            const int order = compared(top[0], top[1]);
            if (order == 2 || isWordCell(*top)) return false;
            if (order == (step.code == Code::smaller ? 1 : -1)) top[0] = top[1];
            break;
        }
        case Code::add:
        case Code::subtract:
        case Code::multiply:
        case Code::divide:
        case Code::trueDivide:
        case Code::floorDivide:
        case Code::remainder:
        case Code::floorRemainder:
        case Code::power:
            --top;
            if (!arithmetic(step.code, top[0], top[1], *top)) return false;
            break;
        default:
            if (!unary(step.code, *top)) return false;
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
        if (step.code == Code::parameter) m_reads.push_back(step.operand);
    std::sort(m_reads.begin(), m_reads.end());
    m_reads.erase(std::unique(m_reads.begin(), m_reads.end()), m_reads.end());
}

std::optional<Value> Expression::value(const Space::Values& values) const {
    Cell cell;
    if (!run(m_steps, m_constants, values, cell)) return std::nullopt;
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
    return run(m_steps, m_constants, values, cell) && isTrue(cell);
}

} // namespace kernelarium::tuning
