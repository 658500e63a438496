// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/worker/RunService.h"

#include "core/verify/ArgumentText.h"
#include "core/task/Cost.h"
#include "core/verify/CardSubject.h"
#include "core/verify/VerdictJson.h"
#include "core/verify/Verifier.h"
#include "gpu/host/DeviceLimitsOf.h"
#include "gpu/host/EmulatorRunner.h"
#include "gpu/worker/Profile.h"
#include "gpu/worker/TimeService.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <thread>
#include <utility>

namespace kernelarium::worker {

namespace {

/// What a kernel is called with and, where there is one, what its answer should be.
struct Subject {
    verify::InputPlan plan;
    std::unique_ptr<verify::Reference> reference;
    verify::Tolerance tolerance;
    std::optional<verify::OtherShape> otherShape;
    std::optional<verify::PublishedSize> published;
    std::string whyWeak;
};

unsigned jobsOf(const RunParameters& p) { return p.jobs ? p.jobs : std::max(1u, std::thread::hardware_concurrency()); }

host::EmulatorRunner makeRunner(const compile::CompiledUnit& unit, const RunParameters& p, std::uint64_t capacity,
                                const perf::DeviceSpec* device = nullptr) {
    host::HostProgram program;
    program.ptx = unit.ptx;
    program.definesModule = unit.usesTensorExtension;
    for (const compile::KernelResources& kernel : unit.kernels)
        program.registers[kernel.mangled] = std::uint32_t(kernel.registers);
    host::EmulatorSettings settings;
    settings.capacity = capacity;
    if (device) settings.limits = host::limitsOf(*device);
    settings.jobs = jobsOf(p);
    return host::EmulatorRunner(std::move(program), settings);
}

/// Before anything is drawn: what surely does not fit is refused.
Result<void> checkFits(const verify::InputPlan& plan, std::uint64_t capacity, const std::string& backend = "emulator") {
    double bytes = 0;
    for (const verify::TensorPlan& t : plan.tensors)
        bytes += double(tensor::elementCount(t.shape)) * double(tensor::byteSize(t.dtype));
    if (bytes <= double(capacity)) return {};
    const bool emulated = backend == "emulator";
    return Error{"out_of_memory",
                 fmt::format("The arguments alone need {:.1f} GB; the {} has {:.1f} GB.", bytes / 1e9,
                             emulated ? "emulated device" : "GPU", double(capacity) / 1e9),
                 emulated ? "Use a smaller size, or give the run worker more memory (--memory)."
                          : "Use a smaller size, or end other programs that use the GPU."};
}

Result<void> checkEmulated(const RunParameters& p, const char* what) {
    if (p.backend == "emulator") return {};
    return Error{"unsupported", std::string(what) + " needs the emulator.", "Use --backend emulator."};
}

/// The card's size that is neither the published nor the small one, if it has such; only small ones are worth a run.
std::optional<verify::OtherShape> otherShapeOf(const task::Card& card, const RunParameters& p) {
    if (p.size != "small") return std::nullopt;
    for (const auto& [size, symbols] : card.sizes) {
        if (size == "full" || size == "small") continue;
        auto plan = verify::planOf(card, size);
        auto reference = verify::CardReference::create(card, size, jobsOf(p));
        if (plan && reference) return verify::OtherShape{size, std::move(*plan), std::move(*reference)};
    }
    return std::nullopt;
}

std::optional<verify::PublishedSize> publishedSizeOf(const task::Card& card) {
    Result<verify::InputPlan> plan = verify::planOf(card, "full");
    const Result<task::Symbols> symbols = card.size("full");
    if (!plan || !symbols) return std::nullopt;
    const Result<task::Cost> cost = task::costOf(card, *symbols);
    if (!cost) return std::nullopt;
    return verify::PublishedSize{std::move(*plan), cost->compulsoryBytes, cost->flops};
}

/// Error "bad_input" where the device is not known.
Result<std::optional<verify::ClaimedTime>> claimOf(const RunParameters& p) {
    if (!p.claim) return std::optional<verify::ClaimedTime>();
    const perf::DeviceSpec* device = perf::findDeviceSpec(p.claim->device);
    if (!device)
        return Error{"bad_input", "No device specification is called " + p.claim->device + ".",
                     "Use the id of a device specification, such as h100-sxm or h200."};
    return std::optional(verify::ClaimedTime{p.claim->milliseconds / 1000, *device, p.claim->source});
}

std::string placeText(const recording::Place& place) { return fmt::format("({}, {}, {})", place[0], place[1], place[2]); }

/// Why there is no recording, in words that help to ask for another one.
Result<void> checkRecorded(const verify::RunResult& result, const recording::Request& asked) {
    const recording::Recording* r = result.recording.get();
    if (r && asked.warp && *asked.warp >= r->warps)
        return Error{"no_such_warp", fmt::format("Block {} of {} has {} warps.", placeText(r->block), r->kernel, r->warps),
                     "Choose a warp from 0 on."};
    if (r) return {};
    const std::string ended = result.end == verify::RunEnd::finished ? std::string() : fmt::format(" It ended early: {}.", result.reason);
    for (std::size_t k = asked.launch.value_or(0); k < result.launches.size(); ++k) {
        if (!asked.launch && asked.line > 0) break; // none of them was wanted, or its block never began
        const verify::Launch& launch = result.launches[k];
        const bool exists = asked.block[0] < launch.grid[0] && asked.block[1] < launch.grid[1] && asked.block[2] < launch.grid[2];
        if (exists)
            return Error{"not_reached", fmt::format("The run ended before block {} of launch {} began.{}", placeText(asked.block), k + 1, ended),
                         "Choose an earlier block."};
        return Error{"no_such_block", fmt::format("Launch {} ({}) has no block {}: its grid is {}.", k + 1, launch.kernel,
                                                  placeText(asked.block), placeText(launch.grid)), "Choose a block of that grid."};
    }
    if (!asked.launch && asked.line > 0 && !result.launches.empty())
        return Error{"no_such_line", fmt::format("No block {} of a kernel with code of line {} was launched.{}", placeText(asked.block),
                                                 asked.line, ended), "Choose a line of a kernel that forward launches, and a block of its grid."};
    return Error{"no_such_launch", fmt::format("forward made {} launches; there is no launch {}.{}", result.launches.size(),
                                               asked.launch.value_or(0) + 1, ended),
                 result.launches.empty() ? "Only kernels that forward launches can be stepped through." : "Choose another launch."};
}

/// What forward is called with, by the card or by the arguments as text.
Result<verify::InputPlan> planOf(const RunParameters& p) {
    if (p.card.is_null()) return verify::parseArguments(p.arguments);
    Result<task::Card> card = task::parseCard(p.card.dump());
    if (!card) return card.error();
    return verify::planOf(*card, p.size);
}

/// `reference` runs the other kernel that counts as right; null where there is none.
Result<Subject> subjectOf(const RunParameters& p, std::uint64_t capacity, std::shared_ptr<verify::Runner> reference) {
    Subject subject;
    if (p.card.is_null()) {
        Result<verify::InputPlan> plan = verify::parseArguments(p.arguments);
        if (!plan) return plan.error();
        subject.plan = std::move(*plan);
    } else {
        Result<task::Card> card = task::parseCard(p.card.dump());
        if (!card) return card.error();
        Result<verify::InputPlan> plan = verify::planOf(*card, p.size);
        if (!plan) return plan.error();
        subject.plan = std::move(*plan);
        subject.tolerance = {card->tolerance.strict, card->tolerance.legacy};
        subject.published = publishedSizeOf(*card);
        subject.whyWeak = card->degenerate;
        if (!p.referenceUnit) {
            subject.otherShape = otherShapeOf(*card, p);
            auto reference = verify::CardReference::create(std::move(*card), p.size, jobsOf(p));
            if (!reference) return reference.error();
            subject.reference = std::move(*reference);
        }
    }
    if (Result<void> fits = checkFits(subject.plan, capacity, p.backend); !fits) return fits.error();
    if (p.referenceUnit)
        subject.reference =
            std::make_unique<verify::KernelReference>(std::move(reference), p.referenceName, p.timeLimit);
    return subject;
}

/// Passes runs on, and has the first of them counted.
class CountingRunner : public verify::Runner {
public:
    CountingRunner(verify::Runner& inner, bool wanted)
        : m_inner(inner)
        , m_wanted(wanted) {}

