// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"
#include "core/tuning/search/Judged.h"
#include "gpu/protocol/Sweep.h"

#include <filesystem>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace kernelarium::cli {

void addEmitOption(CLI::App& command, std::filesystem::path& file);

/// Writes what a sweep found as a kernel file (gpu/protocol/BestText.h). The exit code.
int emitBest(Context& context, const protocol::SweepRequest& request, const std::vector<tuning::Judged>& all,
             const std::filesystem::path& file);

} // namespace kernelarium::cli
