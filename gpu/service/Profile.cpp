// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/Profile.h"

#include "core/quantities/Quantities.h"
#include "core/verify/ProfileRequest.h"

#include <fmt/format.h>

namespace kernelarium::service {

namespace {

verify::RunRequest requestOf(const verify::InputPlan& plan, const protocol::ProfileParameters& p,
                             std::stop_token stop) {
    verify::ProfileOptions options;
    options.waves = p.waves;
    options.instructionBudget = p.instructionBudget;
    verify::RunRequest run = verify::profileRequest(plan, p.run.seed, std::move(options));
    run.timeLimit = p.run.timeLimit;
    run.stop = stop;
    return run;
}

/// Spilled registers are ptxas's doing: the emulator executes none of them.
void noteSpills(std::vector<perf::LaunchCounters>& launches, const compile::CompiledUnit& unit) {
    for (const compile::KernelResources& kernel : unit.kernels)
        for (perf::LaunchCounters& launch : launches)
            if (launch.kernel == kernel.name) launch.spillBytes = kernel.spillLoadBytes + kernel.spillStoreBytes;
}

std::vector<std::string> notesOf(const protocol::ProfileSummary& s, const verify::LeftUnsaid& unsaid) {
    std::vector<std::string> notes;
    if (unsaid.launches > 0)
        notes.push_back(fmt::format("{} more were made than are listed; their time is not in these figures.",
                                    quantities::counted(double(unsaid.launches), "launch", "launches")));
    double blocks = 0, executed = 0;
    std::size_t repeated = 0;
    for (const perf::LaunchCounters& c : s.counters) {
        repeated += c.sampling.repeated;
        if (c.sampling.repeated) continue;
        blocks += c.sampling.blocks;
        executed += c.sampling.executed;
    }
    if (executed < blocks)
        notes.push_back(fmt::format("{} of {} were executed, spread evenly over each grid; figures are "
                                    "scaled to whole grids.",
                                    quantities::count(executed), quantities::counted(blocks, "block")));
    if (repeated)
        notes.push_back(fmt::format("{} earlier ones and {} their figures.",
                                    quantities::counted(double(repeated), "launch repeats", "launches repeat"),
                                    repeated == 1 ? "has" : "have"));
    if (!s.libraryCalls.empty())
        notes.push_back(fmt::format("{} library calls were not executed: their time follows from their bytes and "
                                    "operations.",
                                    s.libraryCalls.size()));
    notes.emplace_back("Tensors hold a repeated pattern: where a kernel's control flow depends on its data, the counts "
                       "are those of the pattern.");
    return notes;
}

} // namespace

Result<protocol::ProfileSummary> profile(host::EmulatorRunner& runner, const verify::InputPlan& plan,
                                         const protocol::ProfileParameters& parameters, const perf::DeviceSpec& device,
                                         std::stop_token stop) {
    Result<verify::RunResult> result = runner.run(requestOf(plan, parameters, stop));
    if (!result) return result.error();
    if (result->end == verify::RunEnd::cancelled) return Error{"cancelled", "Cancelled."};
    protocol::ProfileSummary summary;
    summary.end = std::string(protocol::name(result->end));
    summary.reason = result->reason;
    summary.size = parameters.run.size;
    summary.counters = std::move(result->counters);
    if (parameters.run.unit) noteSpills(summary.counters, *parameters.run.unit);
    summary.libraryCalls = std::move(result->libraryCosts);
    summary.time = perf::modelRun(summary.counters, summary.libraryCalls, device);
    summary.findings = perf::findingsOf(summary.counters, summary.time, device);
    summary.notes = notesOf(summary, result->unsaid);
    summary.peakBytes = result->peakBytes;
    summary.seconds = result->seconds;
    return summary;
}

} // namespace kernelarium::service
