// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/hgemm/LaboratoryOptions.h"

namespace kernelarium::cli {

/// The rows of a best table that count, of one device.
struct TableChoice {
    std::vector<hgemm::BestRow> rows;
    std::string device; ///< whose they are
    std::string gpu;    ///< that is at hand; empty: none was asked for
    /// "the table's rows of an NVIDIA H200", and that the GPU at hand is another where it is.
    [[nodiscard]] std::string text() const;
};

/// The name of the GPU that the client's child measures products on. Error "missing_component" where there is none.
[[nodiscard]] Result<std::string> gpuAtHand(const LaboratoryOptions& options, protocol::KernelClient& client,
                                            const protocol::CallOptions& call);

/// Of --table and --device; without the latter the table's first device. Errors: those of tableOf(), "nothing_found"
/// (it has no rows), "bad_usage" (no such device).
[[nodiscard]] Result<TableChoice> chosenRows(const LaboratoryOptions& options);
/// Of --table, and --device where it is given, else those of the GPU at hand. Errors: also those of gpuAtHand().
[[nodiscard]] Result<TableChoice> chosenRows(const LaboratoryOptions& options, protocol::KernelClient& client,
                                             const protocol::CallOptions& call);

} // namespace kernelarium::cli
