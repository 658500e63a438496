// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/compile/Toolkit.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::tools {

/// How a SASS listing is written.
enum class SassForm {
    plain,     ///< code alone
    annotated, ///< with source lines (inlining resolved), encodings and live registers, for a reader of such a listing
};

/// SASS of a cubin through the toolkit's nvdisasm (twice where annotated: it prints source lines or live registers),
/// which runs confined: no network, no processes, nothing written, at most 20 seconds and 64 MB of text each time.
/// Errors: "missing_component" (no nvdisasm), "timeout", "too_large", "cancelled", "internal" (it refused the cubin).
Result<std::string> disassemble(const compile::Toolkit& toolkit, const std::vector<std::byte>& cubin, SassForm form,
                                const std::stop_token& stop = {});

} // namespace kernelarium::tools
