// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/levels/Levels.h"
#include "ui/graph/OperatorGraph.h"

namespace kernelarium::ui {

/// What a generated file does, as a drawing in levels: tensors in device memory, a frame for each launch with its grid
/// and block, in it a frame for each loop, and in these the tiles, by where they lie, and the operators. Files of
/// many launches have a box for each; of very many, nothing is drawn.
[[nodiscard]] OperatorGraph levelGraph(const kernelgen::Levels& levels);

} // namespace kernelarium::ui
