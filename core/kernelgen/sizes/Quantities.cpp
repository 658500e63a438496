// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/sizes/Quantities.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

namespace {

/// Names that are combined in pairs: the symbols and the latest extents, between which most numbers lie.
constexpr std::size_t firstOfPairs = 24, lastOfPairs = 40, mostDivisor = 64;

bool allEqual(const Values& v) {
    return std::all_of(v.begin(), v.end(), [&](std::int64_t x) { return x == v[0]; });
}

std::string withOffset(std::string text, std::int64_t offset) {
    if (offset == 0) return text;
    return fmt::format("{} {} {}", text, offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
}

/// v = a * q + b
std::optional<std::string> affine(const Values& v, const Values& q, const std::string& name) {
    std::size_t other = 1;
    while (other < q.size() && q[other] == q[0])
        ++other;
    if (other == q.size() || (v[other] - v[0]) % (q[other] - q[0]) != 0) return std::nullopt;
    const std::int64_t a = (v[other] - v[0]) / (q[other] - q[0]), b = v[0] - a * q[0];
    if (a == 0) return std::nullopt;
    for (std::size_t i = 0; i < v.size(); ++i)
        if (v[i] != a * q[i] + b) return std::nullopt;
    if (a < 0) return fmt::format("{} - {}", b, a == -1 ? name : fmt::format("{} * {}", -a, name));
    return withOffset(a == 1 ? name : fmt::format("{} * {}", a, name), b);
}

/// v = (q + b) / c, rounded down, of numbers that are not negative
std::optional<std::string> quotient(const Values& v, const Values& q, const std::string& name) {
    for (std::int64_t c = 2; c <= std::int64_t(mostDivisor); ++c) {
        std::int64_t low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
        for (std::size_t i = 0; i < v.size(); ++i) {
            low = std::max(low, c * v[i] - q[i]);
            high = std::min(high, c * v[i] + c - 1 - q[i]);
        }
        if (low > high) continue;
        const std::int64_t b = low > 0 ? low : high < 0 ? high : 0;
        return b == 0 ? fmt::format("{} / {}", name, c) : fmt::format("({}) / {}", withOffset(name, b), c);
    }
    return std::nullopt;
}

Values product(const Values& a, const Values& b) {
    Values out(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        out[i] = a[i] * b[i];
    return out;
}

/// v = a * q with a rational a = n / d, d small, dividing everywhere
std::optional<std::string> multiple(const Values& v, const Values& q, const std::string& name) {
    if (std::any_of(q.begin(), q.end(), [](std::int64_t x) { return x == 0; })) return std::nullopt;
    if (v == q) return name;
    const auto fits = [&](std::int64_t n, std::int64_t d) {
        for (std::size_t i = 0; i < v.size(); ++i)
            if (v[i] * d != q[i] * n) return false;
        return true;
    };
    if (v[0] % q[0] == 0 && v[0] != 0 && fits(v[0] / q[0], 1)) return fmt::format("{} * {}", v[0] / q[0], name);
    if (v[0] != 0 && q[0] % v[0] == 0 && fits(1, q[0] / v[0])) return fmt::format("{} / {}", name, q[0] / v[0]);
    return std::nullopt;
}

} // namespace

void Quantities::add(std::string name, Values values) {
    if (allEqual(values) || !m_byValues.emplace(values, name).second) return;
    m_named.push_back({std::move(name), std::move(values)});
    m_found.clear();
}

std::optional<Quantity> Quantities::of(const Values& values) const {
    const auto it = m_found.find(values);
    if (it != m_found.end()) return it->second;
    return m_found[values] = search(values);
}

std::optional<Quantity> Quantities::search(const Values& v) const {
    if (allEqual(v)) return Quantity{std::to_string(v[0]), true, v[0], false, v[0] >= 0};
    if (const auto it = m_byValues.find(v); it != m_byValues.end()) return Quantity{it->second, false, 0, true, true};
    const auto found = [](std::string text) { return Quantity{std::move(text), false, 0, false, false}; };
    for (const Named& q : m_named)
        if (auto t = affine(v, q.values, q.name)) return found(*std::move(t));
    std::vector<const Named*> few;
    for (std::size_t i = 0; i < m_named.size(); ++i)
        if (i < firstOfPairs || i + lastOfPairs >= m_named.size()) few.push_back(&m_named[i]);
    for (std::size_t i = 0; i < few.size(); ++i)
        for (std::size_t k = i; k < few.size(); ++k) {
            const Named &a = *few[i], &b = *few[k];
            const Values ab = product(a.values, b.values);
            const std::string name = fmt::format("{} * {}", a.name, b.name);
            if (auto t = multiple(v, ab, name)) return found(*std::move(t));
            Values sum = a.values, difference = a.values;
            for (std::size_t s = 0; s < v.size(); ++s)
                sum[s] += b.values[s], difference[s] -= b.values[s];
            const auto by = [&](const Values& u) {
                for (std::size_t s = 0; s < v.size(); ++s)
                    if (v[s] - u[s] != v[0] - u[0]) return false;
                return true;
            };
            if (by(sum)) return found(withOffset(fmt::format("{} + {}", a.name, b.name), v[0] - sum[0]));
            if (i != k && by(difference))
                return found(withOffset(fmt::format("{} - {}", a.name, b.name), v[0] - difference[0]));
            Values back = difference;
            for (std::int64_t& x : back)
                x = -x;
            if (i != k && by(back)) return found(withOffset(fmt::format("{} - {}", b.name, a.name), v[0] - back[0]));
        }
    for (const Named& q : m_named)
        if (auto t = quotient(v, q.values, q.name)) return found(*std::move(t));
    const std::size_t most = std::min<std::size_t>(few.size(), 16);
    for (std::size_t i = 0; i < most; ++i)
        for (std::size_t k = i; k < most; ++k) {
            const Values ab = product(few[i]->values, few[k]->values);
            for (std::size_t l = k; l < few.size(); ++l)
                if (auto t = multiple(v, product(ab, few[l]->values),
                                      fmt::format("{} * {} * {}", few[i]->name, few[k]->name, few[l]->name)))
                    return found(*std::move(t));
            const std::string name = fmt::format("{} * {}", few[i]->name, few[k]->name);
            if (auto t = affine(v, ab, name)) return found(*std::move(t));
        }
    // Sums and products of four: cat of four branches, elements of a batch of volumes.
    const std::vector<const Named*> some = leading();
    for (std::size_t i = 0; i < some.size(); ++i)
        for (std::size_t k = i; k < some.size(); ++k)
            for (std::size_t l = k; l < some.size(); ++l) {
                const Named &a = *some[i], &b = *some[k], &c = *some[l];
                const auto rest = [&](std::size_t s) { return v[s] - a.values[s] - b.values[s] - c.values[s]; };
                const std::int64_t first = rest(0);
                bool isSum = true;
                for (std::size_t s = 0; isSum && s < v.size(); ++s)
                    isSum = rest(s) == first;
                if (isSum) return found(withOffset(fmt::format("{} + {} + {}", a.name, b.name, c.name), first));
                for (std::size_t m = l; m < some.size(); ++m) {
                    const Named& d = *some[m];
                    bool isProduct = true, isFour = true;
                    for (std::size_t s = 0; (isProduct || isFour) && s < v.size(); ++s) {
                        isProduct = isProduct && v[s] == a.values[s] * b.values[s] * c.values[s] * d.values[s];
                        isFour = isFour && rest(s) - d.values[s] == first - d.values[0];
                    }
                    if (isProduct) return found(fmt::format("{} * {} * {} * {}", a.name, b.name, c.name, d.name));
                    if (isFour)
                        return found(withOffset(fmt::format("{} + {} + {} + {}", a.name, b.name, c.name, d.name),
                                                first - d.values[0]));
                }
            }
    return std::nullopt;
}

std::vector<const Quantities::Named*> Quantities::leading() const {
    constexpr std::size_t most = 14;
    std::vector<const Named*> out;
    for (const Named& n : m_named)
        if (out.size() < most) out.push_back(&n);
    return out;
}

std::optional<Quantities::Fraction> Quantities::fraction(const std::vector<double>& values) const {
    const std::vector<const Named*> some = leading();
    struct Partial {
        Values product;
        std::string text;
        std::size_t last;
    };
    std::vector<Partial> level{{Values(m_sizes, 1), "", 0}};
    for (int factors = 1; factors <= 4; ++factors) {
        std::vector<Partial> next;
        for (const Partial& p : level)
            for (std::size_t k = p.last; k < some.size(); ++k) {
                Partial q{product(p.product, some[k]->values), (p.text.empty() ? "" : p.text + " * ") + some[k]->name,
                          k};
                const double c = values[0] * double(q.product[0]);
                bool fits = true;
                for (std::size_t s = 0; fits && s < values.size(); ++s)
                    fits = std::abs(values[s] * double(q.product[s]) - c) <= 1e-9 * std::abs(c);
                if (fits) return Fraction{c, q.product, q.text};
                next.push_back(std::move(q));
            }
        level = std::move(next);
    }
    return std::nullopt;
}

} // namespace kernelarium::kernelgen
