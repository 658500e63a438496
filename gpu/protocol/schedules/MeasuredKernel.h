// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Expectation.h"
#include "core/schedule/ScheduleHistory.h"
#include "gpu/protocol/CallOptions.h"
#include "gpu/protocol/schedules/ScheduleMeasurer.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace kernelarium::protocol {

/// What to expect of a search. `unit`: whose resources count, null where it is not known; `launches`: of a run, in
/// which the kernel's own says how many warps are resident on a scheduler of the device (a name or id of a
/// specification).
[[nodiscard]] schedule::Expectation expectationOf(const schedule::Subject& subject, const compile::CompiledUnit* unit,
                                                  std::span<const verify::Launch> launches, const std::string& device);

/// Call::card of a card; empty without one.
[[nodiscard]] std::string cardDigest(const task::Card* card);

/// A kernel whose schedules are timed on a GPU: it was run once as it was compiled, and launches what is searched. For
/// the command line and the window.
class MeasuredKernel {
public:
    using Start = std::function<std::unique_ptr<WorkerClient>()>; ///< a run child, which has the GPU

    /// `run` says how the kernel is called; its unit is the kernel as compiled and has the subject's cubin. `timing` is
    /// "cold" or "hot", `device` the GPU's name. Errors: those of KernelClient::run; "bad_input" (it does not run, or
    /// does not launch this kernel).
    static Result<std::unique_ptr<MeasuredKernel>> prepare(const schedule::Subject& subject, RunParameters run,
                                                           const std::string& timing, const std::string& device,
                                                           Start start, const CallOptions& call = {});

    [[nodiscard]] ScheduleMeasurer& measurer() { return m_measurer; }
    [[nodiscard]] const schedule::Expectation& expectation() const { return m_expectation; }

private:
    MeasuredKernel(RunParameters run, const std::string& timing, Start start)
        : m_measurer(std::move(run), timing, std::move(start)) {}

    ScheduleMeasurer m_measurer;
    schedule::Expectation m_expectation;
};

/// Times the best schedule of a search beside the original in fresh children, cold and hot, and keeps the figures. What
/// the store has of it is not timed again; a best that is the original is not timed. Errors: those of
/// schedule::readScheduleHistory, ScheduleMeasurer::confirm and of the store.
Result<void> confirmBest(ScheduleMeasurer& gpu, tuning::Store& store, const std::stop_token& stop);

} // namespace kernelarium::protocol
