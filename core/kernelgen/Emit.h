// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/Card.h"

#include <string>

/// Kernel files from task cards: text in the archive's form, meant to be read and edited. One file serves every size:
/// extents are read from the tensors that forward is given, edges are masked.
namespace kernelarium::kernelgen {

struct Emitted {
    std::string text;
    std::string skeleton; ///< how it computes: "naive", "rows", ...
    std::string why;      ///< in a sentence: what was fused, and what it saves
};

/// One kernel for each formula of the card's graph and one thread for each element: right, slow, and a start.
/// Errors: those of algebra::lower; "unsupported" names what of the graph cannot be written for every size.
[[nodiscard]] Result<Emitted> emitNaive(const task::Card& card);

/// The best fused form that fits the whole task; `skeleton` names it. Errors as emitNaive's; "unsupported" where no form
/// fits, naming what of the graph none has.
[[nodiscard]] Result<Emitted> emitFused(const task::Card& card);

} // namespace kernelarium::kernelgen
