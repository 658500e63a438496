// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/graphs/Functions.h"

namespace kernelarium::kernelgen::graphs {

/// How a block's threads share out a product.
struct Pieces {
    std::int64_t batches = 1, rows = 1, columns = 1, terms = 1;
    std::int64_t wide = 1;          ///< of tensor cores: pieces of 8 columns that share their rows
    std::int64_t all = 1, each = 1; ///< pieces; of a warp (tensor cores) or thread
    /// Registers of a thread for its sums.
    [[nodiscard]] std::int64_t registers(bool usesTensorCores) const {
        return each * (usesTensorCores ? 4 * wide : 16);
    }
};
[[nodiscard]] Pieces piecesOf(const Subject& subject, std::size_t tensor);

/// What products call, by tensor cores or by fused multiplications and additions.
[[nodiscard]] std::string productHelpers(bool usesTensorCores);
/// "using Pieces5 = Pieces<1, tileM, tileN, 2>;"
[[nodiscard]] std::string piecesText(const Code& code, std::size_t tensor);
/// Of a product, or of the action that keeps its sums after the loop.
[[nodiscard]] BlockFunction productFor(const Code& code, const Action& action, bool isSecond);
/// The variable of a kernel that has a product's sums over the loop.
[[nodiscard]] std::string sumsName(std::size_t accumulated);

} // namespace kernelarium::kernelgen::graphs
