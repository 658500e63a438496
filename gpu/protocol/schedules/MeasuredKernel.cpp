// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/schedules/MeasuredKernel.h"

#include "core/files/Sha256.h"
#include "core/perf/Occupancy.h"
#include "core/sass/explain/Explanation.h"
#include "core/schedule/Annealing.h"
#include "core/task/Card.h"
#include "core/text/KernelName.h"
#include "gpu/protocol/schedules/Alternatives.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::protocol {

namespace {

constexpr int schedulersOfMultiprocessor = 4;

/// The first launch of the kernel; null: there is none.
const verify::Launch* launchOf(std::span<const verify::Launch> launches, const std::string& kernel) {
    const auto found = std::find_if(launches.begin(), launches.end(), [&](const verify::Launch& one) {
        return one.kernel == kernel || one.kernel == text::demangled(kernel) || one.kernel == text::kernelTitle(kernel);
    });
    return found == launches.end() ? nullptr : &*found;
}

/// Warps of the kernel that one scheduler holds.
std::optional<int> warpsOf(const verify::Launch& launch, const compile::KernelResources& resources,
                           const perf::DeviceSpec& device) {
    perf::BlockNeeds needs;
    needs.threads = launch.block[0] * launch.block[1] * launch.block[2];
    needs.registers = std::uint32_t(resources.registers);
    needs.sharedBytes = std::uint32_t(resources.staticSharedBytes) + launch.dynamicSharedBytes;
    const perf::Occupancy held = perf::occupancyOf(needs, device);
    if (held.warps == 0) return std::nullopt;
    return std::max(1, int(held.warps) / schedulersOfMultiprocessor);
}

} // namespace

schedule::Expectation expectationOf(const schedule::Subject& subject, const compile::CompiledUnit* unit,
                                    std::span<const verify::Launch> launches, const std::string& device) {
    const sass::Cubin& cubin = subject.original;
    const sass::Explanation e =
        sass::explain(cubin, subject.code(), sass::LineTable::read(cubin.bytes()), sass::minedDistances());
    std::optional<int> warps;
    const verify::Launch* launch = launchOf(launches, subject.kernel);
    const compile::KernelResources* resources = unit ? resourcesOf(*unit, subject.kernel) : nullptr;
    const perf::DeviceSpec* spec = perf::findDeviceSpec(device);
    if (launch && resources && spec) warps = warpsOf(*launch, *resources, *spec);
    return schedule::expectationOf(e, warps, std::nullopt);
}

std::string cardDigest(const task::Card* card) {
    return card ? files::toHex(files::sha256(task::writeCard(*card)), 16) : std::string();
}

Result<std::unique_ptr<MeasuredKernel>> MeasuredKernel::prepare(const schedule::Subject& subject, RunParameters run,
                                                                const std::string& timing, const std::string& device,
                                                                Start start, const CallOptions& call) {
    run.checks = false;
    run.referenceUnit.reset();
    run.claim.reset();
    Result<RunSummary> ran = KernelClient(std::shared_ptr<WorkerClient>(start())).run(run, call);
    if (!ran) return ran.error();
    if (ran->end != "finished")
        return Error{"bad_input", "The kernel as compiled does not run: " + ran->reason, "Verify it first."};
    if (!launchOf(ran->launches, subject.kernel)) {
        std::string launched;
        for (const verify::Launch& one : ran->launches)
            if (launched.find(one.kernel) == std::string::npos) launched += (launched.empty() ? "" : ", ") + one.kernel;
        return Error{"bad_input",
                     fmt::format("The task launches {}, and not {}: no schedule of that would make a difference.",
                                 launched.empty() ? "nothing" : launched, text::kernelTitle(subject.kernel)),
                     "Choose a kernel that it launches."};
    }
    const KernelClient::Unit unit = run.unit;
    std::unique_ptr<MeasuredKernel> made(new MeasuredKernel(std::move(run), timing, std::move(start)));
    made->m_expectation = expectationOf(subject, unit.get(), ran->launches, device);
    return made;
}

Result<void> confirmBest(ScheduleMeasurer& gpu, tuning::Store& store, const std::stop_token& stop) {
    const Result<schedule::ScheduleHistory> history = schedule::readScheduleHistory(store.path());
    if (!history) return history.error();
    for (const std::string& timing : history->unconfirmed()) {
        const Result<schedule::FinalFigure> figure =
            gpu.confirm(schedule::hashOf(history->bestWords), history->bestCubin(), timing, stop);
        if (!figure) return figure.error();
        Result<tuning::Record> record = recordOf(*figure);
        if (!record) return record.error();
        if (Result<void> kept = store.append(*record); !kept) return kept;
    }
    return {};
}

} // namespace kernelarium::protocol
