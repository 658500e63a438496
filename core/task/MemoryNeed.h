// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/Card.h"

#include <cstdint>
#include <optional>

namespace kernelarium::task {

/// Bytes that may be allocated now without pushing anything out: nine tenths of Linux's MemAvailable, and no more than
/// what the control group of the process has left. Empty where neither is known.
[[nodiscard]] std::optional<std::uint64_t> availableMemory();

/// Most bytes that are live at once while the graph is evaluated: the converted arguments from their first use to their
/// last, results still needed, and an estimate of scratch memory. Nothing is allocated to find it.
Result<std::uint64_t> memoryNeeded(const Card& card, const Symbols& symbols, tensor::DType precision);

} // namespace kernelarium::task
