// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"
#include "ui/graph/OperatorGraph.h"

namespace kernelarium::ui {

/// The lines of algebra::formulas(), each with whether the other graph lacks it.
struct FormulaLine {
    QString text;
    bool isChanged = false;
};
[[nodiscard]] std::vector<FormulaLine> formulaLines(const algebra::Graph& graph, const algebra::Graph& other);

/// A graph's tensors as a drawing: a box for each formula, with its operations. Those that the other graph lacks are
/// marked.
[[nodiscard]] OperatorGraph formulaGraph(const algebra::Graph& graph, const algebra::Graph& other);

} // namespace kernelarium::ui
