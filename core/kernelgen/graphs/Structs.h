// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/graphs/Code.h"

namespace kernelarium::kernelgen::graphs {

/// The file's constants: threads, tiles, stages, and what follows from them.
void addConstants(const Code& code);
/// The struct of the axes' extents.
[[nodiscard]] std::string sizesText(const Code& code);
/// The struct of where a block stands, and the functions that make one.
[[nodiscard]] std::string placeText(const Code& code);
/// The struct of a launch's tiles in shared memory.
[[nodiscard]] std::string tilesText(const Code& code, bool isSecond);

} // namespace kernelarium::kernelgen::graphs
