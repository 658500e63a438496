// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/RunService.h"

#include "core/tensor/MemoryReuse.h"
#include "core/threads/SharedCores.h"
#include "core/verify/VerdictJson.h"
#include "core/verify/Verifier.h"
#include "gpu/host/backend/DeviceLimitsOf.h"
#include "gpu/host/run/EmulatorRunner.h"
#include "gpu/operators/DeviceWorkplace.h"
#include "gpu/service/Profile.h"
#include "gpu/service/RunSubject.h"
#include "gpu/service/TimeService.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace kernelarium::service {

namespace {

/// `function`: of the unit's module, where it is not `forward`.
host::EmulatorRunner makeRunner(const compile::CompiledUnit& unit, const std::string& function,
                                const protocol::RunParameters& p, std::uint64_t capacity, std::uint64_t profiled = 0,
                                const perf::DeviceSpec* device = nullptr,
                                std::shared_ptr<emulator::MemoryPages> pages = {}) {
    host::HostProgram program;
    program.ptx = unit.ptx;
    program.definesModule = unit.usesTensorExtension;
    program.isProgram = unit.isProgram;
    program.function = function;
    for (const compile::KernelResources& kernel : unit.kernels)
        program.kernels[kernel.mangled] = {std::uint32_t(kernel.registers), std::uint32_t(kernel.globalLoads)};
    host::EmulatorSettings settings;
    settings.capacity = capacity;
    settings.profiled = profiled;
    if (device) settings.limits = host::limitsOf(*device);
    settings.jobs = jobsOf(p);
    settings.exactSums = p.exactSums;
    settings.pages = std::move(pages);
    return host::EmulatorRunner(std::move(program), settings);
}

Result<void> checkEmulated(const protocol::RunParameters& p, const char* what) {
    if (p.backend == "emulator") return {};
    return Error{"unsupported", std::string(what) + " needs the emulator.", "Use --backend emulator."};
}

/// Error "bad_input" where the device is not known.
Result<std::optional<verify::ClaimedTime>> claimOf(const protocol::RunParameters& p) {
    if (!p.claim) return std::optional<verify::ClaimedTime>();
    const perf::DeviceSpec* device = perf::findDeviceSpec(p.claim->device);
    if (!device)
        return Error{"bad_input", "No device specification is called " + p.claim->device + ".",
                     "Use the id of a device specification, such as h100-sxm or h200."};
    return std::optional(verify::ClaimedTime{p.claim->milliseconds / 1000, *device, p.claim->source});
}

std::string placeText(const recording::Place& place) {
    return fmt::format("({}, {}, {})", place[0], place[1], place[2]);
}

/// Why there is no recording, in words that help to ask for another one.
Result<void> checkRecorded(const verify::RunResult& result, const recording::Request& asked) {
    const recording::Recording* r = result.recording.get();
    if (r && asked.warp && *asked.warp >= r->warps)
        return Error{"no_such_warp",
                     fmt::format("Block {} of {} has {} warps.", placeText(r->block), r->kernel, r->warps),
                     "Choose a warp from 0 on."};
    if (r) return {};
    const std::string ended =
        result.end == verify::RunEnd::finished ? std::string() : fmt::format(" It ended early: {}.", result.reason);
    for (std::size_t k = asked.launch.value_or(0); k < result.launches.size(); ++k) {
        if (!asked.launch && asked.line > 0) break; // none of them was wanted, or its block never began
        const verify::Launch& launch = result.launches[k];
        const bool exists =
            asked.block[0] < launch.grid[0] && asked.block[1] < launch.grid[1] && asked.block[2] < launch.grid[2];
        if (exists)
            return Error{"not_reached",
                         fmt::format("The run ended before block {} of launch {} began.{}", placeText(asked.block),
                                     k + 1, ended),
                         "Choose an earlier block."};
        return Error{"no_such_block",
                     fmt::format("Launch {} ({}) has no block {}: its grid is {}.", k + 1, launch.kernel,
                                 placeText(asked.block), placeText(launch.grid)),
                     "Choose a block of that grid."};
    }
    if (!asked.launch && asked.line > 0 && !result.launches.empty())
        return Error{"no_such_line",
                     fmt::format("Line {} is not code of a kernel that forward launches with a block {}.{}", asked.line,
                                 placeText(asked.block), ended),
                     "Choose a line inside such a kernel, and a block of its grid."};
    return Error{"no_such_launch",
                 fmt::format("forward made {} launches; there is no launch {}.{}", result.launches.size(),
                             asked.launch.value_or(0) + 1, ended),
                 result.launches.empty() ? "Only kernels that forward launches can be stepped through."
                                         : "Choose another launch."};
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

/// A program without its main: what Python finds in it where it wants a module.
std::shared_ptr<const compile::CompiledUnit> asModule(std::shared_ptr<const compile::CompiledUnit> unit) {
    if (!unit->isProgram) return unit;
    auto module = std::make_shared<compile::CompiledUnit>(*unit);
    module->isProgram = false;
    return module;
}

} // namespace

Result<nlohmann::json> RunService::handle(const protocol::Request& request, const Progress& progress,
                                          std::stop_token stop) {
    if (request.method != "verify") m_kept.release();
    Result<nlohmann::json> answer = answerOf(request, progress, std::move(stop));
    m_gpu.rest();
    return answer;
}

Result<nlohmann::json> RunService::answerOf(const protocol::Request& request, const Progress& progress,
                                            std::stop_token stop) {
    const bool isRace = request.method == "race" || request.method == "race_again";
    if (!isRace) m_raced = {}; // its memory is wanted
    if (request.method == "tensors") return tensors(request, progress, stop);
    m_tensors.reset(); // likewise
    if (!ProductService::takes(request.method)) m_products.forget();
    if (request.method == "profile") return profile(request, progress, stop);
    if (request.method == "record") return record(request, progress, stop);
    if (request.method == "devices") return devices();
    const bool isTimed =
        request.method == "time" || isRace || request.method == "measure" || ProductService::takes(request.method);
    if (isTimed && progress.allowMemory) progress.allowMemory(m_room.ofTasks); // what is timed has the published size
    if (request.method == "time") return timeKernel(m_gpu, m_timed, request, progress, stop);
    if (request.method == "race") return raceKernels(m_gpu, m_timed, m_raced, request, progress, stop);
    if (request.method == "race_again") return raceAgain(m_raced, request, stop);
    if (request.method == "measure") return measureGpu(m_gpu, progress, stop);
    if (ProductService::takes(request.method)) return m_products.handle(request, progress, stop);
    if (request.method != "run" && request.method != "verify")
        return Error{"bad_request", "The run worker has no method " + request.method + "."};
    Result<protocol::RunParameters> parameters = protocol::runParametersFromJson(request.params);
    if (!parameters) return parameters.error();
    if (parameters->card || parameters->referenceUnit)
        parameters->unit = asModule(parameters->unit); // whose forward is asked for
    if (request.method == "verify")
        if (Result<void> module = checkModule(*parameters->unit, "verified"); !module) return module.error();
    return request.method == "run" ? runOnce(*parameters, progress, stop) : verify(*parameters, progress, stop);
}

Result<void> RunService::checkModule(const compile::CompiledUnit& unit, const std::string& done) {
    if (!unit.isProgram) return {};
    return Error{"is_program",
                 "This file is a program with a main of its own. Nothing says what its results should be: it can be "
                 "run, not " +
                     done + ".",
                 "Use `kernelarium-cli run FILE.cu -- ARGUMENTS`."};
}

void RunService::allowForTask(const protocol::RunParameters& p, const Progress& progress) const {
    if (progress.allowMemory)
        progress.allowMemory(std::uint64_t(std::min(bytesOfTask(p).held(), double(m_room.ofTasks))));
}

std::uint64_t RunService::capacityFor(const protocol::RunParameters& p) const {
    const TaskBytes own = bytesOfTask(p);
    return m_capacity + std::uint64_t(std::min(own.inputs + own.outputs, double(m_room.ofTasks) / 4));
}

Result<nlohmann::json> RunService::devices() {
    const host::EmulatorSettings emulated;
    protocol::DeviceList list;
    list.devices.push_back({"emulator", emulated.limits.name, "sm_90", emulated.limits.multiprocessors, m_capacity});
    Result<std::vector<protocol::DeviceSummary>> found = m_gpu.list();
    if (found)
        list.devices.insert(list.devices.end(), found->begin(), found->end());
    else
        list.missing = found.error();
    return toJson(list);
}

Result<RunService::Place> RunService::placeFor(const protocol::RunParameters& p, const compile::CompiledUnit& unit,
                                               const std::string& function, const KeptMemory::Use* kept) {
    if (p.backend == "emulator") {
        const std::uint64_t capacity = capacityFor(p);
        std::shared_ptr<emulator::MemoryPages> pages = kept ? kept->pages(capacity) : nullptr;
        return Place{std::make_unique<host::EmulatorRunner>(
                         makeRunner(unit, function, p, capacity, 0, nullptr, std::move(pages))),
                     capacity};
    }
    if (p.counters)
        return Error{"unsupported", "The cuda backend does not count.", "Use --backend emulator for counters."};
    if (Result<void> opened = m_gpu.open(); !opened) return opened.error();
    m_gpu.limitMemory(p.gpuBytes);
    return Place{m_gpu.makeRunner(unit, function, jobsOf(p), m_capacity), m_gpu.capacity()};
}

Result<nlohmann::json> RunService::runOnce(const protocol::RunParameters& p, const Progress& progress,
                                           std::stop_token stop) {
    allowForTask(p, progress);
    Result<Place> place = placeFor(p, *p.unit, p.function);
    if (!place) return place.error();
    Result<RunSubject> subject = subjectOf(p, place->capacity, nullptr, nullptr);
    if (!subject) return subject.error();
    progress("inputs");
    verify::RunRequest run;
    run.arguments = verify::argumentsOf(subject->plan, verify::drawTensors(subject->plan, p.seed));
    run.outputs = verify::outputsOf(subject->plan);
    run.poison = verify::firstPoison;
    run.checks = p.checks;
    run.counters = p.counters;
    run.timeLimit = p.timeLimit;
    run.programArguments = p.programArguments;
    run.stop = stop;
    progress("run");
    verify::Runner& runner = *place->runner;
    Result<verify::RunResult> result = runner.run(run);
    if (!result) return result.error();
    if (result->end == verify::RunEnd::cancelled) return Error{"cancelled", "Cancelled."};
    if (result->end == verify::RunEnd::host_exception)
        if (std::optional<Error> wants = wantsArguments(p, result->reason)) return *wants;
    protocol::RunSummary summary;
    summary.end = std::string(protocol::name(result->end));
    summary.reason = result->reason;
    summary.exitCode = result->exitCode;
    for (const tensor::Tensor& output : verify::flatten(result->output))
        if (output.defined()) summary.outputs.push_back(protocol::summarise(output));
    summary.firstUnwritten = result->firstUnwritten;
    summary.guardViolations = result->guardViolations;
    summary.launches = result->launches;
    summary.unsaid = result->unsaid;
    summary.counters = std::move(result->counters);
    summary.faults = result->faults;
    summary.libraryCalls = result->libraryCalls;
    summary.notes = result->remarks;
    summary.printed = result->printed;
    summary.backend = runner.backend();
    summary.size = p.size;
    summary.seed = p.seed;
    summary.peakBytes = result->peakBytes;
    summary.seconds = result->seconds;
    return toJson(summary);
}

Result<nlohmann::json> RunService::profile(const protocol::Request& request, const Progress& progress,
                                           std::stop_token stop) {
    Result<protocol::ProfileParameters> p = protocol::profileParametersFromJson(request.params);
    if (!p) return p.error();
    if (Result<void> module = checkModule(*p->run.unit, "profiled"); !module) return module.error();
    if (Result<void> emulated = checkEmulated(p->run, "A profile"); !emulated) return emulated.error();
    const perf::DeviceSpec* device = perf::findDeviceSpec(p->device);
    if (!device)
        return Error{"bad_input", "No device is known as \"" + p->device + "\".",
                     "Choose one of the built-in devices."};
    Result<verify::InputPlan> plan = planOf(p->run);
    if (!plan) return plan.error();
    progress("profile");
    host::EmulatorRunner runner =
        makeRunner(*p->run.unit, p->run.function, p->run, m_capacity, m_room.profiled, device);
    Result<protocol::ProfileSummary> summary = service::profile(runner, *plan, *p, *device, stop);
    if (!summary) return summary.error();
    return toJson(*summary);
}

Result<nlohmann::json> RunService::record(const protocol::Request& request, const Progress& progress,
                                          std::stop_token stop) {
    Result<protocol::RecordParameters> p = protocol::recordParametersFromJson(request.params);
    if (!p) return p.error();
    if (Result<void> emulated = checkEmulated(p->run, "A recording of steps"); !emulated) return emulated.error();
    p->run.referenceUnit.reset();
    allowForTask(p->run, progress);
    Result<verify::InputPlan> plan = planOf(p->run);
    if (!plan) return plan.error();
    const std::uint64_t capacity = capacityFor(p->run);
    if (Result<void> fits = checkFits(*plan, capacity); !fits) return fits.error();
    progress("inputs");
    verify::RunRequest run;
    run.arguments = verify::argumentsOf(*plan, verify::drawTensors(*plan, p->run.seed));
    run.outputs = verify::outputsOf(*plan);
    run.poison = verify::firstPoison;
    run.checks = p->run.checks;
    run.timeLimit = p->run.timeLimit;
    run.programArguments = p->run.programArguments;
    run.stop = stop;
    run.recording = p->request;
    progress("record");
    host::EmulatorRunner runner = makeRunner(*p->run.unit, p->run.function, p->run, capacity);
    Result<verify::RunResult> result = runner.run(run);
    if (!result) return result.error();
    if (stop.stop_requested()) return Error{"cancelled", "Cancelled."};
    if (Result<void> there = checkRecorded(*result, p->request); !there) return there.error();
    progress("steps");
    for (std::size_t k = 0; k < result->recording->steps.size(); k += protocol::pageSteps)
        progress.sendPartial(protocol::pageJson(*result->recording, k));
    return protocol::restJson(*result->recording);
}

Result<nlohmann::json> RunService::tensors(const protocol::Request& request, const Progress& progress,
                                           std::stop_token stop) {
    Result<protocol::RunParameters> p = protocol::runParametersFromJson(request.params);
    if (!p) return p.error();
    const auto asked = request.params.find("query");
    Result<tensorview::Query> query = asked == request.params.end()
                                          ? Result<tensorview::Query>(Error{"bad_request", "There is no query."})
                                          : tensorview::queryFromJson(*asked);
    if (!query) return query.error();
    if (p->card || p->referenceUnit) p->unit = asModule(p->unit);
    if (Result<void> module = checkModule(*p->unit, "looked into"); !module) return module.error();
    allowForTask(*p, progress);
    nlohmann::json about = request.params;
    about.erase("query");
    std::string key = about.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (!m_tensors || m_tensors->key() != key) {
        m_tensors.reset();
        Result<Place> place = placeFor(*p, *p->unit, p->function);
        if (!place) return place.error();
        std::shared_ptr<verify::Runner> other;
        if (p->referenceUnit) {
            Result<Place> otherPlace = placeFor(*p, *p->referenceUnit, {});
            if (!otherPlace) return otherPlace.error();
            other = std::move(otherPlace->runner);
        }
        Result<RunSubject> subject =
            subjectOf(*p, place->capacity, std::move(other), p->backend == "cuda" ? &m_gpu : nullptr);
        if (!subject) return subject.error();
        m_tensors =
            std::make_unique<RunTensors>(std::move(key), std::move(*p), std::move(*subject), std::move(place->runner));
    }
    Result<tensorview::Answer> answer = m_tensors->answer(*query, progress, stop);
    if (!answer) return answer.error();
    return tensorview::toJson(*answer);
}

Result<nlohmann::json> RunService::verify(const protocol::RunParameters& p, const Progress& progress,
                                          std::stop_token stop) {
    allowForTask(p, progress);
    const KeptMemory::Use kept = m_kept.begin(std::uint64_t(bytesOfTask(p).held()));
    const threads::LongWork longer; // an audit's last kernels are waited for
    Result<Place> place = placeFor(p, *p.unit, p.function, &kept);
    if (!place) return place.error();
    std::shared_ptr<verify::Runner> other;
    if (p.referenceUnit) {
        Result<Place> otherPlace = placeFor(p, *p.referenceUnit, {});
        if (!otherPlace) return otherPlace.error();
        other = std::move(otherPlace->runner);
    }
    GpuTarget* gpu = p.backend == "cuda" ? &m_gpu : nullptr;
    Result<RunSubject> subject = subjectOf(p, place->capacity, std::move(other), gpu);
    if (!subject) return subject.error();
    verify::VerifyOptions options;
    options.seed = p.seed;
    options.tolerance = subject->tolerance;
    options.timeLimit = p.timeLimit;
    options.checks = p.checks;
    options.mayLeaveBlocksOut = p.mayLeaveBlocksOut;
    options.explain = p.explain;
    options.size = p.size;
    options.stop = stop;
    options.progress = progress;
    if (subject->otherShape) options.otherShape = &*subject->otherShape;
    options.whyWeak = subject->whyWeak;
    if (subject->published) options.published = &*subject->published;
    Result<std::optional<verify::ClaimedTime>> claim = claimOf(p);
    if (!claim) return claim.error();
    options.claim = std::move(*claim);
    options.place = subject->place;
    if (subject->place) m_gpu.workplace()->begin(stop);
    CountingRunner counting(*place->runner, p.counters);
    Result<verify::Verdict> verdict = verify::verify(counting, subject->reference.get(), subject->plan, options);
    if (!verdict) return verdict.error();
    for (const verify::CheckReport& check : verdict->checks)
        if (std::optional<Error> wants = wantsArguments(p, check.detail)) return *wants;
    if (!subject->remark.empty()) verdict->notes.push_back(subject->remark);
    if (!p.card) verdict->size = "given";
    verdict->fastMath = p.unit->fastMath;
    verdict->compilerOptions = lineOf(p.unit->settings);
    verdict->seconds["compile"] = p.unit->seconds.total;
    nlohmann::json j = verify::toJson(*verdict);
    if (p.counters) j["counters"] = perf::toJson(counting.counters());
    return j;
}

} // namespace kernelarium::service
