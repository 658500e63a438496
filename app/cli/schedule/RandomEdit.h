// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/instruction/Word.h"

#include <random>
#include <vector>

namespace kernelarium::cli {

/// Changes one thing of a kernel's code without asking whether it may be: a stall lowered, a wait, a scoreboard or a
/// reuse flag dropped, a yield flipped, two neighbours exchanged. What a proof lets pass of such edits has to run
/// right. False where it came upon nothing to change.
[[nodiscard]] bool editAnywhere(std::vector<sass::Word>& code, std::mt19937_64& random);

} // namespace kernelarium::cli
