// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/WorkerClient.h"

#include <memory>

namespace kernelarium::cli {

/// A client of this very program's `worker run`, here, for those who speak to it themselves.
[[nodiscard]] std::unique_ptr<protocol::WorkerClient> makeRunnerChild();

/// Likewise of `worker compile`.
[[nodiscard]] std::unique_ptr<protocol::WorkerClient> makeCompilerChild();

} // namespace kernelarium::cli
