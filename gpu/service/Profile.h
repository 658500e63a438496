// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/inputs/InputPlan.h"
#include "gpu/host/run/EmulatorRunner.h"
#include "gpu/protocol/ProfileMessages.h"

#include <stop_token>

namespace kernelarium::service {

/// Runs the plan's call sampled and models its time on the device.
/// Errors: "cancelled", and those of EmulatorRunner::run.
Result<protocol::ProfileSummary> profile(host::EmulatorRunner& runner, const verify::InputPlan& plan,
                                         const protocol::ProfileParameters& parameters, const perf::DeviceSpec& device,
                                         std::stop_token stop);

} // namespace kernelarium::service
