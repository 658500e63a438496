// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"

#include <string>

namespace kernelarium::kernelgen {

/// The comment in a file's head that names what it computes: a line for each formula of the graph, the first 60.
[[nodiscard]] std::string formulasComment(const algebra::Graph& full);

} // namespace kernelarium::kernelgen
