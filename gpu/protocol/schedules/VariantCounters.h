// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/CounterSet.h"
#include "core/schedule/Subject.h"
#include "core/tuning/store/Store.h"
#include "gpu/protocol/ToolClient.h"
#include "gpu/protocol/schedules/ScheduleMeasurer.h"

#include <stop_token>
#include <string>

namespace kernelarium::protocol {

/// How Nsight Compute runs what a search times: `run`'s call of the text, under `program` (kernelarium-cli as a file:
/// it is started by ncu), on that GPU of this machine.
[[nodiscard]] NcuRequest ncuRequestOf(const RunParameters& run, const std::string& source, const std::string& program,
                                      int gpu = 0);

/// What launches of the kernel had, in the figures of profile::variantCounters(). Error "nothing_profiled": none of
/// them is of this kernel.
Result<schedule::CounterSet> counterSetOf(const std::vector<profile::NcuLaunch>& launches,
                                          const schedule::Subject& subject, const std::vector<sass::Word>& words,
                                          const std::string& size);

/// Has Nsight Compute measure the original and the best of a search, each in a run of its own on this machine's GPU,
/// and keeps what it says; what the store has is not measured again. Without a best it does nothing. `how`: its native
/// code and metrics are set here. Errors: those of ToolClient::measureWithNcu ("missing_component", "no_permission",
/// ...), of the store, "nothing_profiled".
Result<void> countVariants(ToolClient& tools, NcuRequest how, tuning::Store& store, const std::stop_token& stop);

} // namespace kernelarium::protocol
