// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Evolution.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::tuning {

namespace {

constexpr int mostChildren = 60; // that are tried until one serves

std::size_t populationFor(const Ground& ground) {
    return std::size_t(std::clamp(ground.horizon() / 5, 8.0, 40.0));
}

/// A member of the first population: the text as it stands, then points spread evenly.
std::optional<Draw> founder(Balance& balance, bool first, Ground& ground) {
    auto point = first ? balance.drawFirst(ground) : balance.draw(ground);
    if (!point) return std::nullopt;
    return Draw{std::move(*point)};
}

std::optional<Draw> anyDraw(Ground& ground) {
    auto point = ground.any();
    if (!point) return std::nullopt;
    return Draw{std::move(*point)};
}

} // namespace

std::size_t Genetic::sizeOf(const Ground& ground) const {
    return populationFor(ground);
}

const Point& Genetic::parent(Ground& ground) const {
    const std::size_t a = ground.random.below(m_members.size());
    const std::size_t b = ground.random.below(m_members.size());
    return m_members[std::min(a, b)].point; // they are in order
}

std::optional<Draw> Genetic::draw(Ground& ground) {
    const std::size_t population = sizeOf(ground);
    if (m_drawn < population || m_members.size() < 2) {
        ++m_drawn;
        return founder(m_balance, m_drawn == 1, ground);
    }
    for (int i = 0; i < mostChildren; ++i) {
        Point child = parent(ground);
        const Point& other = parent(ground);
        for (std::size_t k = 0; k < child.at.size(); ++k)
            if (ground.random.uniform() < 0.5) child.at[k] = other.at[k];
        // More change where less serves.
        for (int changes = i / 10; changes >= 0; --changes)
            if (i >= 10 || ground.random.uniform() < 0.7) ground.change(child);
        if (ground.serves(child)) return Draw{std::move(child)};
    }
    return anyDraw(ground);
}

void Genetic::hear(const Heard& heard, Ground& ground) {
    m_balance.hear(heard.draw.point, ground);
    if (!heard.value || heard.draw.effort < 1) return;
    const auto at = std::upper_bound(m_members.begin(), m_members.end(), *heard.value,
                                     [](double value, const Member& member) { return value < member.value; });
    m_members.insert(at, {*heard.value, heard.draw.point});
    if (m_members.size() > sizeOf(ground)) m_members.pop_back();
}

std::size_t DifferentialEvolution::sizeOf(const Ground& ground) const {
    return populationFor(ground);
}

Point DifferentialEvolution::child(const Point& target, Ground& ground) const {
    const auto one = [&]() -> const Point& { return m_members[ground.random.below(m_members.size())].point; };
    const Point &a = one(), &b = one(), &c = one();
    const double weight = 0.4 + 0.5 * ground.random.uniform();
    constexpr double crossing = 0.8;
    Point child = target;
    const std::size_t always = child.at.empty() ? 0 : ground.random.below(child.at.size());
    for (std::size_t i = 0; i < child.at.size(); ++i) {
        if (i != always && ground.random.uniform() >= crossing) continue;
        const Axes::Axis& axis = ground.axes()[i];
        if (!axis.ordered) {
            const Point* from[] = {&a, &b, &c};
            child.at[i] = from[ground.random.below(3)]->at[i];
            continue;
        }
        const double last = double(axis.byRank.size() - 1);
        double rank = axis.rankOf[a.at[i]] + weight * (double(axis.rankOf[b.at[i]]) - double(axis.rankOf[c.at[i]]));
        rank += ground.random.uniform() - 0.5; // so that small differences are not rounded to none
        child.at[i] = axis.byRank[std::size_t(std::clamp(std::round(rank), 0.0, last))];
    }
    return child;
}

std::optional<Draw> DifferentialEvolution::draw(Ground& ground) {
    const std::size_t population = sizeOf(ground);
    if (m_drawn < population || m_members.size() < 4) {
        ++m_drawn;
        return founder(m_balance, m_drawn == 1, ground);
    }
    for (int i = 0; i < mostChildren; ++i) {
        const std::size_t target = m_turn++ % m_members.size();
        Point point = child(m_members[target].point, ground);
        for (int changes = i / 10; changes > 0; --changes)
            ground.change(point);
        if (!ground.serves(point)) continue;
        m_targets.insert_or_assign(point, target);
        return Draw{std::move(point)};
    }
    return anyDraw(ground);
}

void DifferentialEvolution::hear(const Heard& heard, Ground& ground) {
    m_balance.hear(heard.draw.point, ground);
    const auto target = m_targets.find(heard.draw.point);
    const std::size_t slot = target == m_targets.end() ? m_members.size() : target->second;
    if (target != m_targets.end()) m_targets.erase(target);
    if (!heard.value || heard.draw.effort < 1) return;
    Member member{*heard.value, heard.draw.point};
    if (m_members.size() < sizeOf(ground)) {
        m_members.push_back(std::move(member));
        return;
    }
    const auto worst = std::max_element(m_members.begin(), m_members.end(),
                                        [](const Member& a, const Member& b) { return a.value < b.value; });
    Member& place = slot < m_members.size() ? m_members[slot] : *worst;
    if (member.value < place.value) place = std::move(member);
}

} // namespace kernelarium::tuning
