// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/store/Store.h"
#include "gpu/protocol/schedules/ScheduleMeasurer.h"

namespace kernelarium::protocol {

/// The resources that ptxas tells of a kernel, by its mangled name; null: not of this unit.
[[nodiscard]] const compile::KernelResources* resourcesOf(const compile::CompiledUnit& unit, const std::string& kernel);

/// The subject's unit assembled with each of schedule::offeredAlternatives in the compile child, and where there is a
/// GPU (else null) timed beside the original in fresh children, cold and hot. What makes the same code as the original
/// or as an earlier one is not timed. That ptxas refuses one is no error. Each is put into the search's store as it
/// comes, and what the store has is not asked for again. Errors: the compile child's own,
/// ScheduleMeasurer::confirmUnit's, the store's.
Result<void> addAlternatives(tuning::Store& store, const compile::CompiledUnit& unit, WorkerClient& compiler,
                             const std::string& toolkit, ScheduleMeasurer* gpu, const std::stop_token& stop);

} // namespace kernelarium::protocol
