// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/RowCard.h"
#include "gpu/tools/Pythons.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace kernelarium::tools {

/// How a card is exported.
struct ExportOptions {
    std::string python; ///< a path or a name on PATH; empty: one is looked for
    std::chrono::milliseconds timeLimit{120'000};
    std::uint64_t memory = 0;                              ///< bytes; 0: half of the machine's, 16 GiB at most
    std::function<void(const std::string&)> progress = {}; ///< what is being done
};

/// Exports a task card from a row's own PyTorch code in the user's Python (resources/python/export_card.py). The code
/// is executed there and nowhere else, in a confined child process (Confinement.h) with limits of time and memory and
/// an empty folder as its home, which is removed. What it answers is parsed as text that nobody has looked at, and the
/// card is checked (RowCard.h) before it is believed; its level, task and name are the row's.
///
/// Errors: "missing_component" (no Python, no PyTorch, no way to confine it), "timeout", "too_large", "cancelled",
/// "export_failed" (the child ended without an answer), "bad_card", and the script's own: "row_failed",
/// "unsupported_operator", "data_dependent", "random_result", "no_small_size", "no_pytorch_code", ...
Result<task::Card> exportCard(const audit::RowTask& row, const ExportOptions& options,
                              const std::stop_token& stop = {});

/// The card for a row, exported and kept in `folder` where there is none yet.
Result<task::Card> cardForRowOrExport(const audit::RowTask& row, const std::filesystem::path& folder,
                                      const ExportOptions& options, const std::stop_token& stop = {});

} // namespace kernelarium::tools
