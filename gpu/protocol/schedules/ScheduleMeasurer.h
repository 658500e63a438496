// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/FinalFigure.h"
#include "core/schedule/Measurer.h"
#include "gpu/protocol/KernelClient.h"
#include "gpu/protocol/WorkerClient.h"
#include "gpu/protocol/schedules/RaceMessages.h"

#include <functional>
#include <memory>

namespace kernelarium::protocol {

/// Races schedules against the original on a GPU, in the run child: a candidate that faults or hangs ends its own child
/// and nothing else. Inputs are the seed's, and every bit of the outputs has to agree.
class ScheduleMeasurer : public schedule::Measurer {
public:
    /// `original.unit` is the kernel as it was compiled, its backend "cuda"; `timing` is "cold" or "hot"; `start` gives
    /// a run child.
    ScheduleMeasurer(RunParameters original, std::string timing, std::function<std::unique_ptr<WorkerClient>()> start);

    [[nodiscard]] schedule::Mode mode() const override { return schedule::Mode::measured; }
    [[nodiscard]] Result<schedule::Measurement> measure(const sass::Cubin& candidate, const schedule::Race& race,
                                                        std::uint64_t seed, const std::stop_token& stop) override;

    /// Runs the candidate with the inputs that the seed draws: empty where every bit is the original's, else what
    /// differs or how it ended, and whether it did so again. Errors: the child's, "original_failed", "not_measured".
    [[nodiscard]] Result<std::string> differenceOf(const sass::Cubin& candidate, std::uint64_t seed,
                                                   const std::stop_token& stop);

    /// The candidate beside the original in a child that has timed nothing else, FinalFigure::wantedPairs pairs. That
    /// it cannot be timed, or faulted, is no error: the figure says why. Errors "cancelled", "original_failed".
    [[nodiscard]] Result<schedule::FinalFigure> confirm(const std::string& hash, const sass::Cubin& candidate,
                                                        const std::string& timing, const std::stop_token& stop);
    /// Likewise another unit of the same source.
    [[nodiscard]] Result<schedule::FinalFigure> confirmUnit(const std::string& name, const KernelClient::Unit& unit,
                                                            const std::string& timing, const std::stop_token& stop);

private:
    [[nodiscard]] Result<RaceSummary> race(WorkerClient& child, const RaceParameters& parameters,
                                           const std::stop_token& stop) const;
    [[nodiscard]] Result<std::string> whyNotBlamed(WorkerClient& child, const RaceParameters& parameters,
                                                   const std::stop_token& stop) const;
    [[nodiscard]] KernelClient::Unit unitWith(const sass::Cubin& cubin) const;
    [[nodiscard]] RaceParameters parametersOf(KernelClient::Unit candidate, const std::string& timing,
                                              std::uint64_t seed) const;

    RunParameters m_original;
    std::string m_timing;
    std::function<std::unique_ptr<WorkerClient>()> m_start;
    std::unique_ptr<WorkerClient> m_runner;
};

} // namespace kernelarium::protocol
