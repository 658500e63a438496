// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/InputPlan.h"
#include "gpu/host/run/EmulatorRunner.h"
#include "gpu/worker/ProfileMessages.h"

#include <stop_token>

namespace kernelarium::worker {

/// Runs the plan's call sampled and models its time on the device.
/// Errors: "cancelled", and those of EmulatorRunner::run.
Result<ProfileSummary> profile(host::EmulatorRunner& runner, const verify::InputPlan& plan,
                               const ProfileParameters& parameters, const perf::DeviceSpec& device,
                               std::stop_token stop);

} // namespace kernelarium::worker
