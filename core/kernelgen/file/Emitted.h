// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace kernelarium::kernelgen {

/// A kernel file that was written.
struct Emitted {
    std::string text;
    std::string skeleton; ///< how it computes: "naive", "rows", ...
    std::string why;      ///< in a sentence: what was fused, and what it saves
};

} // namespace kernelarium::kernelgen
