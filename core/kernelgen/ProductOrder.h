// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/attention/AttentionForm.h"
#include "core/kernelgen/fused/Plan.h"
#include "core/kernelgen/products/Units.h"

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace kernelarium::kernelgen::products {

/// What a file's kernels are beside products and attentions, and which of them all find what they read.
class ProductOrder {
public:
    using TensorId = algebra::TensorId;

    ProductOrder(const SizedGraphs& graphs, const std::vector<ProductUnit>& units,
                 const std::vector<attention::AttentionUnit>& attentions);

    /// Of the graph in which what units and attentions make is given.
    [[nodiscard]] const Plan& plan() const { return m_plan; }
    /// The plan's groups of rows that stay together, and tensors with a kernel of their own.
    [[nodiscard]] const std::set<std::size_t>& groups() const { return m_groups; }
    [[nodiscard]] const std::set<TensorId>& singles() const { return m_singles; }
    [[nodiscard]] std::set<TensorId> rowMembers(std::size_t group) const;

    /// Whether everything is there that these need from elsewhere.
    [[nodiscard]] bool isReady(const std::set<TensorId>& members) const;
    [[nodiscard]] bool isDone(TensorId id) const { return m_done.contains(id); }
    void setDone(const std::set<TensorId>& members) { m_done.insert(members.begin(), members.end()); }

private:
    /// The graph in which what the units make is given, and what they need from others is stored.
    [[nodiscard]] SizedGraphs withoutUnits(const SizedGraphs& graphs,
                                           const std::vector<attention::AttentionUnit>& attentions) const;
    void addNeeded(algebra::Graph& g, std::set<std::pair<TensorId, bool>>& seen, TensorId id, bool mustBeStored) const;
    /// Rows before and after a product cannot be one kernel, which the plan does not see: then each is its own.
    void dissolveRows();
    /// These and all that need one of them.
    [[nodiscard]] std::set<TensorId> needing(std::set<TensorId> some) const;
    [[nodiscard]] bool hasSources(TensorId id, const std::set<TensorId>& members,
                                  std::map<TensorId, bool>& known) const;

    const algebra::Graph& m_full;
    std::set<TensorId> m_members; ///< of all units and attentions
    Plan m_plan;
    std::set<std::size_t> m_groups;
    std::set<TensorId> m_singles, m_done;
};

} // namespace kernelarium::kernelgen::products
