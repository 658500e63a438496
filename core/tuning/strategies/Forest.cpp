// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Forest.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kernelarium::tuning {

/// Grows one tree.
class Forest::Grower {
public:
    Grower(const std::vector<Row>& rows, const std::vector<double>& targets, const std::vector<bool>& ordered,
           std::size_t leafRows, Random random)
        : m_rows(rows)
        , m_targets(targets)
        , m_ordered(ordered)
        , m_leafRows(leafRows)
        , m_tries(rows.size() < 200 ? 6 : 2)
        , m_random(random)
        , m_members(rows.size()) {
        std::iota(m_members.begin(), m_members.end(), 0U);
    }

    std::vector<Node> grow() {
        m_nodes.emplace_back();
        // A stack of its own: the depth of a tree may be the number of rows.
        std::vector<Task> open{{0, 0, m_members.size()}};
        while (!open.empty()) {
            const Task task = open.back();
            open.pop_back();
            Split best = task.end - task.begin < 2 * m_leafRows ? Split{} : bestSplit(task.begin, task.end);
            if (best.place < 0) {
                makeLeaf(task);
                continue;
            }
            const auto middle = std::partition(m_members.begin() + std::ptrdiff_t(task.begin),
                                               m_members.begin() + std::ptrdiff_t(task.end),
                                               [&](std::uint32_t row) { return goesLeft(best, row); });
            const auto cut = std::size_t(middle - m_members.begin());
            const auto left = std::uint32_t(m_nodes.size());
            m_nodes.resize(m_nodes.size() + 2);
            Node& node = m_nodes[task.node];
            node.place = best.place;
            node.ordered = m_ordered[std::size_t(best.place)];
            node.at = best.at;
            node.left = left;
            node.right = left + 1;
            open.push_back({left, task.begin, cut});
            open.push_back({left + 1, cut, task.end});
        }
        return std::move(m_nodes);
    }

private:
    struct Task {
        std::uint32_t node;
        std::size_t begin, end; ///< of m_members
    };
    struct Split {
        std::int32_t place = -1;
        double at = 0;
        double score = -std::numeric_limits<double>::infinity();
    };

    [[nodiscard]] bool goesLeft(const Split& split, std::uint32_t row) const {
        const double x = m_rows[row][std::size_t(split.place)];
        return m_ordered[std::size_t(split.place)] ? x <= split.at : x == split.at;
    }

    /// How much smaller the squares get, but for what is the same for all splits of a node.
    [[nodiscard]] double scoreOf(const Split& split, std::size_t begin, std::size_t end) const {
        double sumLeft = 0, sumRight = 0, left = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const bool toLeft = goesLeft(split, m_members[i]);
            (toLeft ? sumLeft : sumRight) += m_targets[m_members[i]];
            left += toLeft ? 1 : 0;
        }
        const double right = double(end - begin) - left;
        if (left < 1 || right < 1) return -std::numeric_limits<double>::infinity();
        return sumLeft * sumLeft / left + sumRight * sumRight / right;
    }

    Split bestSplit(std::size_t begin, std::size_t end) {
        Split best;
        if (m_rows.empty() || sameTargets(begin, end)) return best;
        for (std::size_t place = 0; place < m_ordered.size(); ++place) {
            double least = std::numeric_limits<double>::infinity(), largest = -least;
            for (std::size_t i = begin; i < end; ++i) {
                least = std::min(least, m_rows[m_members[i]][place]);
                largest = std::max(largest, m_rows[m_members[i]][place]);
            }
            if (!(largest > least)) continue;
            for (int k = 0; k < m_tries; ++k) {
                Split split{std::int32_t(place)};
                split.at = m_ordered[place] ? least + m_random.uniform() * (largest - least)
                                            : m_rows[m_members[begin + m_random.below(end - begin)]][place];
                split.score = scoreOf(split, begin, end);
                if (split.score > best.score) best = split;
            }
        }
        return best;
    }

    [[nodiscard]] bool sameTargets(std::size_t begin, std::size_t end) const {
        return std::all_of(m_members.begin() + std::ptrdiff_t(begin), m_members.begin() + std::ptrdiff_t(end),
                           [&](std::uint32_t row) { return m_targets[row] == m_targets[m_members[begin]]; });
    }

    void makeLeaf(const Task& task) {
        double sum = 0, squares = 0;
        const auto count = double(task.end - task.begin);
        for (std::size_t i = task.begin; i < task.end; ++i)
            sum += m_targets[m_members[i]];
        const double mean = sum / count;
        for (std::size_t i = task.begin; i < task.end; ++i)
            squares += (m_targets[m_members[i]] - mean) * (m_targets[m_members[i]] - mean);
        m_nodes[task.node].mean = mean;
        m_nodes[task.node].variance = squares / count;
    }

    const std::vector<Row>& m_rows;
    const std::vector<double>& m_targets;
    const std::vector<bool>& m_ordered;
    std::size_t m_leafRows;
    int m_tries; ///< splits of each place at each node
    Random m_random;
    std::vector<std::uint32_t> m_members;
    std::vector<Node> m_nodes;
};

void Forest::fit(const std::vector<Row>& rows, const std::vector<double>& targets, const std::vector<bool>& ordered,
                 Random random) {
    m_forest.clear();
    if (rows.empty()) return;
    for (std::size_t i = 0; i < m_trees; ++i)
        m_forest.push_back(Grower(rows, targets, ordered, m_leafRows, Random(random.next(), i)).grow());
}

Prediction Forest::predict(const Row& row) const {
    if (m_forest.empty()) return {};
    double sum = 0, squares = 0;
    for (const auto& tree : m_forest) {
        const Node* node = &tree.front();
        while (node->place >= 0) {
            const double x = row[std::size_t(node->place)];
            node = &tree[(node->ordered ? x <= node->at : x == node->at) ? node->left : node->right];
        }
        sum += node->mean;
        squares += node->variance + node->mean * node->mean;
    }
    const auto trees = double(m_forest.size());
    const double mean = sum / trees;
    return {mean, std::max(squares / trees - mean * mean, 0.0)};
}

} // namespace kernelarium::tuning
