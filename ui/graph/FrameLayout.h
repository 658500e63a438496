// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/graph/OperatorGraph.h"

namespace kernelarium::ui {

/// layOut() for a graph with frames.
void layOutFrames(OperatorGraph& graph);

} // namespace kernelarium::ui
