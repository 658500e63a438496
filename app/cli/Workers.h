// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/worker/WorkerClient.h"

#include <string>

namespace kernelarium::cli {

/// A client of this very program's `worker KIND`.
[[nodiscard]] worker::WorkerClient makeWorker(const std::string& kind);

/// Prints the stage on standard error where a person sits there.
void showStage(const std::string& stage);

} // namespace kernelarium::cli
