// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/ProductEmitter.h"
#include "core/kernelgen/convolution/ConvolutionEmitter.h"
#include "core/kernelgen/fused/FusedEmitter.h"
#include "core/kernelgen/naive/NaiveEmitter.h"

#include <string_view>
#include <vector>

/// Kernel files from task cards: text in the archive's form, meant to be read and edited. One file serves every size:
/// extents are read from the tensors that forward is given, edges are masked.
namespace kernelarium::kernelgen {

/// One way to write a file for a card.
struct Emitter {
    std::string_view name;       ///< "naive"
    std::string_view what;       ///< in a sentence
    bool takesRewritten = false; ///< whether it writes graphs that were rewritten before (EmitOptions::rewriting)
    Result<Emitted> (*write)(const task::Card& card, const EmitOptions& options) = nullptr;
};
/// All of them, the plainest first. Each refuses what it has no form for with the error "unsupported".
[[nodiscard]] const std::vector<Emitter>& emitters();

} // namespace kernelarium::kernelgen
