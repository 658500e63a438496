// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/levels/AnalyticCounters.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace kernelarium::kernelgen {

/// Says of a launch of a file which formulas it evaluates and how: operators, loops, tiles, edges, counters.
class FormulaLevels {
public:
    /// The node in device memory of a tensor of the graph.
    using NodeOf = std::function<std::string(algebra::TensorId)>;

    /// Of the file's last launch, or of launch number `at`. `graph` is the file's own, or that of a recurrence's body;
    /// `inlined` are tensors written where they are read.
    FormulaLevels(KernelFile& file, const Each<algebra::Graph>& graph, const std::set<std::size_t>& inlined,
                  NodeOf nodeOf, std::optional<std::size_t> at = {});

    [[nodiscard]] Launch& launch() { return m_file.levels().launches[m_launch]; }
    void describe(const std::string& label, const std::string& detail, const std::string& blockDoes,
                  const std::string& threadDoes);
    /// A loop; its id.
    std::string addLoop(const std::string& label, const std::string& detail, const Amount& count,
                        const std::string& parent = {});
    /// A loop for each axis that a definition's combining walks through, within one another: the id of the innermost.
    std::string addReductionLoops(algebra::TensorId id);
    /// A tile nearer than device memory; its id.
    std::string addTile(Tile tile);

    /// A formula, and those that are written within it, in this loop; its value stays in registers, `vector` of them,
    /// and is stored if the walk says so. Reads of what the launch has made before are of the register.
    void add(algebra::TensorId id, const Walk& walk, const std::string& loop);
    /// The value of a definition that other blocks or launches left in parts is put together and stays in registers;
    /// `from` and `to` are nodes in device memory, of the parts and of the value (empty where it is not stored).
    void addTogether(algebra::TensorId id, const std::string& from, const std::string& to);
    [[nodiscard]] AnalyticCounters& counters() { return m_counters; }
    void addEdge(const std::string& from, const std::string& to, const std::string& map = {},
                 const std::string& detail = {});
    /// The node of a value that the launch keeps in registers; empty where it has none.
    [[nodiscard]] std::string valueNode(algebra::TensorId id) const;
    /// Puts the counters into the launch; at the end.
    void finish();

private:
    [[nodiscard]] const algebra::Graph& shown() const { return *m_graph.at[m_file.graphs().shown]; }
    std::string addOperator(algebra::TensorId id, const Walk& walk, const std::string& loop);
    [[nodiscard]] std::string accessWords(const algebra::Tensor& reader, const algebra::Read& read,
                                          const Walk& walk) const;
    std::string nextId(const std::string& kind);

    KernelFile& m_file;
    Each<algebra::Graph> m_graph;
    const std::set<std::size_t>& m_inlined;
    NodeOf m_nodeOf;
    std::size_t m_launch = 0;
    std::size_t m_ids = 0;
    std::map<algebra::TensorId, std::string> m_values;                            ///< tiles in registers
    std::map<std::pair<algebra::TensorId, std::string>, std::string> m_operators; ///< by loop
    AnalyticCounters m_counters;
};

} // namespace kernelarium::kernelgen
