// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/protocol/PointEvaluation.h"

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace kernelarium::cli {

/// At which sizes of its task a kernel is tuned, where more than one is asked for.
struct TuneSizes {
    std::vector<std::string> named;  ///< --sizes small,full
    std::vector<std::string> shapes; ///< --shape N=512, each
};

void addSizeOptions(CLI::App& command, TuneSizes& sizes);

/// Puts them into the settings, and shapes into their card. Errors: "bad_usage" (there is no card, a size is named
/// twice), "bad_input" (no such size; core/task/NamedShape.h).
[[nodiscard]] Result<void> takeSizes(const TuneSizes& sizes, protocol::PointSettings& settings);

} // namespace kernelarium::cli