    [[nodiscard]] std::string backend() const override { return m_inner.backend(); }
    [[nodiscard]] verify::Capabilities capabilities() const override { return m_inner.capabilities(); }
    Result<verify::RunResult> run(const verify::RunRequest& request) override {
        if (!std::exchange(m_wanted, false)) return m_inner.run(request);
        verify::RunRequest counted = request;
        counted.counters = true;
        Result<verify::RunResult> result = m_inner.run(counted);
        if (result) m_counters = result->counters;
        return result;
    }
    [[nodiscard]] const std::vector<perf::LaunchCounters>& counters() const { return m_counters; }

private:
    verify::Runner& m_inner;
    bool m_wanted;
    std::vector<perf::LaunchCounters> m_counters;
};

} // namespace

Result<nlohmann::json> RunService::handle(const Request& request, const Progress& progress, std::stop_token stop) {
    if (request.method == "profile") return profile(request, progress, stop);
    if (request.method == "record") return record(request, progress, stop);
    if (request.method == "devices") return devices();
    if (request.method == "time") return timeKernel(m_gpu, request, progress, stop);
    if (request.method == "measure") return measureGpu(m_gpu, progress, stop);
    if (request.method != "run" && request.method != "verify")
        return Error{"bad_request", "The run worker has no method " + request.method + "."};
    Result<RunParameters> parameters = runParametersFromJson(request.params);
    if (!parameters) return parameters.error();
    return request.method == "run" ? runOnce(*parameters, progress, stop) : verify(*parameters, progress, stop);
}

Result<nlohmann::json> RunService::devices() {
    const host::EmulatorSettings emulated;
    DeviceList list;
    list.devices.push_back({"emulator", emulated.limits.name, "sm_90", emulated.limits.multiprocessors, m_capacity});
    Result<std::vector<DeviceSummary>> found = m_gpu.list();
    if (found) list.devices.insert(list.devices.end(), found->begin(), found->end());
    else list.missing = found.error();
    return toJson(list);
}

Result<RunService::Place> RunService::placeFor(const RunParameters& p, const compile::CompiledUnit& unit) {
    if (p.backend == "emulator")
        return Place{std::make_unique<host::EmulatorRunner>(makeRunner(unit, p, m_capacity)), m_capacity};
    if (p.counters)
        return Error{"unsupported", "The cuda backend does not count.", "Use --backend emulator for counters."};
    if (Result<void> opened = m_gpu.open(); !opened) return opened.error();
    return Place{m_gpu.makeRunner(unit, jobsOf(p)), m_gpu.capacity()};
}

Result<nlohmann::json> RunService::runOnce(const RunParameters& p, const Progress& progress, std::stop_token stop) {
    Result<Place> place = placeFor(p, p.unit);
    if (!place) return place.error();
    Result<Subject> subject = subjectOf(p, place->capacity, nullptr);
    if (!subject) return subject.error();
    progress("inputs");
    verify::RunRequest run;
    run.arguments = verify::argumentsOf(subject->plan, verify::drawTensors(subject->plan, p.seed));
    run.poison = verify::firstPoison;
    run.checks = p.checks;
    run.counters = p.counters;
    run.timeLimit = p.timeLimit;
    run.stop = stop;
    progress("run");
    verify::Runner& runner = *place->runner;
    Result<verify::RunResult> result = runner.run(run);
    if (!result) return result.error();
    if (result->end == verify::RunEnd::cancelled) return Error{"cancelled", "Cancelled."};
    RunSummary summary;
    summary.end = std::string(name(result->end));
    summary.reason = result->reason;
    for (const tensor::Tensor& output : verify::flatten(result->output))
        if (output.defined()) summary.outputs.push_back(summarise(output));
    summary.firstUnwritten = result->firstUnwritten;
    summary.guardViolations = result->guardViolations;
    summary.launches = result->launches;
    summary.counters = std::move(result->counters);
    summary.faults = result->faults;
    summary.libraryCalls = result->libraryCalls;
    summary.printed = result->printed;
    summary.backend = runner.backend();
    summary.size = p.size;
    summary.seed = p.seed;
    summary.peakBytes = result->peakBytes;
    summary.seconds = result->seconds;
    return toJson(summary);
}

Result<nlohmann::json> RunService::profile(const Request& request, const Progress& progress, std::stop_token stop) {
    Result<ProfileParameters> p = profileParametersFromJson(request.params);
    if (!p) return p.error();
    if (Result<void> emulated = checkEmulated(p->run, "A profile"); !emulated) return emulated.error();
    const perf::DeviceSpec* device = perf::findDeviceSpec(p->device);
    if (!device)
        return Error{"bad_input", "No device is known as \"" + p->device + "\".", "Choose one of the built-in devices."};
    Result<verify::InputPlan> plan = planOf(p->run);
    if (!plan) return plan.error();
    progress("profile");
    host::EmulatorRunner runner = makeRunner(p->run.unit, p->run, m_capacity, device);
    Result<ProfileSummary> summary = worker::profile(runner, *plan, *p, *device, stop);
    if (!summary) return summary.error();
    return toJson(*summary);
}

Result<nlohmann::json> RunService::record(const Request& request, const Progress& progress, std::stop_token stop) {
    Result<RecordParameters> p = recordParametersFromJson(request.params);
    if (!p) return p.error();
    if (Result<void> emulated = checkEmulated(p->run, "A recording of steps"); !emulated) return emulated.error();
    p->run.referenceUnit.reset();
    Result<verify::InputPlan> plan = planOf(p->run);
    if (!plan) return plan.error();
    if (Result<void> fits = checkFits(*plan, m_capacity); !fits) return fits.error();
    progress("inputs");
    verify::RunRequest run;
    run.arguments = verify::argumentsOf(*plan, verify::drawTensors(*plan, p->run.seed));
    run.poison = verify::firstPoison;
    run.checks = p->run.checks;
    run.timeLimit = p->run.timeLimit;
    run.stop = stop;
    run.recording = p->request;
    progress("record");
    host::EmulatorRunner runner = makeRunner(p->run.unit, p->run, m_capacity);
    Result<verify::RunResult> result = runner.run(run);
    if (!result) return result.error();
    if (stop.stop_requested()) return Error{"cancelled", "Cancelled."};
    if (Result<void> there = checkRecorded(*result, p->request); !there) return there.error();
    progress("steps");
    for (std::size_t k = 0; k < result->recording->steps.size(); k += pageSteps)
        progress.sendPartial(pageJson(*result->recording, k));
    return restJson(*result->recording);
}

Result<nlohmann::json> RunService::verify(const RunParameters& p, const Progress& progress, std::stop_token stop) {
    Result<Place> place = placeFor(p, p.unit);
    if (!place) return place.error();
    std::shared_ptr<verify::Runner> other;
    if (p.referenceUnit) {
        Result<Place> otherPlace = placeFor(p, *p.referenceUnit);
        if (!otherPlace) return otherPlace.error();
        other = std::move(otherPlace->runner);
    }
    Result<Subject> subject = subjectOf(p, place->capacity, std::move(other));
    if (!subject) return subject.error();
    verify::VerifyOptions options;
    options.seed = p.seed;
    options.tolerance = subject->tolerance;
    options.timeLimit = p.timeLimit;
    options.checks = p.checks;
    options.mayLeaveBlocksOut = p.mayLeaveBlocksOut;
    options.size = p.size;
    options.stop = stop;
    options.progress = progress;
    if (subject->otherShape) options.otherShape = &*subject->otherShape;
    options.whyWeak = subject->whyWeak;
    if (subject->published) options.published = &*subject->published;
    Result<std::optional<verify::ClaimedTime>> claim = claimOf(p);
    if (!claim) return claim.error();
    options.claim = std::move(*claim);
    CountingRunner counting(*place->runner, p.counters);
    Result<verify::Verdict> verdict = verify::verify(counting, subject->reference.get(), subject->plan, options);
    if (!verdict) return verdict.error();
    nlohmann::json j = verify::toJson(*verdict);
    if (p.counters) j["counters"] = perf::toJson(counting.counters());
    return j;
}

} // namespace kernelarium::worker
