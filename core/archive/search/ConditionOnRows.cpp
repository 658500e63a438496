// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/ConditionOnRows.h"

#include "core/archive/search/RowFilter.h"

namespace kernelarium::archive {

struct ConditionOnRows::Node {
    const Condition* condition;
    std::vector<std::unique_ptr<Node>> parts;
    std::optional<RowFilter> filter;
    std::size_t leaf = 0;
};

ConditionOnRows::ConditionOnRows(const Condition& condition, const KernelTable& table, const OwnVerdicts* verdicts)
    : m_table(table)
    , m_verdicts(verdicts)
    , m_root(made(condition, true)) {}

ConditionOnRows::~ConditionOnRows() = default;
ConditionOnRows::ConditionOnRows(ConditionOnRows&&) noexcept = default;

std::unique_ptr<ConditionOnRows::Node> ConditionOnRows::made(const Condition& condition, bool wanted) {
    using Kind = Condition::Kind;
    auto node = std::make_unique<Node>();
    node->condition = &condition;
    if (condition.kind == Kind::kernels) node->filter.emplace(m_table, condition.filter);
    if (condition.kind == Kind::text || condition.kind == Kind::uses) {
        node->leaf = m_leaves.size();
        m_leaves.push_back({&condition, wanted});
    }
    for (const Condition& part : condition.parts)
        node->parts.push_back(made(part, condition.kind == Kind::without ? !wanted : wanted));
    return node;
}

Truth ConditionOnRows::truth(std::size_t row, const std::function<Truth(std::size_t leaf)>& ofLeaf) const {
    return truthOf(*m_root, row, ofLeaf);
}

Truth ConditionOnRows::truthOf(const Node& node, std::size_t row,
                               const std::function<Truth(std::size_t leaf)>& ofLeaf) const {
    const auto known = [](bool value) { return value ? Truth::yes : Truth::no; };
    switch (node.condition->kind) {
    case Condition::Kind::kernels: return known(node.filter->accepts(row));
    case Condition::Kind::verdict:
        return known(holds(node.condition->verdict, m_verdicts ? m_verdicts->of(m_table, row) : nullptr));
    case Condition::Kind::text:
    case Condition::Kind::uses: return ofLeaf(node.leaf);
    case Condition::Kind::without:
        return Truth(std::uint8_t(Truth::yes) - std::uint8_t(truthOf(*node.parts.front(), row, ofLeaf)));
    case Condition::Kind::all:
    case Condition::Kind::any: break;
    }
    const bool isAll = node.condition->kind == Condition::Kind::all;
    const Truth decides = isAll ? Truth::no : Truth::yes;
    Truth result = isAll ? Truth::yes : Truth::no;
    for (const auto& part : node.parts) {
        const Truth one = truthOf(*part, row, ofLeaf);
        if (one == decides) return one;
        if (one == Truth::maybe) result = one;
    }
    return result;
}

} // namespace kernelarium::archive
