// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/search/Condition.h"
#include "core/archive/store/KernelTable.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace kernelarium::archive {

enum class Truth : std::uint8_t { no, maybe, yes };

/// A condition made ready for the rows of a table, which it may outlive as little as the verdicts. Several threads may
/// use one.
class ConditionOnRows {
public:
    /// `verdicts` null: there are none.
    ConditionOnRows(const Condition& condition, const KernelTable& table, const OwnVerdicts* verdicts);
    ~ConditionOnRows();
    ConditionOnRows(ConditionOnRows&&) noexcept;
    ConditionOnRows& operator=(ConditionOnRows&&) = delete;

    /// The leaves that are texts and uses, numbered in this order.
    struct Leaf {
        const Condition* condition;
        bool wanted; ///< false: below an odd number of NOTs, it is not what makes a hit
    };
    [[nodiscard]] const std::vector<Leaf>& leaves() const { return m_leaves; }

    /// With what `ofLeaf` says of a leaf's number; asked for no more than it takes.
    [[nodiscard]] Truth truth(std::size_t row, const std::function<Truth(std::size_t leaf)>& ofLeaf) const;

private:
    struct Node;
    std::unique_ptr<Node> made(const Condition& condition, bool wanted);
    [[nodiscard]] Truth truthOf(const Node& node, std::size_t row,
                                const std::function<Truth(std::size_t leaf)>& ofLeaf) const;

    const KernelTable& m_table;
    const OwnVerdicts* m_verdicts;
    std::vector<Leaf> m_leaves;
    std::unique_ptr<Node> m_root;
};

} // namespace kernelarium::archive
