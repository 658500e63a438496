// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/levels/Levels.h"
#include "core/kernelgen/sizes/SizedGraphs.h"

#include <string>
#include <vector>

namespace kernelarium::kernelgen {

/// A kernel file that was written.
struct Emitted {
    std::string text;
    std::string skeleton; ///< how it computes: "naive", "rows", ...
    std::string why;      ///< in a sentence: what was fused, and what it saves
    Levels levels;        ///< what the text does
};

/// What a file is written for.
struct EmitOptions {
    /// Of the card: what the levels' amounts are for, and what matrix products choose their form and tiles for. The
    /// text serves every size.
    std::string size = "full";
    Rewriting rewriting;               ///< of the card's graph, before it is written; none by default
    std::vector<std::string> rewrites; ///< what the rewriting did, in words, for the file's header
};

} // namespace kernelarium::kernelgen
