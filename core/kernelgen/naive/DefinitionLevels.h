// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/FormulaLevels.h"
#include "core/kernelgen/naive/DefinitionKernel.h"

namespace kernelarium::kernelgen {

/// What the file's last launch, of a definition's own kernel, does.
void describeDefinition(KernelFile& file, const Each<algebra::Graph>& graph, std::size_t id,
                        const std::set<std::size_t>& inlined, const DefinitionKernel& kernel,
                        const FormulaLevels::NodeOf& nodeOf);

/// The node of a tensor within a recurrence's body that a launch leaves for a later one of the same step.
std::string bodyNode(KernelFile& file, const Each<algebra::Graph>& body, std::size_t recurrence, std::size_t tensor);

} // namespace kernelarium::kernelgen
