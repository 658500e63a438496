// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/Space.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace kernelarium::tuning {

namespace {

constexpr std::uint64_t uncountable = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t mostRemembered = std::size_t(1) << 20;

std::uint64_t cappedSum(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? uncountable : sum;
}

std::uint64_t cappedProduct(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? uncountable : product;
}

/// Counts depth first, one parameter a level. How many points are below a level depends on the values of those
/// parameters alone that a restriction still to be asked reads (its `frontier`), and is remembered for these.
class PointCounter {
public:
    PointCounter(const Space& space, std::uint64_t most, std::stop_token stop)
        : m_space(space)
        , m_left(most)
        , m_stop(std::move(stop))
        , m_values(space.parameters().size(), nullptr)
        , m_at(space.parameters().size(), 0) {
        for (const Space::Restriction& restriction : space.restrictions())
            m_reads.push_back(readsOf(restriction));
        orderParameters();
        layOut();
    }

    std::optional<std::uint64_t> count() {
        if (!allowed(0)) return 0;
        const std::uint64_t count = below(0);
        if (m_ended) return std::nullopt;
        return count;
    }

private:
    struct Level {
        std::size_t parameter = 0;
        std::vector<std::size_t> asked;    ///< restrictions that can be asked once the levels above are set
        std::vector<std::size_t> frontier; ///< parameters above whose values matter from here on
        bool remembers = false;            ///< the frontier is less than all that is set, and fits a key
        bool matters = true;               ///< whether a restriction reads this level's parameter
        std::unordered_map<std::uint64_t, std::uint64_t> known;
    };

    std::vector<std::size_t> readsOf(const Space::Restriction& restriction) const {
        std::vector<std::size_t> reads;
        if (restriction.reads) {
            reads = *restriction.reads;
        } else {
            reads.resize(m_values.size());
            std::iota(reads.begin(), reads.end(), 0);
        }
        std::sort(reads.begin(), reads.end());
        reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
        return reads;
    }

    std::size_t valuesOf(std::size_t parameter) const { return m_space.parameters()[parameter].values.size(); }

    /// Next comes what the cheapest restriction to complete still lacks.
    void orderParameters() {
        std::vector<bool> placed(m_values.size(), false);
        const auto place = [&](std::size_t parameter) {
            if (placed[parameter]) return;
            placed[parameter] = true;
            m_levels.push_back({parameter, {}, {}, false, true, {}});
        };
        std::vector<std::size_t> left(m_reads.size());
        std::iota(left.begin(), left.end(), 0);
        while (!left.empty()) {
            const auto cost = [&](std::size_t restriction) {
                double product = 1;
                for (const std::size_t p : m_reads[restriction])
                    if (!placed[p]) product *= double(valuesOf(p));
                return product;
            };
            std::vector<double> costs;
            for (const std::size_t restriction : left)
                costs.push_back(cost(restriction));
            const auto cheapest = std::min_element(costs.begin(), costs.end()) - costs.begin();
            std::vector<std::size_t> reads = m_reads[left[std::size_t(cheapest)]];
            std::stable_sort(reads.begin(), reads.end(),
                             [&](std::size_t a, std::size_t b) { return valuesOf(a) < valuesOf(b); });
            for (const std::size_t p : reads)
                place(p);
            left.erase(left.begin() + cheapest);
        }
        for (std::size_t p = 0; p < m_values.size(); ++p)
            place(p);
        m_levels.push_back({}); // below the last parameter: restrictions to ask, nothing to set
    }

    void layOut() {
        std::vector<std::size_t> levelOf(m_values.size());
        for (std::size_t i = 0; i + 1 < m_levels.size(); ++i)
            levelOf[m_levels[i].parameter] = i;
        std::vector<std::size_t> lastUse(m_values.size(), 0); // the level where a parameter is read last
        for (std::size_t r = 0; r < m_reads.size(); ++r) {
            std::size_t ready = 0;
            for (const std::size_t p : m_reads[r])
                ready = std::max(ready, levelOf[p] + 1);
            m_levels[ready].asked.push_back(r);
            for (const std::size_t p : m_reads[r])
                lastUse[p] = std::max(lastUse[p], ready);
        }
        for (std::size_t i = 0; i + 1 < m_levels.size(); ++i) {
            Level& level = m_levels[i];
            level.matters = lastUse[level.parameter] > 0;
            std::uint64_t keys = 1;
            for (std::size_t above = 0; above < i; ++above) {
                const std::size_t p = m_levels[above].parameter;
                if (lastUse[p] <= i) continue;
                level.frontier.push_back(p);
                keys = cappedProduct(keys, valuesOf(p));
            }
            level.remembers = level.frontier.size() < i && keys != uncountable;
        }
    }

    bool allowed(std::size_t level) const {
        const std::vector<std::size_t>& asked = m_levels[level].asked;
        return std::all_of(asked.begin(), asked.end(),
                           [this](std::size_t r) { return m_space.restrictions()[r].allows(m_values); });
    }

    bool look() {
        if (m_left == 0) m_ended = true;
        if (m_left > 0 && (--m_left & 0xfff) == 0 && m_stop.stop_requested()) m_ended = true;
        return !m_ended;
    }

    std::uint64_t below(std::size_t at) {
        if (at + 1 == m_levels.size()) return 1;
        Level& level = m_levels[at];
        std::uint64_t key = 0;
        if (level.remembers) {
            for (const std::size_t p : level.frontier)
                key = key * valuesOf(p) + m_at[p];
            if (const auto known = level.known.find(key); known != level.known.end()) return known->second;
        }
        std::uint64_t count = 0;
        if (!level.matters) {
            if (!look()) return 0;
            count = cappedProduct(valuesOf(level.parameter), below(at + 1));
        } else {
            const std::vector<Value>& values = m_space.parameters()[level.parameter].values;
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (!look()) return 0;
                m_values[level.parameter] = &values[i];
                m_at[level.parameter] = i;
                if (allowed(at + 1)) count = cappedSum(count, below(at + 1));
            }
            m_values[level.parameter] = nullptr;
        }
        if (level.remembers && !m_ended && m_remembered < mostRemembered) {
            ++m_remembered;
            level.known.emplace(key, count);
        }
        return count;
    }

    const Space& m_space;
    std::uint64_t m_left;
    std::stop_token m_stop;
    bool m_ended = false;
    std::size_t m_remembered = 0;
    Space::Values m_values;
    std::vector<std::size_t> m_at;
    std::vector<std::vector<std::size_t>> m_reads;
    std::vector<Level> m_levels;
};

} // namespace

std::optional<std::uint64_t> Space::countAllowed(std::uint64_t most, std::stop_token stop) const {
    if (stop.stop_requested()) return std::nullopt;
    return PointCounter(*this, most, std::move(stop)).count();
}

} // namespace kernelarium::tuning
